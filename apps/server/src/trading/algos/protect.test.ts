import {
  type Amount,
  amount,
  type OrderId,
  type PositionSide,
  SIDE,
  type VenueAlgoState,
  type VenuePosition,
} from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PerpsWorld, placeContractOrder } from '../perps/perps-world.fixture.ts';
import type { CrashPoint } from '../ports.ts';
import { CALLER, CANCELLED, FILLED, fillOf, OPEN, PART, stateOf, until } from '../trading-world.fixture.ts';
import type { AlgoVenue } from './algo-world.fixture.ts';
import { barePositions, bothStand, ID, legStates, openLegsWorld, TARGETS } from './legs-world.fixture.ts';

let perps: PerpsWorld;
let venue: AlgoVenue;
beforeEach(async () => {
  ({ perps, venue } = await openLegsWorld());
});
afterEach(() => perps.world.close());

const legs = () => perps.world.deps.algos.ofParent(ID);
const states = () => legStates(perps);
const standing = () => bothStand(perps);
const bare = (desk = perps.world.desk) => barePositions(desk);
const restarted = () => perps.world.restarted();
const waitingAtVenue = (): readonly VenueAlgoState[] =>
  [...venue.kept.values()].map(({ state }) => state).filter(({ status }) => status === 'waiting');

describe('an order that brings targets along', () => {
  test('has both legs once it has filled, and is protected', async () => {
    expect(await placeContractOrder(perps, TARGETS)).toMatchObject({ ok: true, value: { status: FILLED } });
    await standing();
    expect(await bare()).toEqual([false]);
    const sent = [...venue.kept.values()].map(({ request }) => request);
    for (const { side, quantity, contract } of sent) {
      expect([side, quantity, contract?.reduceOnly]).toEqual([SIDE.SELL, amount('1'), true]);
    }
  });

  test('never leaves both: what one leg closed the other does not', async () => {
    await placeContractOrder(perps, TARGETS);
    await standing();
    const [target] = [...venue.kept.values()].filter(({ request }) => request.plan.kind === 'take-profit');
    if (target === undefined) throw new Error('no target');
    const { venueOrderId: _own, ...fill } = perps.venue.trade(SIDE.SELL, amount('1'));
    venue.fire(target.request.clientId, '1', fill);
    perps.world.venue.streams.at(-1)?.onAlgo?.(target.state);
    await until(async () => (await states()).join() === 'stop cancelled,take-profit fired');
    expect(waitingAtVenue()).toEqual([]);
    await until(async () => (await perps.world.deps.contracts.booked(CALLER as never)).length === 0);
  });

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['a target below a buy', { takeProfit: amount('90'), stopLoss: undefined }, 'targets-above-below'],
    ['a stop above a buy', { stopLoss: amount('110') }, 'targets-above-below'],
    [
      'a target above a sell',
      { side: SIDE.SELL, takeProfit: amount('120'), stopLoss: undefined },
      'targets-below-above',
    ],
    ['a price off its step', { takeProfit: amount('120.05') }, 'price-step'],
    ['what closes', { side: SIDE.SELL, reduceOnly: true }, 'order-combination'],
    ['an index trigger', { stopLossBy: 'index' }, 'algo-not-offered'],
  ])('is refused with %s, and nothing is sent', async (_claim, part, error) => {
    const answer = await placeContractOrder(perps, { ...TARGETS, ...part });
    expect(answer).toMatchObject({ ok: false, code: { error } });
    expect(perps.venue.sent).toEqual([]);
  });

  test('a leg that is refused is told, and the position shows it', async () => {
    venue.next = ['refused'];
    await placeContractOrder(perps, TARGETS);
    await until(async () => (await states()).join() === 'stop refused,take-profit waiting');
    // One in the other margin mode beside it is another position, which nothing was asked for.
    const cross = perps.venue.open.get(0) as VenuePosition;
    perps.venue.open.set(9 as PositionSide, { ...cross, marginMode: 'isolated' });
    perps.world.venue.streams[0]?.onOpen();
    await perps.world.pass(12_000, 1_000);
    expect(await bare()).toEqual([true, false]);
    const reported = perps.world.published.map(({ event }) => event);
    expect(reported).toContainEqual({
      kind: 'algo',
      algo: expect.objectContaining({
        state: 'refused',
        reason: null,
        refusal: { cause: null, venueCode: '-2010' },
        // It has not fired: the exchange never took it.
        placed: false,
      }),
    });
  });
});

/** How a call is answered for which our own budget has no room. */
const FULL = {
  outcome: 'refused',
  venueCode: 'LOCAL_RATE_LIMITED',
  message: 'full',
  retryAfterMillis: 1_000,
};

describe('a leg that does not get to the exchange', () => {
  test('is placed again once that is proved, and the position is bare until then', async () => {
    venue.next = ['dropped'];
    await placeContractOrder(perps, TARGETS);
    await until(async () => (await states()).join() === 'stop placing,take-profit waiting');
    expect(await bare()).toEqual([true]);
    await perps.world.pass(120_000, 1_000);
    expect(await states()).toEqual(['stop waiting', 'take-profit waiting']);
    expect(await bare()).toEqual([false]);
    expect(waitingAtVenue()).toHaveLength(2);
    // Each under an id of its own, and nothing was asked twice by one.
    expect(venue.calls.filter((call) => call === 'place')).toHaveLength(3);
  });

  test('is not placed again where the other one has worked meanwhile', async () => {
    venue.next = ['dropped'];
    await placeContractOrder(perps, TARGETS);
    await until(async () => (await states()).join() === 'stop placing,take-profit waiting');
    const [target] = [...venue.kept.values()];
    if (target === undefined) throw new Error('no target');
    const { venueOrderId: _own, ...fill } = perps.venue.trade(SIDE.SELL, amount('1'));
    venue.fire(target.request.clientId, '1', fill);
    perps.world.venue.streams.at(-1)?.onAlgo?.(target.state);
    await perps.world.pass(120_000, 1_000);
    expect((await states())[1]).toBe('take-profit fired');
    expect((await states())[0]).toMatch(/^stop (cancelled|refused)$/);
    expect(waitingAtVenue()).toEqual([]);
    expect(venue.calls.filter((call) => call === 'place')).toHaveLength(2);
  });

  test('for want of our budget, or of a connection, is sent once there is, however late', async () => {
    const { place } = venue;
    Object.assign(venue, { place: async () => FULL });
    await placeContractOrder(perps, TARGETS);
    await until(async () => (await states()).join() === 'stop placing,take-profit placing');
    await perps.world.desk.stop();
    perps.world.time.advance(3_600_000);
    const next = await restarted();
    await perps.world.pass(20_000, 1_000);
    Object.assign(perps.world.venue, { algos: undefined });
    await perps.world.pass(40_000, 1_000);
    expect(await states()).toEqual(['stop placing', 'take-profit placing']);
    expect(await bare(next)).toEqual([true]);
    Object.assign(venue, { place });
    Object.assign(perps.world.venue, { algos: venue });
    await perps.world.pass(30_000, 1_000);
    expect(await states()).toEqual(['stop waiting', 'take-profit waiting']);
    expect(await bare(next)).toEqual([false]);
  });

  test('and whose position is closed meanwhile is never sent', async () => {
    const { place } = venue;
    Object.assign(venue, { place: async () => FULL });
    await perps.world.desk.start();
    await placeContractOrder(perps, TARGETS);
    await until(async () => (await states()).join() === 'stop placing,take-profit placing');
    perps.world.time.advance(10);
    await placeContractOrder(perps, { side: SIDE.SELL, reduceOnly: true });
    // One whose answer is known at that moment has ended already.
    await until(async () =>
      (await legs()).every(({ cancelPending, state }) => cancelPending || state === 'cancelled'),
    );
    Object.assign(venue, { place });
    await perps.world.pass(120_000, 1_000);
    expect(await states()).toEqual(['stop cancelled', 'take-profit cancelled']);
    expect((await legs()).map(({ reason }) => reason)).toEqual(Array(2).fill('its position was closed'));
    expect(venue.kept.size).toBe(0);
  });
});

test('what pages hear of a position says whether it is protected, as its list does', async () => {
  const { world } = perps;
  venue.next = ['refused'];
  await placeContractOrder(perps, TARGETS);
  await until(async () => (await states()).join() === 'stop refused,take-profit waiting');
  const heard = () =>
    world.published.flatMap(({ event }) => (event.kind === 'position' ? [event.position.unprotected] : []));
  await world.pass(5_000);
  await until(() => heard().length > 0);
  expect(heard().at(-1)).toBe(true);
});

test('a position is not bare for what an order of the one before lacks, whenever that order ends', async () => {
  const { world, venue: exchange } = perps;
  const { place } = world.venue.answers;
  const before = '01890000-0000-7000-8000-00000000abce' as OrderId;
  const resting = { ...stateOf({ id: before, symbol: 'BTCUSDT' }, OPEN, '0'), time: exchange.now };
  world.venue.answers.place = async () => ({ outcome: 'accepted', state: resting, fills: [] });
  const asked = { ...TARGETS, clientId: before, orderType: 1, price: amount('100'), quantity: amount('2') };
  expect(await placeContractOrder(perps, asked)).toMatchObject({ ok: true });
  world.venue.answers.place = place as NonNullable<typeof place>;
  venue.next = ['refused'];
  const fill = exchange.trade(SIDE.BUY, amount('1'), { order: String(resting.venueOrderId) });
  const part = { cumulativeQuantity: amount('1'), cumulativeQuote: fill.quoteQuantity };
  world.venue.streams.at(-1)?.onOrder({ state: { ...resting, ...part, status: PART }, fill });
  const lacking = async () => (await world.deps.algos.ofParent(before)).map(({ state }) => state).sort();
  await until(async () => (await lacking()).join() === 'refused,waiting');
  expect(await bare()).toEqual([true]);
  world.time.advance(10);
  await placeContractOrder(perps, { side: SIDE.SELL, reduceOnly: true });
  await until(async () => (await lacking()).join() === 'cancelled,refused');
  world.time.advance(10);
  await placeContractOrder(perps, TARGETS);
  await standing();
  world.time.advance(10);
  const ended = { ...resting, ...part, status: CANCELLED, time: exchange.now };
  world.venue.streams.at(-1)?.onOrder({ state: ended });
  await until(async () => (await world.order(before)).settled);
  expect(await bare()).toEqual([false]);
});

test('what fills in parts has both legs of each part as it fills, and is bare until they stand', async () => {
  const { world, venue: exchange } = perps;
  const resting = { ...stateOf({ id: ID, symbol: 'BTCUSDT' }, OPEN, '0'), time: exchange.now };
  world.venue.answers.place = async () => ({ outcome: 'accepted', state: resting, fills: [] });
  const asked = { ...TARGETS, orderType: 1, price: amount('100'), quantity: amount('3') };
  expect(await placeContractOrder(perps, asked)).toMatchObject({ ok: true });
  const fills = (part: string, status: typeof PART | typeof FILLED) => {
    const fill = exchange.trade(SIDE.BUY, amount(part), { order: String(resting.venueOrderId) });
    const sum = (of: 'quantity' | 'quoteQuantity') =>
      exchange.fills.reduce((total, one) => total + one[of], 0n) as Amount;
    const cumulative = { cumulativeQuantity: sum('quantity'), cumulativeQuote: sum('quoteQuantity') };
    world.venue.streams.at(-1)?.onOrder({ state: { ...resting, ...cumulative, status }, fill });
  };
  fills('1', PART);
  await standing();
  expect(await bare()).toEqual([false]);
  venue.next = ['dropped'];
  fills('2', FILLED);
  await until(async () => (await states()).filter((state) => state.endsWith('waiting')).length === 3);
  expect([(await states())[0], await bare()]).toEqual(['stop placing', [true]]);
  await world.pass(120_000, 1_000);
  const [stop, target] = ['stop', 'take-profit'].map((kind) => `${kind} waiting`);
  expect([await states(), await bare()]).toEqual([[stop, stop, target, target], [false]]);
  const sizes = [...venue.kept.values()].map(({ request: { plan, quantity } }) => `${plan.kind} ${quantity}`);
  const [one, two] = [amount('1'), amount('2')];
  expect(sizes.sort()).toEqual([
    ...[`stop ${one}`, `stop ${two}`, `take-profit ${one}`, `take-profit ${two}`],
  ]);
});

const POINTS: readonly CrashPoint[] = ['before-legs', 'after-legs', 'before-post', 'after-post'];
describe.each(POINTS)('a process that dies at %s', (point) => {
  test('leaves a position that the next protects at once, by each leg once', async () => {
    perps.world.diesAt(point);
    await placeContractOrder(perps, TARGETS).catch(() => undefined);
    await until(() => perps.world.dead);
    await perps.world.desk.stop();
    perps.world.venue.answers.find = async (_credentials, _instrument, clientId) => {
      const fill = perps.venue.fills.find(({ venueOrderId }) => String(venueOrderId) === String(clientId));
      if (fill === undefined) return { outcome: 'not-found' };
      const state = stateOf({ id: ID, symbol: 'BTCUSDT' }, FILLED, '1', fill.venueOrderId);
      return { outcome: 'found', value: state };
    };
    perps.world.venue.answers.fillsOfOrder = async () => ({ ok: true, value: perps.venue.fills });
    const desk = await restarted();
    // Long before the first of the looks that come again and again.
    await perps.world.pass(3_000);
    await standing();
    expect(waitingAtVenue()).toHaveLength(2);
    expect(venue.kept.size).toBe(2);
    expect(await bare(desk)).toEqual([false]);
  });
});

test('a market buy of a pair is protected by one pair of legs that holds what arrived', async () => {
  const { world } = perps;
  await world.fund('USDT', '300');
  const fill = fillOf(1, '1');
  world.venue.answers.place = async () => ({
    outcome: 'accepted',
    state: stateOf({ id: ID, symbol: 'BTCUSDT' }, FILLED, '1'),
    fills: [fill],
  });
  world.best = { bid: amount('99.9'), ask: amount('100'), receivedAt: world.time.clock() };
  const order = { platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side: 1, orderType: 2, timeInForce: 1 };
  const asked = { ...order, quantity: amount('1'), ...TARGETS };
  await world.desk.handlers['connextrade/PlaceOrder']({ ...CALLER, now: world.time.clock() }, asked as never);
  await until(async () => (await states()).join() === 'oco waiting');
  const [kept] = [...venue.kept.values()];
  // A thousandth was the fee.
  expect(kept?.request.quantity).toBe((amount('1') - amount('0.001')) as Amount);
  expect(await world.wallet()).toEqual({ USDT: '200', BTC: '0.999 (0.999 held)' });
});

describe('orders whose targets were refused', () => {
  test('take no place from the next: what he fills is protected', async () => {
    for (let at = 0; at < 501; at += 1) {
      const wrong = { ...TARGETS, stopLoss: amount('110'), clientId: undefined };
      expect(await placeContractOrder(perps, wrong)).toMatchObject({
        code: { error: 'targets-above-below' },
      });
    }
    expect(await placeContractOrder(perps, TARGETS)).toMatchObject({ ok: true });
    await standing();
  });

  test('do not unwatch the order whose id they name', async () => {
    const { world, venue: exchange } = perps;
    const { place } = world.venue.answers;
    const resting = { ...stateOf({ id: ID, symbol: 'BTCUSDT' }, OPEN, '0'), time: exchange.now };
    world.venue.answers.place = async () => ({ outcome: 'accepted', state: resting, fills: [] });
    await placeContractOrder(perps, { ...TARGETS, orderType: 1, price: amount('100') });
    const again = await placeContractOrder(perps, { ...TARGETS, orderType: 1, price: amount('99') });
    expect(again).toMatchObject({ ok: false, code: { error: 'client-id-reused' } });
    world.venue.answers.place = place as NonNullable<typeof place>;
    const fill = exchange.trade(SIDE.BUY, amount('1'), { order: String(resting.venueOrderId) });
    const state = { ...resting, status: FILLED, cumulativeQuantity: amount('1') };
    world.venue.streams.at(-1)?.onOrder({ state: { ...state, cumulativeQuote: fill.quoteQuantity }, fill });
    await standing();
  });
});

test('no more than two hundred of a member wait at a venue, whatever they wait for', async () => {
  const stop = (tinstType: 1 | 2, part: Readonly<Record<string, unknown>> = {}) =>
    perps.world.desk.handlers['connextrade/PlaceAlgoOrder']({ ...CALLER, now: perps.world.time.clock() }, {
      ...{ platformType: 43, tinstType, symbol: 'BTCUSDT', side: SIDE.SELL, algoType: 'stop' },
      ...{ triggerPrice: amount('80'), quantity: amount('0.1'), timeInForce: 1 },
      ...part,
    } as never);
  perps.world.best = { bid: amount('99.9'), ask: amount('100'), receivedAt: perps.world.time.clock() };
  await perps.world.fund('BTC', '1');
  expect(await stop(1)).toMatchObject({ ok: true });
  const contract = { marginMode: 'cross', leverage: 10 };
  for (let at = 1; at < 200; at += 1) expect(await stop(2, contract)).toMatchObject({ ok: true });
  expect(await stop(2, contract)).toMatchObject({
    ok: false,
    code: { error: 'too-many-open-orders', allowed: '200' },
  });
});

describe('legs of a position that is over', () => {
  /** A fill that nobody's order sent: the hand of the exchange, or of another program. */
  const elsewhere = (
    side: typeof SIDE.BUY | typeof SIDE.SELL,
    cause: 'trade' | 'liquidation' | 'deleveraging',
  ) => {
    perps.world.time.advance(10);
    const fill = perps.venue.trade(side, amount('1'), { cause });
    const state = {
      ...stateOf({ id: ID, symbol: 'BTCUSDT' }, FILLED, '1', fill.venueOrderId),
      clientId: 'else',
    };
    perps.world.venue.streams.at(-1)?.onOrder({ state: state as never, fill });
  };
  const gone = () => until(async () => (await states()).join() === 'stop cancelled,take-profit cancelled');
  const reasons = async () => (await legs()).map(({ reason }) => reason);

  test('by hand are cancelled with it, and say why', async () => {
    await placeContractOrder(perps, TARGETS);
    await standing();
    perps.world.time.advance(10);
    const closing = { side: SIDE.SELL, reduceOnly: true };
    expect(await placeContractOrder(perps, closing)).toMatchObject({ ok: true, value: { status: FILLED } });
    await gone();
    expect(await reasons()).toEqual(['its position was closed', 'its position was closed']);
    expect(waitingAtVenue()).toEqual([]);
  });

  test.each(['trade', 'liquidation', 'deleveraging'] as const)('by a %s are cancelled too', async (cause) => {
    await placeContractOrder(perps, TARGETS);
    await standing();
    elsewhere(SIDE.SELL, cause);
    await gone();
    expect(waitingAtVenue()).toEqual([]);
  });

  test('by a flip are cancelled, and what protects the other side stays', async () => {
    await placeContractOrder(perps, TARGETS);
    await standing();
    perps.world.time.advance(10);
    const other = '01890000-0000-7000-8000-00000000abce' as OrderId;
    const flips = {
      side: SIDE.SELL,
      quantity: amount('2'),
      takeProfit: amount('80'),
      stopLoss: amount('120'),
    };
    expect(await placeContractOrder(perps, { ...flips, clientId: other })).toMatchObject({ ok: true });
    await gone();
    await until(async () => {
      const others = await perps.world.deps.algos.ofParent(other);
      return others.map(({ state, side }) => `${state} ${side}`).join() === 'waiting 1,waiting 1';
    });
    expect(waitingAtVenue()).toHaveLength(2);
  });

  test('while this process was away are found by the next one, and a new position keeps its own', async () => {
    await placeContractOrder(perps, TARGETS);
    await standing();
    await perps.world.desk.stop();
    perps.world.time.advance(10);
    const fill = perps.venue.trade(SIDE.SELL, amount('1'));
    perps.world.time.advance(10);
    const again = '01890000-0000-7000-8000-00000000abce' as OrderId;
    const desk = perps.world.nextDesk();
    // The close is booked, and a position opened anew, before anything is looked at.
    const closed = stateOf({ id: ID, symbol: 'BTCUSDT' }, FILLED, '1', fill.venueOrderId);
    await perps.world.pass(1_000);
    await placeContractOrder({ ...perps, desk }, { ...TARGETS, clientId: again });
    perps.world.venue.streams.at(-1)?.onOrder({ state: { ...closed, clientId: 'else' as never }, fill });
    await desk.start();
    await gone();
    const kept = await perps.world.deps.algos.ofParent(again);
    expect(kept.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
    expect(waitingAtVenue()).toHaveLength(2);
  });

  test('that the exchange does not let go of yet are asked for again', async () => {
    await perps.world.desk.start();
    await placeContractOrder(perps, TARGETS);
    await standing();
    venue.next = ['refused', 'refused'];
    elsewhere(SIDE.SELL, 'trade');
    await until(() => venue.calls.filter((call) => call === 'cancel').length >= 2);
    await perps.world.pass(61_000, 1_000);
    await gone();
  });

  test.each(['after-send', 'after-answer'] as const)(
    'are cancelled though the process dies %s the cancel of one',
    async (point) => {
      await placeContractOrder(perps, TARGETS);
      await standing();
      perps.world.diesAt(point);
      elsewhere(SIDE.SELL, 'trade');
      await until(() => perps.world.dead);
      await perps.world.desk.stop();
      await restarted();
      await perps.world.pass(15_000, 1_000);
      await gone();
      expect(waitingAtVenue()).toEqual([]);
    },
  );

  test('stay while a part of it is open', async () => {
    await placeContractOrder(perps, { ...TARGETS, quantity: amount('2') });
    await standing();
    elsewhere(SIDE.SELL, 'trade');
    await until(
      async () => (await perps.world.deps.contracts.booked(CALLER as never))[0]?.quantity === amount('1'),
    );
    await perps.world.pass(61_000, 1_000);
    expect(await states()).toEqual(['stop waiting', 'take-profit waiting']);
  });
});

test('legs for which there is no room are told, and placed when there is', async () => {
  const { world } = perps;
  await world.desk.start();
  const stop = { platformType: 43, tinstType: 2, symbol: 'BTCUSDT', side: SIDE.SELL, algoType: 'stop' };
  const terms = {
    triggerPrice: amount('80'),
    quantity: amount('0.1'),
    timeInForce: 1,
    marginMode: 'cross',
    leverage: 10,
  };
  const caller = () => ({ ...CALLER, now: world.time.clock() });
  const ids: OrderId[] = [];
  for (let at = 0; at < 200; at += 1) {
    const placed = await world.desk.handlers['connextrade/PlaceAlgoOrder'](caller(), {
      ...stop,
      ...terms,
    } as never);
    if (!placed.ok) throw new Error(JSON.stringify(placed.code));
    ids.push(placed.value.algoId as OrderId);
  }
  expect(await placeContractOrder(perps, TARGETS)).toMatchObject({ ok: true });
  await until(async () => (await states()).join() === 'stop refused,take-profit refused');
  expect(await bare()).toEqual([true]);
  const reported = () =>
    world.published.filter(({ event }) => event.kind === 'algo' && event.algo.parentOrderId === ID);
  expect(reported().map(({ event }) => event.kind === 'algo' && event.algo.reason)).toEqual([
    ...['as many orders wait as may', 'as many orders wait as may'],
  ]);
  await world.pass(21_000, 1_000);
  expect(reported()).toHaveLength(2);
  const free = (algoId: OrderId | undefined) =>
    world.desk.handlers['connextrade/CancelAlgoOrder'](caller(), { platformType: 43, algoId } as never);
  await free(ids[0]);
  await world.pass(11_000, 1_000);
  // One place is none for two legs.
  expect(await states()).toEqual(['stop refused', 'take-profit refused']);
  await free(ids[1]);
  await world.pass(11_000, 1_000);
  const all = 'stop refused,stop waiting,take-profit refused,take-profit waiting';
  await until(async () => (await states()).join() === all);
  expect(await bare()).toEqual([false]);
});
