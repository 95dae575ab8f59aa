import type { BootConfig, CloseRow } from '@crossbook/contract';
import { ORDER_TYPE, type Platform, platformOfType } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { contractOrder } from '../../../calculators/contracts/contract.fixture.ts';
import { bootStore } from '../../app/boot.ts';
import { setClock } from '../../app/clock.ts';
import { ordersStore } from '../orders.ts';
import { type CloseResults, closeScope, resultOf } from './close-scope.ts';

/** Calls of the hub in order, by exchange and what they name. */
let asked: string[] = [];
/** Exchanges that do not answer until they are let go. */
let hanging: Map<Platform, () => void>;
let refusing: ReadonlySet<Platform>;

const PLACED = { outcome: 'sent', order: null, reason: null, venueCode: null } as const;

beforeEach(() => {
  asked = [];
  hanging = new Map();
  refusing = new Set();
  setClock({ now: () => 1_764_000_000_000, randomBytes: () => new Uint8Array(10).fill(7) });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const call = String(url).replace(/^.*\/api\/\w+\//, '');
    const form = new URLSearchParams(String(init.body));
    const platform = platformOfType(Number(form.get('platformType')))?.platform ?? 1;
    const named = ['orderId', 'orderIds', 'symbol', 'tinstType'].flatMap((name) => form.get(name) ?? []);
    asked.push([platform, call, ...named].join(' '));
    if (call !== 'ClosePositionAll') {
      const cancelled = {
        ...contractOrder({ orderId: form.get('orderId') ?? '', exchange: platform }),
        status: 5,
      };
      return Response.json({ code: 1, msg: '', data: call === 'CancelAll' ? [] : cancelled });
    }
    if (hanging.has(platform)) {
      await new Promise<void>((resolve) => hanging.set(platform, resolve));
    }
    if (refusing.has(platform)) return Response.json({ code: 3005, msg: 'Not now.', data: null });
    const row: CloseRow = {
      ...{ ...PLACED, exchange: platform, symbol: form.get('symbol') ?? 'BTCUSDT', effect: 0 },
      marginMode: 'cross',
    };
    return Response.json({ code: 1, msg: '', data: [row] });
  });
  const hosts = { own: 'http://hub.test', user: '', notify: '', public: '' };
  bootStore.setState(
    { status: 'ready', config: { hosts, tenant: 'crossbook' } as unknown as BootConfig },
    true,
  );
});
afterEach(() => vi.unstubAllGlobals());

const at = (exchange: Platform) => ({ exchange, symbol: 'BTCUSDT', effect: 0, marginMode: 'cross' }) as const;
const settled = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};

test('orders that rest go before the positions of their exchange', async () => {
  await closeScope([1], undefined, false);
  expect(asked).toEqual(['1 CancelAll 2', '1 ClosePositionAll']);
  asked = [];
  await closeScope([1], 'BTCUSDT', false);
  expect(asked).toEqual(['1 CancelAll BTCUSDT 2', '1 ClosePositionAll BTCUSDT']);
});

test('no exchange waits for another, and what one has said is known while another is silent', async () => {
  hanging = new Map([[2, () => undefined]]);
  refusing = new Set([3]);
  const reported: CloseResults[] = [];
  const over = closeScope([1, 2, 3], undefined, false, (results) => reported.push(results));
  await settled(() => reported.length === 2);
  const known = reported.at(-1) ?? new Map();
  expect([1, 2, 3].map((one) => resultOf(known, at(one as Platform))?.outcome)).toEqual([
    'sent',
    undefined,
    'refused',
  ]);
  hanging.get(2)?.();
  const last = await over;
  expect(resultOf(last, at(2))?.outcome).toBe('sent');
});

test('orders that open may be kept; those that close never are, whatever else there is', async () => {
  const rows = [
    contractOrder({ orderId: 'opens' }),
    contractOrder({ orderId: 'closes', side: 2, reduceOnly: true }),
    contractOrder({ orderId: 'long leg', side: 2, effect: 1 }),
    contractOrder({ orderId: 'short leg', side: 2, effect: 2 }),
    contractOrder({ orderId: 'other', symbol: 'ETHUSDT', side: 2, reduceOnly: true }),
    contractOrder({ orderId: 'elsewhere', exchange: 2, side: 2, reduceOnly: true }),
    contractOrder({ orderId: 'pair', symbolType: 'SPOT', side: 2, orderType: ORDER_TYPE.LIMIT }),
  ];
  ordersStore.setState({ open: new Map(rows.map((row) => [row.orderId, row])) });
  await closeScope([1], 'BTCUSDT', true);
  expect(asked).toEqual(['1 CancelAll ["closes","long leg"]', '1 ClosePositionAll BTCUSDT']);
});
