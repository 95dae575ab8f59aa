import type { AlgoRow, BootConfig, OrderRow } from '@crossbook/contract';
import { ORDER_STATUS } from '@crossbook/domain';
import { expect, test, vi } from 'vitest';
import { applyAlgo } from '../algos/algos.ts';
import { bootStore } from '../app/boot.ts';
import { cancellableIn, cancelRows, outcomeNow } from './cancel-scope.ts';
import { closes, openingOrders } from './contracts/close-scope.ts';
import { applyOrder } from './orders.ts';

function order(orderId: string, more: Partial<OrderRow> = {}): OrderRow {
  return {
    ...{ orderId, exchange: 1, symbolType: 'SWAP', symbol: 'BTCUSDT', side: 1, effect: 0, reduceOnly: false },
    ...{ marginMode: 'cross', leverage: 20, cause: 'order', realisedPnl: null, orderType: 1, timeInForce: 1 },
    ...{
      price: '1',
      quantity: '1',
      quoteQuantity: null,
      visibleQuantity: null,
      icebergId: null,
      cumQuantity: '0',
      cumQuote: '0',
    },
    ...{
      status: ORDER_STATUS.OPEN,
      cancelPending: false,
      change: null,
      settled: false,
      reason: null,
      refusal: null,
    },
    ...{ createdAt: 0, updatedAt: 0, ...more },
  };
}

function algo(algoId: string, more: Partial<AlgoRow> = {}): AlgoRow {
  return {
    ...{ algoId, exchange: 1, symbolType: 'SWAP', symbol: 'BTCUSDT', side: 2, effect: 0, reduceOnly: false },
    ...{ marginMode: 'cross', leverage: 20, algoType: 'stop', takeProfit: null, trailing: null },
    ...{ iceberg: null, executed: null },
    ...{ timeInForce: 1, stopLoss: { triggerPrice: '58000', triggerBy: 'last', price: null } },
    ...{
      quantity: '0.1',
      state: 'waiting',
      unknown: false,
      cancelPending: false,
      reason: null,
      refusal: null,
    },
    ...{ children: [], placed: true, parentOrderId: null, createdAt: 1, updatedAt: 1, ...more },
  };
}

const HERE = { platform: 1, symbolType: 'SWAP', symbol: 'BTCUSDT' } as const;
const ROWS = {
  orders: [
    order('here'),
    order('other symbol', { symbol: 'ETHUSDT' }),
    order('other exchange', { exchange: 2 }),
    order('pair', { symbolType: 'SPOT' }),
  ],
  algos: [
    algo('opens'),
    algo('whole', { quantity: null }),
    algo('reduces', { exchange: 2, reduceOnly: true }),
    algo('of a pair', { symbolType: 'SPOT' }),
  ],
};

test('an order of an iceberg is left to the iceberg, until that is ending', () => {
  const orders = [order('slice', { icebergId: 'berg' }), order('of one that is over', { icebergId: 'gone' })];
  const found = (state: AlgoRow['state']) =>
    cancellableIn('all', HERE, { orders, algos: [algo('berg', { algoType: 'iceberg', state })] }).map(
      ({ key }) => key,
    );
  expect(found('waiting')).toEqual(['order of one that is over', 'algo berg']);
  expect(found('firing')).toEqual(['order slice', 'order of one that is over', 'algo berg']);
});

test.each([
  ['symbol', ['here', 'opens', 'whole']],
  ['venue', ['here', 'other symbol', 'opens', 'whole']],
  ['all', ['here', 'other symbol', 'other exchange', 'opens', 'whole', 'reduces']],
] as const)('the reach %s has these and no others', (reach, expected) => {
  const found = cancellableIn(reach, HERE, ROWS).map(({ key }) => key.replace(/^\w+ /, ''));
  expect(found).toEqual(expected);
});

test('what rests, what waits to open and what protects are counted apart', () => {
  const kinds = cancellableIn('all', HERE, ROWS).map(({ kind }) => kind);
  expect(kinds).toEqual(['limit', 'limit', 'limit', 'conditional', 'targets', 'targets']);
});

test.each([
  [ORDER_STATUS.CANCELLED, 'cancelled'],
  [ORDER_STATUS.FILLED, 'filled'],
] as const)('an order that was asked to be cancelled and ended %i is said to be %s', (status, is) => {
  const row = order(`ends ${is}`);
  const [found] = cancellableIn('symbol', HERE, { orders: [row], algos: [] });
  if (found === undefined) throw new Error('nothing to cancel');
  expect(outcomeNow(found, { is: 'asked' })).toEqual({ is: 'asked' });
  applyOrder({ ...row, status, updatedAt: 1 });
  expect(outcomeNow(found, { is: 'unknown' })).toEqual({ is });
});

test.each([
  ['fired', 'fired'],
  ['cancelled', 'cancelled'],
] as const)('one that waited and ended %s is said to be so', (state, is) => {
  const row = algo(`ends ${state}`);
  const [found] = cancellableIn('symbol', HERE, { orders: [], algos: [row] });
  if (found === undefined) throw new Error('nothing to cancel');
  applyAlgo({ ...row, state, updatedAt: 2 });
  expect(outcomeNow(found, { is: 'refused', why: 'late' })).toEqual({ is });
});

test.each([
  [{ reduceOnly: true }, true],
  [{ reduceOnly: false }, false],
  [{ effect: 1, side: 2 }, true],
  [{ effect: 1, side: 1 }, false],
  [{ effect: 2, side: 1 }, true],
  [{ effect: 2, side: 2 }, false],
] as const)('an order of %o closes: %s', (more, expected) => {
  const row = order('one', more);
  expect(closes(row)).toBe(expected);
  expect(openingOrders([row], [1], undefined)).toHaveLength(expected ? 0 : 1);
  expect(openingOrders([row], [2], undefined)).toEqual([]);
  expect(openingOrders([row], [1], 'ETHUSDT')).toEqual([]);
});

test('orders of an exchange are cancelled by one call that names them, and each says what became of it', async () => {
  const asked: (readonly [string, Record<string, string>])[] = [];
  const refused = { outcome: 'refused', order: null, reason: 'No such key.', venueCode: '50113' };
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push([
      String(url).replace(/^.*\/api\//, ''),
      Object.fromEntries(new URLSearchParams(String(init.body))),
    ]);
    if (!String(url).endsWith('CancelAll'))
      return Response.json({ code: 1006, msg: 'Not known.', data: null });
    const data = [
      { orderId: 'ends', outcome: 'cancelled', order: null, reason: null, venueCode: null },
      { orderId: 'refused', ...refused },
      { orderId: 'asked', outcome: 'pending', order: null, reason: null, venueCode: null },
    ];
    return Response.json({ code: 1, msg: '', data });
  });
  const config = { hosts: { own: 'http://hub.test' }, tenant: 'crossbook' } as unknown as BootConfig;
  bootStore.setState({ status: 'ready', config }, true);
  const orders = [
    ...['ends', 'refused', 'asked'].map((id) => order(id)),
    order('alone', { exchange: 2 }),
    order('left out', { exchange: 3 }),
  ];
  const rows = cancellableIn('all', HERE, { orders, algos: [] }).slice(0, 4);
  const outcomes: Record<string, unknown> = {};
  await cancelRows(rows, ({ key }, outcome) => {
    outcomes[key] = outcome;
  });
  vi.unstubAllGlobals();
  expect(outcomes).toEqual({
    'order ends': { is: 'asked' },
    'order refused': { is: 'refused', why: 'No such key.', code: '50113' },
    'order asked': { is: 'asked' },
    'order alone': { is: 'refused', why: 'Not known.', code: undefined },
  });
  expect(asked).toEqual([
    [
      'connextrade/CancelAll',
      expect.objectContaining({ platformType: '43', orderIds: '["ends","refused","asked"]' }),
    ],
    ['connextrade/CancelOrder', expect.objectContaining({ platformType: '41', orderId: 'alone' })],
  ]);
});

test('what waits is asked for a few at a time, and each says what became of it', async () => {
  let under = 0;
  const seen: number[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    expect(String(url)).toMatch(/CancelAlgoOrder$/);
    const algoId = new URLSearchParams(String(init.body)).get('algoId') ?? '';
    under += 1;
    seen.push(under);
    await new Promise((done) => setImmediate(done));
    under -= 1;
    return algoId === 'w3'
      ? Response.json({ code: 1006, msg: 'Not known.', data: null })
      : Response.json({ code: 1, msg: '', data: algo(algoId, { cancelPending: true }) });
  });
  const config = { hosts: { own: 'http://hub.test' }, tenant: 'crossbook' } as unknown as BootConfig;
  bootStore.setState({ status: 'ready', config }, true);
  const algos = Array.from({ length: 12 }, (_row, at) => algo(`w${at}`));
  const outcomes: Record<string, unknown> = {};
  await cancelRows(cancellableIn('all', HERE, { orders: [], algos }), ({ key }, outcome) => {
    outcomes[key] = outcome;
  });
  vi.unstubAllGlobals();
  expect(Math.max(...seen)).toBe(5);
  expect(outcomes).toEqual({
    ...Object.fromEntries(algos.map(({ algoId }) => [`algo ${algoId}`, { is: 'asked' }])),
    'algo w3': { is: 'refused', why: 'Not known.', code: undefined },
  });
});
