import '../../../../i18n/trade-words.ts';
import type { BootConfig } from '@crossbook/contract';
import { amount } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { contractOrder } from '../../../../calculators/contracts/contract.fixture.ts';
import { text } from '../../../../i18n/i18n.ts';
import { bootStore } from '../../../../stores/app/boot.ts';
import { setClock } from '../../../../stores/app/clock.ts';
import { ordersStore } from '../../../../stores/trading/orders.ts';
import { createLineMover } from './line-mover.ts';
import { withMove } from './line-state.ts';

const ORDER = contractOrder({ orderId: 'o1', price: '60000', side: 1 });
const BOOK = { bid: amount('60500'), ask: amount('60501') };
/** Prices that the hub was asked for. */
let asked: string[] = [];

beforeEach(() => {
  asked = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  i18n.activate('en');
  setClock({ now: () => 1_764_000_000_000, randomBytes: () => new Uint8Array(10).fill(7) });
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    const price = new URLSearchParams(String(init.body)).get('price');
    if (price !== null) asked.push(price);
    return Response.json({ code: 3005, msg: 'Too far from the market.', data: null });
  });
  const hosts = { own: 'http://hub.test', user: '', notify: '', public: '' };
  bootStore.setState(
    { status: 'ready', config: { hosts, tenant: 'crossbook' } as unknown as BootConfig },
    true,
  );
  ordersStore.setState({ open: new Map([['o1', ORDER]]) });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The order's line as it is drawn now. */
function line({ store }: ReturnType<typeof createLineMover>): string {
  const drawn = withMove(
    {
      ...{ id: 'order o1', price: 60_000, priceText: '60,000.0', label: 'Buy 0.1 Limit' },
      ...{ tone: 'up', stroke: 'solid', draggable: true },
    },
    { ...store.getState(), tuned: undefined },
    text,
  );
  return drawn.map(({ price, label, tone }) => `${price} ${label} ${tone}`).join(', ');
}
const REST = '60000 Buy 0.1 Limit up';
const RED = '60000 Buy 0.1 Limit · refused danger';

/** The answer to what was let go has arrived; no time has gone by. */
async function answered({ store }: ReturnType<typeof createLineMover>): Promise<void> {
  while (store.getState().moving.size > 0) await new Promise((resolve) => setImmediate(resolve));
}

test('a line whose change was refused is back where it was and red for three seconds, then as before', async () => {
  const mover = createLineMover(() => BOOK);
  expect(line(mover)).toBe(REST);
  mover.move('order o1', { price: '59000' });
  expect(line(mover)).toContain('59000 Buy 0.1 Limit … faint');
  await answered(mover);
  expect(line(mover)).toBe(RED);
  await vi.advanceTimersByTimeAsync(2_999);
  expect(line(mover)).toBe(RED);
  await vi.advanceTimersByTimeAsync(1);
  expect(line(mover)).toBe(REST);
  expect(asked).toEqual(['59000']);
});

test('one that is refused again meanwhile is red for three seconds from then', async () => {
  const mover = createLineMover(() => BOOK);
  mover.move('order o1', { price: '59000' });
  await answered(mover);
  await vi.advanceTimersByTimeAsync(2_000);
  mover.move('order o1', { price: '58000' });
  await answered(mover);
  await vi.advanceTimersByTimeAsync(2_999);
  expect(line(mover)).toBe(RED);
  await vi.advanceTimersByTimeAsync(1);
  expect(line(mover)).toBe(REST);
});

test('one that would fill at once is sent on a second word alone; where it stands already nothing is asked', async () => {
  const mover = createLineMover(() => BOOK);
  mover.move('order o1', { price: '60000.0' });
  mover.move('order o1', { price: '61000' });
  await answered(mover);
  expect([asked, mover.store.getState().asked?.price]).toEqual([[], '61000']);
  mover.store.getState().asked?.leave();
  expect(mover.store.getState().asked).toBeUndefined();
  mover.move('order o1', { price: '61000' });
  mover.store.getState().asked?.confirm();
  await answered(mover);
  expect([asked, mover.store.getState().asked]).toEqual([['61000'], undefined]);
});
