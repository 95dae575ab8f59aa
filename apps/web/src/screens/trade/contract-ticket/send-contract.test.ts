import type { BootConfig, CloseRow } from '@crossbook/contract';
import { ORDER_TYPE, SIDE } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { contractFacts, contractOrder } from '../../../calculators/contracts/contract.fixture.ts';
import type { ContractTicketState } from '../../../calculators/contracts/contract-ticket.ts';
import { positionFixture } from '../../../calculators/contracts/position.fixture.ts';
import { bootStore } from '../../../stores/app/boot.ts';
import { setClock } from '../../../stores/app/clock.ts';
import { changeOrder } from '../../../stores/trading/order-calls.ts';
import { forgetOrders } from '../../../stores/trading/orders.ts';
import { createContractTicketStore } from '../../../stores/trading/ticket/contract-ticket.ts';
import { sendContract } from './send-contract.ts';

/** What the page asked of the hub, in order. */
let asked: { readonly call: string; readonly form: Readonly<Record<string, string>> }[] = [];

beforeEach(() => {
  asked = [];
  setClock({ now: () => 1_764_000_000_000, randomBytes: () => new Uint8Array(10).fill(7) });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const call = String(url).replace(/^.*\/api\//, '');
    const { sosflag: _, ...form } = Object.fromEntries(new URLSearchParams(String(init.body)));
    asked.push({ call, form });
    const order = contractOrder({ orderId: form.clientId ?? '' });
    const closed: CloseRow = {
      ...{ exchange: 1, symbol: 'BTCUSDT', effect: 0, marginMode: 'cross', outcome: 'sent', order },
      ...{ reason: null, venueCode: null },
    };
    const answers: Readonly<Record<string, unknown>> = {
      'connextrade/PlaceOrder': order,
      'connextrade/ClosePosition': closed,
      'connextrade/ReplaceOrder': { outcome: 'amended', order, reason: null },
    };
    return Response.json({ code: 1, msg: '', data: answers[call] ?? null });
  });
  const hosts = { own: 'http://hub.test', user: '', notify: '', public: '' };
  const config = { hosts, tenant: 'crossbook' } as unknown as BootConfig;
  bootStore.setState({ status: 'ready', config }, true);
  forgetOrders();
});
afterEach(() => vi.unstubAllGlobals());

function filled(change: Partial<ContractTicketState>) {
  const store = createContractTicketStore({ orderKind: 1, timeInForce: 1, sizeUnit: 'coin' });
  store.setState(({ ticket }) => ({ ticket: { ...ticket, price: '60000', size: '0.1', ...change } }));
  return store;
}

describe('a ticket of a contract', () => {
  test('that is sent twice, by Enter or by fast clicks, places one order and has no size left', async () => {
    const store = filled({});
    const facts = contractFacts();
    await Promise.all([sendContract(store, facts), sendContract(store, facts)]);
    expect(asked.map(({ call }) => call)).toEqual(['connextrade/PlaceOrder']);
    expect([store.getState().ticket.size, store.getState().sending.phase]).toEqual(['', 'idle']);
  });

  test('that closes all of a position asks for that once, without a number, and for nothing else', async () => {
    const whole = { side: SIDE.SELL, type: ORDER_TYPE.MARKET, reduceOnly: true, percent: 100 } as const;
    const store = filled(whole);
    const facts = contractFacts({ positions: [positionFixture()], orders: [contractOrder()] });
    await Promise.all([1, 2, 3].map(() => sendContract(store, facts)));
    expect(asked.map(({ call }) => call)).toEqual(['connextrade/ClosePosition']);
    expect(Object.keys(asked[0]?.form ?? {}).toSorted()).toEqual(
      ['clientId', 'effect', 'marginMode', 'platformType', 'symbol'].toSorted(),
    );
  });
});

test('a line that was moved changes its price and says nothing else of the order', async () => {
  const order = contractOrder({ orderId: 'o1', timeInForce: 4, reduceOnly: true });
  expect(await changeOrder(order, { price: '60000' })).toEqual({ outcome: 'done' });
  const [{ call, form } = { call: '', form: {} }] = asked;
  const { clientId: _, ...rest } = form as Readonly<Record<string, string>>;
  expect([call, rest]).toEqual([
    'connextrade/ReplaceOrder',
    { platformType: '43', orderId: 'o1', price: '60000' },
  ]);
});
