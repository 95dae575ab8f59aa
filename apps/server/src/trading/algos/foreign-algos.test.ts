import { amount, type OrderId, SIDE, TIME_IN_FORCE } from '@crossbook/domain';
import type { ListedAlgo, ShownAlgo } from '@crossbook/venues/trading';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPerpsWorld, type PerpsWorld, placeContractOrder } from '../perps/perps-world.fixture.ts';
import { BTCUSDT_PERP, CALLER, FILLED, stateOf, until } from '../trading-world.fixture.ts';
import { AlgoVenue } from './algo-world.fixture.ts';

/** Stops that a member sets at the exchange, besides the hub. */

let perps: PerpsWorld;
let venue: AlgoVenue;
/** What the venue's list says of a row, by its id there. */
let shown: Map<string, ShownAlgo>;
beforeEach(async () => {
  perps = await openPerpsWorld();
  venue = new AlgoVenue(perps.world);
  venue.childClientId = () => 'of the venue';
  shown = new Map();
  const { waiting } = venue;
  Object.assign(venue, {
    waiting: async (...given: Parameters<typeof waiting>) => {
      const listed = await waiting(...given);
      if (!listed.ok) return listed;
      const inFull = (state: ListedAlgo): ListedAlgo => {
        const said = shown.get(state.venueAlgoId);
        return said === undefined ? state : { ...state, shown: said };
      };
      return { ok: true, value: listed.value.map(inFull) };
    },
  });
  perps.world.venue.algos = venue;
  await perps.world.desk.start();
});
afterEach(() => perps.world.close());

const caller = (user = CALLER.user) => ({ ...CALLER, user, now: perps.world.time.clock() });
const rows = async (desk = perps.world.desk) => {
  const answer = await desk.handlers['connextrade/CurAlgoOrderList'](caller(), { platformType: 43 });
  return answer.ok ? answer.value : [];
};
/** The member's phone sets a stop on all of the position. */
const setAtExchange = (price = '80') => {
  const contract = { side: 0, positionMode: 'one-way', marginMode: 'cross', reduceOnly: true } as const;
  const plan = { kind: 'stop', leg: { trigger: { price: amount(price), by: 'mark' } } } as const;
  const made = venue.make(
    {
      instrument: BTCUSDT_PERP,
      side: SIDE.SELL,
      plan,
      contract,
      timeInForce: TIME_IN_FORCE.GTC,
      whole: true,
    },
    {},
  );
  const { venueAlgoId } = made.kept.state;
  shown.set(venueAlgoId, {
    ...{ side: SIDE.SELL, plan, timeInForce: TIME_IN_FORCE.GTC, position: 0, reduces: true },
  });
  return made;
};
const heard = () =>
  perps.world.published.flatMap(({ event }) =>
    event.kind === 'algo' && event.algo.ofExchange === true ? [event.algo] : [],
  );
const opens = async () => {
  await placeContractOrder(perps, {});
  await until(async () => (await perps.world.deps.contracts.booked(CALLER as never)).length === 1);
};
const seen = async () => {
  await rows();
  await perps.world.pass(2_000, 500);
  const [row] = await rows();
  if (row === undefined) throw new Error('nothing is shown');
  return row;
};

describe('a stop that its member set at the exchange', () => {
  test('is shown from the first look, as the exchange’s own, and stands in no table', async () => {
    await opens();
    setAtExchange();
    expect(await seen()).toMatchObject({
      ...{ ofExchange: true, state: 'waiting', algoType: 'stop', side: SIDE.SELL, quantity: null },
      ...{ reduceOnly: true, marginMode: 'cross', stopLoss: { triggerPrice: '80', triggerBy: 'mark' } },
    });
    expect(heard()).toHaveLength(1);
    expect(await perps.world.deps.algos.openOf(CALLER.user, {})).toEqual([]);
    // A hub that starts anew finds it as the first one did.
    const next = perps.world.nextDesk();
    expect(await rows(next)).toEqual([]);
    await next.start();
    await perps.world.pass(2_000, 500);
    expect(await rows(next)).toHaveLength(1);
  });

  test('with what it brings along is shown in full, and again where that is changed', async () => {
    await opens();
    const { kept } = setAtExchange();
    const before = shown.get(kept.state.venueAlgoId);
    if (before === undefined) throw new Error('not set');
    const brings = { stopLoss: { trigger: { price: amount('70'), by: 'index' } } } as const;
    shown.set(kept.state.venueAlgoId, { ...before, brings });
    const stopLoss = { triggerPrice: '70', triggerBy: 'index', price: null };
    expect(await seen()).toMatchObject({
      ...{ ofExchange: true, algoType: 'stop', brings: { takeProfit: null, stopLoss } },
    });
    shown.set(kept.state.venueAlgoId, before);
    perps.world.venue.streams.at(-1)?.onAlgo?.(kept.state);
    await perps.world.pass(3_000, 500);
    expect((await rows()).map((row) => row.brings)).toEqual([undefined]);
    expect(heard()).toHaveLength(2);
  });

  test('that is moved there is shown where it stands, and told once', async () => {
    await opens();
    const { kept } = setAtExchange();
    await seen();
    const before = shown.get(kept.state.venueAlgoId);
    if (before === undefined) throw new Error('not set');
    const leg = { trigger: { price: amount('85'), by: 'mark' } } as const;
    shown.set(kept.state.venueAlgoId, { ...before, plan: { kind: 'stop', leg } });
    perps.world.venue.streams.at(-1)?.onAlgo?.(kept.state);
    await perps.world.pass(3_000, 500);
    expect((await rows()).map(({ stopLoss }) => stopLoss?.triggerPrice)).toEqual(['85']);
    expect(heard()).toHaveLength(2);
  });

  test('is cancelled there on his word and nobody else’s; a list of a moment ago does not bring it back', async () => {
    await opens();
    const { kept } = setAtExchange();
    const { algoId } = await seen();
    const cancel = (user = CALLER.user) =>
      perps.world.desk.handlers['connextrade/CancelAlgoOrder'](caller(user), {
        ...{ platformType: 43, algoId },
      } as never);
    expect(await cancel(99 as never)).toMatchObject({ ok: false, code: { error: 'order-unknown' } });
    const stale = { ...kept.state };
    expect(await cancel()).toMatchObject({ ok: true, value: { state: 'cancelled', ofExchange: true } });
    expect(kept.state.status).toBe('cancelled');
    kept.state = stale;
    perps.world.venue.streams.at(-1)?.onAlgo?.(stale);
    await perps.world.pass(3_000, 500);
    expect(await rows()).toEqual([]);
    expect(await cancel()).toMatchObject({ ok: false, code: { error: 'order-unknown' } });
  });

  test('whose cancel is lost is shown as being cancelled until the list says more', async () => {
    await opens();
    const { kept } = setAtExchange();
    const { algoId } = await seen();
    venue.next = ['lost'];
    const answer = await perps.world.desk.handlers['connextrade/CancelAlgoOrder'](caller(), {
      ...{ platformType: 43, algoId },
    } as never);
    expect(answer).toMatchObject({ ok: true, value: { state: 'waiting', cancelPending: true } });
    await perps.world.pass(3_000, 500);
    expect(kept.state.status).toBe('cancelled');
    expect(await rows()).toEqual([]);
    expect(heard().at(-1)).toMatchObject({ state: 'cancelled', cancelPending: false });
  });

  test('is not changed here, and says so', async () => {
    await opens();
    setAtExchange();
    const { algoId } = await seen();
    const answer = await perps.world.desk.handlers['connextrade/ReplaceAlgoOrder'](caller(), {
      ...{ platformType: 43, algoId, triggerPrice: amount('85') },
    } as never);
    expect(answer).toMatchObject({ ok: false, code: { error: 'order-combination', field: 'algoId' } });
  });

  test('that fires ends its row, and its fill is booked once, as any that nobody here sent', async () => {
    await opens();
    const { kept, clientId } = setAtExchange();
    await seen();
    const fill = perps.venue.trade(SIDE.SELL, amount('1'));
    const { venueOrderId: _own, ...part } = fill;
    venue.fire(clientId, '1', part);
    const child = kept.state.child?.venueOrderId ?? fill.venueOrderId;
    const state = {
      ...stateOf({ id: 'x' as OrderId, symbol: 'BTCUSDT' }, FILLED, '1', child),
      clientId: 'else',
    };
    perps.world.venue.streams.at(-1)?.onAlgo?.(kept.state);
    perps.world.venue.streams
      .at(-1)
      ?.onOrder({ state: state as never, fill: { ...fill, venueOrderId: child } });
    await perps.world.pass(5_000, 500);
    expect(await rows()).toEqual([]);
    expect(heard().at(-1)?.state).toBe('fired');
    await until(async () => (await perps.world.deps.contracts.booked(CALLER as never)).length === 0);
    const page = await perps.world.deps.algos.page(CALLER.user, { limit: 10 });
    expect(page.rows).toEqual([]);
  });
});

describe('a stop of the exchange whose position is closed', () => {
  const closes = async () => {
    const fill = perps.venue.trade(SIDE.SELL, amount('1'));
    const state = stateOf({ id: 'x' as OrderId, symbol: 'BTCUSDT' }, FILLED, '1', fill.venueOrderId);
    perps.world.venue.streams.at(-1)?.onOrder({ state: { ...state, clientId: 'else' as never }, fill });
    await until(async () => (await perps.world.deps.contracts.booked(CALLER as never)).length === 0);
  };

  test('leaves the list with it, though nobody tells of that', async () => {
    await opens();
    const { kept } = setAtExchange();
    await seen();
    perps.world.time.advance(10);
    kept.state = { ...kept.state, status: 'expired' };
    await closes();
    await perps.world.pass(3_000, 500);
    expect(await rows()).toEqual([]);
    expect(heard().at(-1)?.state).toBe('expired');
  });

  test('leaves it too where the exchange says no more of it than that it does not wait', async () => {
    await opens();
    const { kept } = setAtExchange();
    await seen();
    Object.assign(venue, { find: async () => ({ outcome: 'unknown', why: 'not said' }) });
    kept.state = { ...kept.state, status: 'expired' };
    await closes();
    await perps.world.pass(3_000, 500);
    // A list may lag behind.
    expect(await rows()).toHaveLength(1);
    await perps.world.pass(130_000, 1_000);
    expect(await rows()).toEqual([]);
    expect(heard().at(-1)?.state).toBe('cancelled');
  });

  test('stays as long as the exchange has it, and can be cancelled', async () => {
    await opens();
    const { kept } = setAtExchange();
    const { algoId } = await seen();
    await closes();
    await perps.world.pass(200_000, 1_000);
    expect(await rows()).toHaveLength(1);
    const cancelled = await perps.world.desk.handlers['connextrade/CancelAlgoOrder'](caller(), {
      ...{ platformType: 43, algoId },
    } as never);
    expect(cancelled).toMatchObject({ ok: true, value: { state: 'cancelled' } });
    expect(kept.state.status).toBe('cancelled');
  });
});

describe('what waits where no position is', () => {
  /** The venue's app has a trigger order that would open one. */
  const wouldOpen = (part: Partial<ShownAlgo>) => {
    const { kept, clientId } = setAtExchange();
    const said = shown.get(kept.state.venueAlgoId);
    if (said === undefined) throw new Error('not set');
    shown.set(kept.state.venueAlgoId, { ...said, reduces: false, quantity: amount('2'), ...part });
    return { kept, clientId };
  };
  const full = { marginMode: 'isolated', leverage: 25 } as const;
  /** An exchange that lists what may open one by itself. */
  const listsOpening = () => Object.assign(venue, { opening: venue.waiting });

  test('is shown by one read where its row says all of it, and is cancelled here', async () => {
    listsOpening();
    const { kept } = wouldOpen(full);
    const { algoId, ...row } = await seen();
    expect(row).toMatchObject({
      ...{ ofExchange: true, algoType: 'stop', quantity: '2', reduceOnly: false },
      ...{ marginMode: 'isolated', leverage: 25 },
    });
    expect(venue.calls.filter((call) => call === 'waiting')).toHaveLength(1);
    const cancelled = await perps.world.desk.handlers['connextrade/CancelAlgoOrder'](caller(), {
      ...{ platformType: 43, algoId },
    } as never);
    expect(cancelled).toMatchObject({ ok: true, value: { state: 'cancelled' } });
    expect(kept.state.status).toBe('cancelled');
  });

  test('holds nothing, and leaves the list with the exchange’s', async () => {
    listsOpening();
    const { kept } = wouldOpen(full);
    await seen();
    expect(await perps.world.deps.algos.openOf(CALLER.user, {})).toEqual([]);
    kept.state = { ...kept.state, status: 'expired' };
    await perps.world.pass(62_000, 1_000);
    expect(await rows()).toEqual([]);
    expect(heard().at(-1)?.state).toBe('expired');
  });

  test.each<[string, Partial<ShownAlgo>]>([
    ['no leverage', { marginMode: 'cross' }],
    ['no margin mode', { leverage: 25 }],
  ])('is not shown by a row that says %s', async (_claim, part) => {
    listsOpening();
    wouldOpen(part);
    await rows();
    await perps.world.pass(2_000, 500);
    expect(await rows()).toEqual([]);
  });

  test('is not asked for where the exchange has no such list', async () => {
    wouldOpen(full);
    await rows();
    await perps.world.pass(2_000, 500);
    expect([await rows(), venue.calls.filter((call) => call === 'waiting')]).toEqual([[], []]);
  });
});

test('what the hub placed, and what says too little where no position is, is nobody else’s', async () => {
  const { world } = perps;
  setAtExchange();
  await rows();
  await world.pass(2_000, 500);
  expect(await rows()).toEqual([]);
  await opens();
  world.best = { bid: amount('99.9'), ask: amount('100'), receivedAt: world.time.clock() };
  const placed = await world.desk.handlers['connextrade/PlaceAlgoOrder'](caller(), {
    ...{ platformType: 43, tinstType: 2, symbol: 'BTCUSDT', side: SIDE.SELL, algoType: 'stop' },
    ...{ triggerPrice: amount('70'), quantity: amount('1'), timeInForce: 1 },
    ...{ marginMode: 'cross', leverage: 10, reduceOnly: true },
  } as never);
  expect(placed.ok).toBe(true);
  const [first] = shown.values();
  if (first === undefined) throw new Error('nothing shown');
  for (const { state } of venue.kept.values()) shown.set(state.venueAlgoId, first);
  await world.pass(62_000, 1_000);
  expect((await rows()).map(({ ofExchange, stopLoss }) => [ofExchange, stopLoss?.triggerPrice])).toEqual([
    [undefined, '70'],
    [true, '80'],
  ]);
});
