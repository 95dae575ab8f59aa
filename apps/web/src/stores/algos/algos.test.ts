import type { AlgoRow } from '@crossbook/contract';
import { expect, test } from 'vitest';
import { alarmsStore } from '../app/alarms.ts';
import { noticesStore } from '../app/notices.ts';
import { algosStore, applyAlgo } from './algos.ts';

const ROW: AlgoRow = {
  ...{
    algoId: 'a1',
    exchange: 1,
    symbolType: 'SWAP',
    symbol: 'BTCUSDT',
    side: 2,
    effect: 0,
    reduceOnly: true,
  },
  ...{
    marginMode: 'cross',
    leverage: 20,
    algoType: 'stop',
    takeProfit: null,
    trailing: null,
    iceberg: null,
    executed: null,
    timeInForce: 1,
  },
  stopLoss: { triggerPrice: '58000', triggerBy: 'last', price: null },
  ...{
    quantity: '0.1',
    state: 'waiting',
    unknown: false,
    cancelPending: false,
    reason: null,
    refusal: null,
    children: [],
  },
  ...{ placed: true, parentOrderId: null, createdAt: 1, updatedAt: 1 },
};

const lastNotice = () => noticesStore.getState().notices.at(-1);

test('one that waits is kept, an older row changes nothing, and its end takes it away for good', () => {
  applyAlgo({ ...ROW, updatedAt: 3 });
  applyAlgo({ ...ROW, updatedAt: 2, quantity: '9' });
  expect(algosStore.getState().open.get('a1')?.quantity).toBe('0.1');
  applyAlgo({ ...ROW, updatedAt: 4, state: 'fired' });
  expect(algosStore.getState()).toMatchObject({ open: new Map(), fired: 1 });
  expect(lastNotice()).toMatchObject({ tone: 'success', message: { id: 'algo.fired' } });
  applyAlgo({ ...ROW, updatedAt: 5 });
  expect(algosStore.getState().open.size).toBe(0);
});

test.each([
  ['refused', 'error', 'danger', 1],
  ['expired', 'warning', 'failed', 0],
  ['cancelledElsewhere', 'info', 'failed', 0],
] as const)(
  'one that ends %s is said so; only what protects nothing any more is an alarm',
  (said, tone, event, alarms) => {
    const state = said === 'cancelledElsewhere' ? 'cancelled' : said;
    const before = alarmsStore.getState().count;
    const algoId = `end ${state}`;
    applyAlgo({ ...ROW, algoId, state, reason: 'Margin is insufficient.' });
    expect(lastNotice()).toMatchObject({ tone, message: { id: `algo.${said}` } });
    expect(lastNotice()?.event).toBe(event);
    expect(alarmsStore.getState().count - before).toBe(alarms);
  },
);

test('one that was refused at once is answered by its call; a leg that the hub could not place is an alarm', () => {
  const refused = { state: 'refused', updatedAt: 2, reason: 'There is one already.' } as const;
  const said = (algoId: string, parentOrderId: string | null) => {
    const before = noticesStore.getState().notices.length;
    applyAlgo({ ...ROW, algoId, parentOrderId, state: 'placing' });
    applyAlgo({ ...ROW, algoId, parentOrderId, ...refused });
    return noticesStore.getState().notices.slice(before);
  };
  const alarms = alarmsStore.getState().count;
  expect(said('r1', null)).toEqual([]);
  expect(alarmsStore.getState().count).toBe(alarms);
  expect(said('r2', 'an order')).toMatchObject([{ message: { id: 'algo.notPlaced' }, event: 'danger' }]);
  expect(alarmsStore.getState().count).toBe(alarms + 1);
  // What all that waits is known of, and this is not among it, never stood.
  algosStore.setState({ status: { 1: 'ready' } });
  const before = noticesStore.getState().notices.length;
  applyAlgo({ ...ROW, algoId: 'r3', ...refused });
  expect(noticesStore.getState().notices).toHaveLength(before);
});
