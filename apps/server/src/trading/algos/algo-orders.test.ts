import { amount, type OrderId, type VenueClientId, venueClientId } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { openedForEach } from '../../../../../tests/opened.ts';
import type { CrashPoint } from '../ports.ts';
import { CALLER, CANCELLED, until } from '../trading-world.fixture.ts';
import { openAlgoWorld, placeStop } from './algo-world.fixture.ts';

const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
const CLIENT = venueClientId(ID);
const algo = openedForEach(openAlgoWorld);

const stored = () => algo.world.deps.algos.byId(ID);
const state = async () => (await stored())?.state;
const fills = async () => {
  const page = await algo.world.orders.fills(CALLER.user, 1, { limit: 10 });
  return page.rows.map(({ tradeId }) => tradeId);
};
const restarted = () => algo.world.restarted();
const stream = () => {
  const handlers = algo.world.venue.streams.at(-1);
  if (handlers === undefined) throw new Error('no stream');
  return handlers;
};
const tell = (clientId: VenueClientId = CLIENT) => {
  const kept = algo.venue.kept.get(clientId);
  if (kept !== undefined) stream().onAlgo?.(kept.state);
};
const tellChild = (clientId: VenueClientId = CLIENT) => {
  const kept = algo.venue.kept.get(clientId);
  if (kept === undefined) return;
  const [fill] = kept.fills;
  stream().onOrder({ state: algo.venue.orderOf(kept), ...(fill === undefined ? {} : { fill }) });
};
const settled = async () => {
  const child = (await stored())?.childId;
  return child !== undefined && (await algo.world.order(child)).settled;
};
const SOLD = { BTC: '1', USDT: '389.91' };

describe('a stop on a pair', () => {
  test('is refused by the field of what its exchange has not, before money is held or anything sent', async () => {
    const limit = { clientId: ID, price: amount('89') };
    expect(await placeStop(algo, { ...limit, timeInForce: 4 })).toMatchObject({
      ok: false,
      code: { error: 'algo-not-offered', field: 'timeInForce', given: 'Binance' },
    });
    expect(await placeStop(algo, { clientId: ID, triggerBy: 'mark' })).toMatchObject({
      ...{ ok: false, code: { error: 'algo-not-offered', field: 'triggerBy' } },
    });
    expect(await algo.world.wallet()).toEqual({ BTC: '2', USDT: '300' });
    expect([await stored(), algo.venue.kept.size]).toEqual([undefined, 0]);
  });

  test('holds from its placement, fires, and its child is booked once, whoever tells first', async () => {
    expect(await placeStop(algo, { clientId: ID })).toMatchObject({
      ok: true,
      value: { algoId: ID, state: 'waiting', quantity: '1', stopLoss: { triggerPrice: '90', price: null } },
    });
    expect(await algo.world.wallet()).toEqual({ BTC: '2 (1 held)', USDT: '300' });
    algo.venue.fire(CLIENT, '1');
    tellChild();
    tell();
    tellChild();
    await until(settled);
    expect(await state()).toBe('fired');
    expect(await fills()).toHaveLength(1);
    expect(await algo.world.wallet()).toEqual(SOLD);
    expect(algo.world.incidents).toEqual([]);
    const rows = await algo.world.desk.handlers['connextrade/CurAlgoOrderList'](CALLER, {});
    expect(rows).toEqual({ ok: true, value: [] });
  });

  test('that is firing is shown so, does not wait again by late word of before, and becomes its child', async () => {
    await placeStop(algo, { clientId: ID });
    const kept = algo.venue.kept.get(CLIENT);
    if (kept === undefined) throw new Error('it was placed');
    const before = kept.state;
    kept.state = { ...before, status: 'firing' };
    tell();
    await until(async () => (await state()) === 'firing');
    stream().onAlgo?.(before);
    await algo.world.pass(5_000, 500);
    expect(await state()).toBe('firing');
    const rows = await algo.world.desk.handlers['connextrade/CurAlgoOrderList'](CALLER, {});
    expect(rows).toMatchObject({ ok: true, value: [{ algoId: ID, state: 'firing' }] });
    expect(await algo.world.wallet()).toEqual({ BTC: '2 (1 held)', USDT: '300' });
    algo.venue.fire(CLIENT, '1');
    tell();
    await until(settled);
    expect([await state(), await algo.world.wallet()]).toEqual(['fired', SOLD]);
  });

  test('a child that rests takes the hold over, and gives back what it does not need', async () => {
    await placeStop(algo, { clientId: ID, price: amount('89') });
    algo.venue.fire(CLIENT, '0.4');
    tell();
    await until(async () => (await stored())?.childId !== undefined);
    await until(async () => (await fills()).length === 1);
    expect(await algo.world.wallet()).toEqual({ BTC: '1.6 (0.6 held)', USDT: '335.91' });
  });

  test('a child that has no name of ours is cancelled by the id of the venue', async () => {
    algo.venue.childClientId = () => '';
    await placeStop(algo, { clientId: ID, price: amount('89') });
    const kept = algo.venue.fire(CLIENT, '0.4');
    tell();
    await until(async () => (await fills()).length === 1);
    const asked: unknown[] = [];
    algo.world.venue.answers.cancelByVenueId = async (_credentials, _instrument, id) => {
      asked.push(id);
      return { outcome: 'cancelled', state: { ...algo.venue.orderOf(kept), status: CANCELLED } };
    };
    const orderId = (await stored())?.childId;
    const caller = { ...CALLER, now: algo.world.time.clock() };
    const cancelled = await algo.world.desk.handlers['connextrade/CancelOrder'](caller, {
      ...{ platformType: 43, orderId },
    } as never);
    expect(cancelled).toMatchObject({ ok: true, value: { status: CANCELLED } });
    expect(asked).toEqual([kept.state.child?.venueOrderId]);
    await until(settled);
    expect(await algo.world.wallet()).toEqual({ BTC: '1.6', USDT: '335.91' });
  });

  test('is refused before anything is held where it would fire at once or too much is asked', async () => {
    const refused = async (part: Readonly<Record<string, unknown>>) => {
      const answer = await placeStop(algo, part);
      return answer.ok ? 'taken' : [answer.code.error, answer.code.field];
    };
    expect(await refused({ triggerPrice: amount('101') })).toEqual(['trigger-at-once', 'triggerPrice']);
    expect(await refused({ takeProfit: amount('120') })).toEqual(['order-combination', 'takeProfit']);
    expect(await refused({ quantity: undefined, whole: true })).toEqual(['order-combination', 'whole']);
    expect(await refused({ quantity: amount('3') })).toEqual(['balance-insufficient', undefined]);
    expect(await refused({ marginMode: 'cross' })).toEqual(['order-combination', undefined]);
    expect(algo.venue.calls).toEqual([]);
    expect(await algo.world.wallet()).toEqual({ BTC: '2', USDT: '300' });
  });

  test('no more wait than the venue takes', async () => {
    for (let at = 0; at < 5; at += 1)
      expect(await placeStop(algo, { quantity: amount('0.1') })).toMatchObject({ ok: true });
    expect(await placeStop(algo, { quantity: amount('0.1') })).toMatchObject({
      ok: false,
      code: { error: 'too-many-open-orders', allowed: '5' },
    });
  });

  test('the same request again is the same order, another under its id is refused', async () => {
    await placeStop(algo, { clientId: ID });
    expect(await placeStop(algo, { clientId: ID })).toMatchObject({ ok: true, value: { algoId: ID } });
    expect(await placeStop(algo, { clientId: ID, quantity: amount('0.5') })).toMatchObject({
      ok: false,
      code: { error: 'client-id-reused' },
    });
    expect(algo.venue.kept.size).toBe(1);
  });

  test('a refusal of the venue frees the hold and is told in its words', async () => {
    algo.venue.next = ['refused'];
    const refused = { ok: false, code: { error: 'venue-refused', given: '-2010', venueCode: '-2010' } };
    expect(await placeStop(algo, { clientId: ID })).toMatchObject(refused);
    expect(await placeStop(algo, { clientId: ID })).toMatchObject(refused);
    expect(await algo.world.wallet()).toEqual({ BTC: '2', USDT: '300' });
  });
});

const BUY = { side: 1, triggerPrice: amount('110') };
const PAIR = { algoType: 'oco', triggerPrice: undefined };
test.each([
  ['a stop that sells', {}, 'BTC', '2 (1 held)'],
  ['a target that sells', { algoType: 'take-profit', triggerPrice: amount('110') }, 'BTC', '2 (1 held)'],
  ['a stop that buys, above its trigger', BUY, 'USDT', '300 (115.5 held)'],
  ['one that buys at a limit', { ...BUY, price: amount('112') }, 'USDT', '300 (112 held)'],
  [
    'a pair that sells, once',
    { ...PAIR, takeProfitPrice: amount('120'), stopLoss: amount('90') },
    ...(['BTC', '2 (1 held)'] as const),
  ],
  [
    'a pair that buys, once, at the stop where it is dearer',
    {
      ...PAIR,
      side: 1,
      takeProfitPrice: amount('90'),
      stopLoss: amount('110'),
      stopLossPrice: amount('111'),
    },
    ...(['USDT', '300 (111 held)'] as const),
  ],
  [
    'a pair that buys, once, at the target where it is dearer',
    { ...PAIR, side: 1, takeProfitPrice: amount('95'), stopLoss: amount('110'), stopLossPrice: amount('94') },
    ...(['USDT', '300 (95 held)'] as const),
  ],
] as const)('%s holds from its placement, and nothing once it is cancelled', async (_, part, asset, held) => {
  expect(await placeStop(algo, { clientId: ID, ...part })).toMatchObject({ ok: true });
  expect((await algo.world.wallet())[asset]).toBe(held);
  const cancel = { platformType: 43, algoId: ID } as const;
  const answer = await algo.world.desk.handlers['connextrade/CancelAlgoOrder'](CALLER, cancel);
  expect(answer).toMatchObject({ ok: true, value: { state: 'cancelled' } });
  expect(await algo.world.wallet()).toEqual({ BTC: '2', USDT: '300' });
});

describe('an answer that is lost', () => {
  test('is found by a lookup; what never arrived is proved and freed', async () => {
    algo.venue.next = ['lost'];
    expect(await placeStop(algo, { clientId: ID })).toMatchObject({ ok: true, value: { unknown: true } });
    await algo.world.pass(2_000);
    expect(await stored()).toMatchObject({ state: 'waiting', unknown: false });
    algo.venue.next = ['dropped'];
    const other = await placeStop(algo, { quantity: amount('0.5') });
    const id = other.ok ? other.value.algoId : '';
    await algo.world.pass(10_000);
    expect(await algo.world.wallet()).toEqual({ BTC: '2 (1.5 held)', USDT: '300' });
    await algo.world.pass(90_000, 2_000);
    expect(await algo.world.deps.algos.byId(id as OrderId)).toMatchObject({
      state: 'refused',
      reason: 'the exchange never received it',
    });
    expect(await algo.world.wallet()).toEqual({ BTC: '2 (1 held)', USDT: '300' });
  });

  test('of a cancel: what fired instead is found, never taken for cancelled', async () => {
    await placeStop(algo, { clientId: ID });
    algo.venue.fire(CLIENT, '1');
    const cancel = { platformType: 43, algoId: ID } as const;
    const answer = await algo.world.desk.handlers['connextrade/CancelAlgoOrder'](CALLER, cancel);
    expect(answer).toMatchObject({ ok: true, value: { state: 'waiting', cancelPending: true } });
    await algo.world.pass(2_000);
    expect(await state()).toBe('fired');
    expect(await algo.world.wallet()).toEqual(SOLD);
  });
});

/** Where a process may die, and the money is right after the next has started. */
const POINTS: readonly CrashPoint[] = [
  ...(['before-hold', 'after-hold', 'after-send', 'after-answer'] as const),
  ...(['before-child', 'after-child', 'before-post', 'after-post'] as const),
];
describe.each(POINTS)('a process that dies at %s', (point) => {
  test('leaves nothing that the next does not find: booked once, nothing held', async () => {
    const { world, venue } = algo;
    world.diesAt(point);
    await placeStop(algo, { clientId: ID }).catch(() => undefined);
    if (venue.kept.has(CLIENT)) venue.fire(CLIENT, '1');
    if (!world.dead) tell();
    if (!world.dead) await until(() => world.dead);
    await world.desk.stop();
    await restarted();
    await world.pass(100_000, 2_000);
    const sold = venue.kept.has(CLIENT);
    expect(await world.wallet()).toEqual(sold ? SOLD : { BTC: '2', USDT: '300' });
    expect(await fills()).toHaveLength(sold ? 1 : 0);
    expect(await state()).toBe(sold ? 'fired' : point === 'before-hold' ? undefined : 'refused');
  });
});

test('what fired while nobody listened is found by the venue list', async () => {
  await placeStop(algo, { clientId: ID });
  await algo.world.desk.stop();
  algo.venue.fire(CLIENT, '1');
  await restarted();
  await algo.world.pass(5_000);
  expect(await state()).toBe('fired');
  expect(await algo.world.wallet()).toEqual(SOLD);
});

describe('a change', () => {
  const replace = (part: Readonly<Record<string, unknown>>) =>
    algo.world.desk.handlers['connextrade/ReplaceAlgoOrder'](CALLER, {
      ...{ platformType: 43, algoId: ID, ...part },
    } as never);
  const again = () => [...algo.venue.kept.values()].filter(({ state: { status } }) => status === 'waiting');

  test('where the venue amends nothing is a cancel and a new placement under the same id', async () => {
    await placeStop(algo, { clientId: ID });
    const changedRow = { algoId: ID, state: 'waiting', quantity: '0.5', stopLoss: { triggerPrice: '85' } };
    expect(await replace({ triggerPrice: amount('85'), quantity: amount('0.5') })).toMatchObject({
      ok: true,
      value: changedRow,
    });
    expect(again()).toHaveLength(1);
    expect(await algo.world.wallet()).toEqual({ BTC: '2 (0.5 held)', USDT: '300' });
    const [kept] = again();
    algo.venue.fire(kept?.request.clientId ?? CLIENT, '0.5');
    tell(kept?.request.clientId);
    await until(settled);
    expect(await algo.world.wallet()).toEqual({ BTC: '1.5', USDT: '344.91' });
  });

  test('whose second half is refused puts back what was there, with its hold, and says so', async () => {
    await placeStop(algo, { clientId: ID });
    algo.venue.next = ['done', 'refused'];
    expect(await replace({ triggerPrice: amount('85'), quantity: amount('0.5') })).toMatchObject({
      ok: false,
      code: { error: 'replaced-back', given: '-2010', venueCode: '-2010' },
    });
    expect(algo.venue.calls.slice(-3)).toEqual(['cancel', 'place', 'place']);
    expect(await stored()).toMatchObject({ state: 'waiting', attempt: 2, quantity: amount('1') });
    expect(await algo.world.wallet()).toEqual({ BTC: '2 (1 held)', USDT: '300' });
    const [kept] = again();
    expect(kept?.request).toMatchObject({
      quantity: amount('1'),
      plan: { leg: { trigger: { price: amount('90') } } },
    });
    algo.venue.fire(kept?.request.clientId ?? CLIENT, '1');
    tell(kept?.request.clientId);
    await until(settled);
    expect(await algo.world.wallet()).toMatchObject({ BTC: '1' });
  });

  test('for which the money was spent on the way puts back what was there', async () => {
    await placeStop(algo, { clientId: ID });
    const { cancel } = algo.venue;
    Object.assign(algo.venue, {
      cancel: async (...given: Parameters<typeof cancel>) => {
        const answer = await cancel(...given);
        await placeStop(algo, { quantity: amount('1') });
        return answer;
      },
    });
    expect(await replace({ quantity: amount('2') })).toMatchObject({
      ok: false,
      code: { error: 'replaced-back', given: 'the balance did not suffice' },
    });
    expect(await stored()).toMatchObject({ state: 'waiting', quantity: amount('1') });
    expect(again()).toHaveLength(2);
    expect(await algo.world.wallet()).toEqual({ BTC: '2 (2 held)', USDT: '300' });
  });

  test('of which neither half nor what was there is taken says so, and nothing is held', async () => {
    await placeStop(algo, { clientId: ID });
    algo.venue.next = ['done', 'refused', 'refused'];
    expect(await replace({ triggerPrice: amount('85') })).toMatchObject({
      ok: false,
      code: { error: 'replaced-half', given: '-2010; -2010' },
    });
    expect(await state()).toBe('refused');
    expect(await algo.world.wallet()).toEqual({ BTC: '2', USDT: '300' });
  });

  test('whose way back is lost is looked up: it waits once, held once', async () => {
    await placeStop(algo, { clientId: ID });
    algo.venue.next = ['done', 'refused', 'lost'];
    expect(await replace({ triggerPrice: amount('85') })).toMatchObject({
      ok: true,
      value: { unknown: true },
    });
    await algo.world.pass(3_000);
    expect(await stored()).toMatchObject({ state: 'waiting', unknown: false });
    expect(again()).toHaveLength(1);
    expect(await algo.world.wallet()).toEqual({ BTC: '2 (1 held)', USDT: '300' });
  });

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['nothing', {}, 'order-combination'],
    ['what would fire at once', { triggerPrice: amount('101') }, 'trigger-at-once'],
    ['what another kind has', { trailingRatio: amount('0.01') }, 'order-combination'],
    ['more than there is', { quantity: amount('3') }, 'balance-insufficient'],
  ])('to %s leaves it as it is', async (_claim, part, error) => {
    await placeStop(algo, { clientId: ID });
    expect(await replace(part)).toMatchObject({ ok: false, code: { error } });
    expect(again()).toHaveLength(1);
    expect(await algo.world.wallet()).toEqual({ BTC: '2 (1 held)', USDT: '300' });
  });

  test('whose cancel is lost puts back what was there once it is found, held once', async () => {
    await placeStop(algo, { clientId: ID });
    algo.venue.next = ['lost'];
    expect(await replace({ triggerPrice: amount('85') })).toMatchObject({
      ok: true,
      value: { cancelPending: true },
    });
    await algo.world.pass(3_000);
    await algo.world.pass(3_000);
    expect(await stored()).toMatchObject({ state: 'waiting', cancelPending: false, quantity: amount('1') });
    expect(again()).toHaveLength(1);
    expect(await algo.world.wallet()).toEqual({ BTC: '2 (1 held)', USDT: '300' });
  });
});

test('the history has them newest first, page by page', async () => {
  for (let at = 0; at < 3; at += 1) {
    algo.world.time.advance(10);
    await placeStop(algo, { quantity: amount(`0.${at + 1}`) });
  }
  const page = (cursor?: string) =>
    algo.world.desk.handlers['connextrade/AlgoOrderHistory'](CALLER, {
      ...{ platformType: 43, tinstType: 1, symbol: 'BTCUSDT', limit: 2 },
      ...(cursor === undefined ? {} : { cursor }),
    } as never);
  const first = await page();
  const second = first.ok ? await page(first.value.next) : first;
  const sizes = [first, second].map((one) => (one.ok ? one.value.rows.map(({ quantity }) => quantity) : []));
  expect(sizes).toEqual([['0.3', '0.2'], ['0.1']]);
});

test.each([
  ['everything of its own', {}, 1],
  ['an exchange', { platformType: 43 }, 1],
  ['another exchange', { platformType: 41 }, 0],
  ['a type of market', { tinstType: 1 }, 1],
  ['another type of market', { tinstType: 2 }, 0],
  ['a symbol', { symbol: 'BTCUSDT' }, 1],
  ['another symbol', { symbol: 'ETHUSDT' }, 0],
] as const)('the list and the history are narrowed to %s: %j', async (_, filter, count) => {
  await placeStop(algo, { clientId: ID });
  const { handlers } = algo.world.desk;
  const counted = async (caller: typeof CALLER) => {
    const listed = await handlers['connextrade/CurAlgoOrderList'](caller, filter);
    const page = await handlers['connextrade/AlgoOrderHistory'](caller, { ...filter, limit: 5 } as never);
    return [listed.ok && listed.value.length, page.ok && page.value.rows.length];
  };
  expect(await counted(CALLER)).toEqual([count, count]);
  expect(await counted({ ...CALLER, user: 99 as never })).toEqual([0, 0]);
});
