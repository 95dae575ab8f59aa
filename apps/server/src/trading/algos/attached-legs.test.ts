import {
  type Amount,
  amount,
  ORDER_STATUS,
  type OrderId,
  POSITION_SIDE,
  SIDE,
  type Side,
  TIME_IN_FORCE,
  venueClientId,
} from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PerpsWorld, placeContractOrder } from '../perps/perps-world.fixture.ts';
import type { CrashPoint } from '../ports.ts';
import { CALLER, OPEN, stateOf, until } from '../trading-world.fixture.ts';
import type { AlgoVenue } from './algo-world.fixture.ts';
import {
  BYBIT_PERP,
  barePositions,
  bothStand,
  ID,
  legStates,
  openBybitWorld,
  TARGETS,
} from './legs-world.fixture.ts';

/** Take-profit and stop-loss of an order at a venue that makes the legs itself, one for each (Bybit). */

/** One that rests beside it. */
const RESTING = '01890000-0000-7000-8000-00000000abce' as OrderId;
const ORDER = { platformType: 42, ...TARGETS };
const LEGS = ['take-profit', 'stop-loss'] as const;
let perps: PerpsWorld;
let venue: AlgoVenue;
beforeEach(async () => {
  ({ perps, venue } = await openBybitWorld());
  venue.attaches();
});
afterEach(() => perps.world.close());

const ATTACHED_TO = { clientId: venueClientId(ID) } as Parameters<NonNullable<AlgoVenue['attached']>>[1];
const legs = () => perps.world.deps.algos.ofParent(ID);
const states = () => legStates(perps);
const standing = () => bothStand(perps);
const bare = (desk = perps.world.desk) => barePositions(desk, 42);
/** The venue makes the legs of so much of the order. */
const makeLegs = (text: string, parent = ID) =>
  LEGS.map((leg) => {
    const trigger = { price: amount(leg === 'stop-loss' ? '80' : '120'), by: 'last' } as const;
    const contract = {
      side: POSITION_SIDE.NET,
      positionMode: 'one-way',
      marginMode: 'cross',
      reduceOnly: true,
    } as const;
    const request = {
      ...{
        instrument: BYBIT_PERP,
        side: SIDE.SELL as Side,
        quantity: amount(text),
        timeInForce: TIME_IN_FORCE.GTC,
      },
      ...{
        plan: { kind: leg === 'stop-loss' ? 'stop' : 'take-profit', leg: { trigger } } as const,
        contract,
      },
    };
    return venue.make(request, { parent: venueClientId(parent), leg });
  });
/** The venue fills what is sent, and makes its legs with the fill. */
const attaching = () => {
  const { place } = perps.world.venue.answers;
  if (place === undefined) throw new Error('the venue fills');
  perps.world.venue.answers.place = async (...given) => {
    const answer = await place(...given);
    makeLegs('1');
    return answer;
  };
};
const placed = () => venue.calls.filter((call) => call === 'place');
/** Tells of the order at the venue, as its stream or a lookup does. */
const fillOrder = (
  text: string,
  status: typeof ORDER_STATUS.FILLED | typeof ORDER_STATUS.PARTIALLY_FILLED,
) => {
  const fill = perps.venue.trade(SIDE.BUY, amount(text), { order: '1' });
  const total = perps.venue.fills.reduce((sum, { quantity }) => sum + quantity, 0n) as Amount;
  const state = { ...stateOf({ id: ID, symbol: 'BTCUSDT' }, status, '0'), cumulativeQuantity: total };
  perps.world.venue.streams.at(-1)?.onOrder({ state, fill });
};
const resting = async (id = ID) => {
  const state = { ...stateOf({ id, symbol: 'BTCUSDT' }, OPEN, '0'), time: perps.venue.now };
  perps.world.venue.answers.place = async (_credentials, request) => {
    perps.venue.sent.push(request);
    return { outcome: 'accepted', state, fills: [] };
  };
  const answer = await placeContractOrder(perps, {
    ...{ ...ORDER, clientId: id, orderType: 1, price: amount('100'), quantity: amount('3') },
  });
  expect(answer).toMatchObject({ ok: true });
};

describe('an order whose legs the venue makes', () => {
  test('is sent with its targets; the legs are rows by their ids there, and none is placed', async () => {
    attaching();
    expect(await placeContractOrder(perps, ORDER)).toMatchObject({ ok: true });
    const { attached } = perps.venue.sent[0] ?? {};
    expect(attached?.takeProfit?.trigger?.price).toBe(amount('120'));
    expect(attached?.stopLoss?.trigger?.price).toBe(amount('80'));
    await standing();
    const made = [...venue.kept.values()].map(({ state }) => state.venueAlgoId).sort();
    expect((await legs()).map(({ venueAlgoId }) => venueAlgoId).sort()).toEqual(made);
    expect(await bare()).toEqual([false]);
    await perps.world.pass(70_000);
    expect([placed(), (await legs()).length]).toEqual([[], 2]);
  });

  test('take no place of what its member places himself', async () => {
    const { world } = perps;
    attaching();
    for (let at = 0; at < 6; at += 1) {
      const clientId = ID.replace(/.$/, String(at)) as OrderId;
      await placeContractOrder(perps, { ...ORDER, clientId });
      makeLegs('1', clientId);
      await until(async () => (await world.deps.algos.ofParent(clientId)).length === 2);
    }
    const stop = { platformType: 42, tinstType: 2, symbol: 'BTCUSDT', side: SIDE.SELL, algoType: 'stop' };
    const terms = { triggerPrice: amount('80'), quantity: amount('0.1'), marginMode: 'cross', leverage: 10 };
    const asked = { ...stop, ...terms, timeInForce: 1 };
    const caller = { ...CALLER, now: world.time.clock() };
    const placed = await world.desk.handlers['connextrade/PlaceAlgoOrder'](caller, asked as never);
    expect(placed).toMatchObject({ ok: true });
  });

  test('says that the position is bare until they are there, and is told by the stream when they are', async () => {
    expect(await placeContractOrder(perps, ORDER)).toMatchObject({ ok: true });
    await until(() => venue.calls.includes('attached'));
    expect(await bare()).toEqual([true]);
    const [leg] = makeLegs('1');
    if (leg !== undefined) perps.world.venue.streams.at(-1)?.onAlgo?.(leg.kept.state);
    await standing();
    expect(await bare()).toEqual([false]);
  });

  test('what fills in parts has legs that grow, and is protected by so much', async () => {
    await resting();
    const made = makeLegs('1');
    fillOrder('1', ORDER_STATUS.PARTIALLY_FILLED);
    await standing();
    expect(await bare()).toEqual([false]);
    fillOrder('2', ORDER_STATUS.FILLED);
    await until(async () => (await perps.world.order(ID)).settled);
    expect(await bare()).toEqual([true]);
    for (const { kept } of made) {
      kept.state = { ...kept.state, quantity: amount('3') };
      perps.world.venue.streams.at(-1)?.onAlgo?.(kept.state);
    }
    await until(async () => (await bare()).join() === 'false');
    expect((await legs()).map(({ quantity }) => quantity)).toEqual([amount('3'), amount('3')]);
    expect(placed()).toEqual([]);
  });

  test('are rows of one order alone, also where the venue cannot say of which of two alike', async () => {
    attaching();
    expect(await placeContractOrder(perps, ORDER)).toMatchObject({ ok: true });
    await standing();
    const others = venue.attached;
    // What has no name is found for every order with the same targets.
    venue.attached = async (key) => (await others?.(key, ATTACHED_TO)) ?? { ok: false, code: 'refused' };
    perps.world.venue.answers.place = async (_credentials, request) => {
      const state = { ...stateOf({ id: RESTING, symbol: 'BTCUSDT' }, OPEN, '0'), time: perps.venue.now };
      perps.venue.sent.push(request);
      return { outcome: 'accepted', state, fills: [] };
    };
    const alike = { ...ORDER, clientId: RESTING, orderType: 1, price: amount('100'), quantity: amount('1') };
    expect(await placeContractOrder(perps, alike as never)).toMatchObject({ ok: true });
    const fill = perps.venue.trade(SIDE.BUY, amount('1'), { order: '2' });
    const filled = stateOf({ id: RESTING, symbol: 'BTCUSDT' }, ORDER_STATUS.FILLED, '1');
    perps.world.venue.streams.at(-1)?.onOrder({ state: filled, fill });
    await until(async () => (await perps.world.order(RESTING)).settled);
    await perps.world.pass(20_000);
    expect(await perps.world.deps.algos.ofParent(RESTING)).toEqual([]);
    expect([await states(), placed()]).toEqual([['stop waiting', 'take-profit waiting'], []]);
  });

  test('that is cancelled before it fills leaves none, and nothing is asked again', async () => {
    await resting();
    const state = {
      ...stateOf({ id: ID, symbol: 'BTCUSDT' }, ORDER_STATUS.CANCELLED, '0'),
      time: perps.venue.now,
    };
    perps.world.venue.streams.at(-1)?.onOrder({ state });
    await until(async () => (await perps.world.deps.algos.targets.byOrder(ID))?.ended === true);
    await perps.world.pass(70_000);
    expect([await legs(), venue.calls]).toEqual([[], []]);
  });

  test('is the hub’s to protect where the venue has made nothing in a minute after its end', async () => {
    await perps.world.desk.start();
    expect(await placeContractOrder(perps, ORDER)).toMatchObject({ ok: true });
    await perps.world.pass(50_000);
    expect([placed(), await bare()]).toEqual([[], [true]]);
    await perps.world.pass(30_000);
    await standing();
    expect(placed()).toHaveLength(2);
    expect(await bare()).toEqual([false]);
  });

  test('of unknown outcome has targets of unknown outcome: no leg is placed, however long', async () => {
    perps.world.venue.answers.place = async () => ({
      ...{ outcome: 'unknown', why: 'lost', deadlineAt: perps.venue.now },
    });
    perps.world.venue.answers.find = async () => ({ outcome: 'unknown', why: 'silent' });
    await perps.world.desk.start();
    await placeContractOrder(perps, ORDER);
    await perps.world.pass(120_000, 5_000);
    expect([await legs(), placed()]).toEqual([[], []]);
    expect((await perps.world.deps.algos.targets.byOrder(ID))?.ended).toBe(false);
  });

  test('nothing is guessed while the venue cannot be asked', async () => {
    venue.attached = async () => ({ ok: false, code: 'refused' });
    await perps.world.desk.start();
    expect(await placeContractOrder(perps, ORDER)).toMatchObject({ ok: true });
    await perps.world.pass(90_000, 5_000);
    expect([await legs(), placed(), await bare()]).toEqual([[], [], [true]]);
  });
});

describe('a leg that the venue leaves beside one that worked', () => {
  const opens = async () => {
    await placeContractOrder(perps, { platformType: 42 });
    attaching();
    await placeContractOrder(perps, ORDER);
    await standing();
  };
  const fires = (part: string) => {
    const [target] = [...venue.kept].filter(([, { state }]) => state.leg === 'take-profit');
    if (target === undefined) throw new Error('no target');
    const { venueOrderId: _own, ...fill } = perps.venue.trade(SIDE.SELL, amount(part));
    return venue.fire(target[0], part, fill);
  };

  test('is cancelled once all that its order filled is closed, until it is gone', async () => {
    await opens();
    venue.next = ['refused', 'dropped'];
    perps.world.venue.streams.at(-1)?.onAlgo?.(fires('1').state);
    await until(async () => (await states()).join() === 'stop waiting,take-profit fired');
    await perps.world.pass(60_000, 1_000);
    expect([await states(), venue.next]).toEqual([['stop cancelled', 'take-profit fired'], []]);
  });

  test('is found by the next process', async () => {
    await opens();
    await perps.world.desk.stop();
    fires('1');
    const desk = perps.world.nextDesk();
    venue.next = ['refused'];
    await desk.start();
    await perps.world.pass(90_000, 1_000);
    expect(await states()).toEqual(['stop cancelled', 'take-profit fired']);
  });

  test('stays while a part of that is open', async () => {
    await opens();
    perps.world.venue.streams.at(-1)?.onAlgo?.(fires('0.4').state);
    await until(async () => (await states()).join() === 'stop waiting,take-profit fired');
    await perps.world.pass(60_000, 1_000);
    expect([await states(), venue.calls.includes('cancel')]).toEqual([
      ['stop waiting', 'take-profit fired'],
      false,
    ]);
  });
});

/** So many more orders with targets like one that rests, of whichever member. */
const copies = (count: number, user: number = CALLER.user) =>
  perps.world.database.owner.query(
    `with made as (
        insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'user_id', $2::int,
            'hold_id', gen_random_uuid(), 'venue_order_id', 'copy ' || $2 || ' ' || n))).*
          from orders o, generate_series(1, $1) n where o.id = $3 returning id)
      insert into order_targets select (jsonb_populate_record(t, jsonb_build_object('order_id', made.id, 'user_id', $2::int))).*
        from order_targets t, made where t.order_id = $3`,
    [count, user, RESTING],
  );

describe('beside many orders that only rest', () => {
  test('one that has filled and whose legs could not be read has them with the next turn', async () => {
    const { place: fills } = perps.world.venue.answers;
    await resting(RESTING);
    await copies(200, 8);
    await perps.world.desk.stop();
    const desk = await perps.world.restarted();
    await perps.world.pass(1_000);
    const attached = venue.attached as NonNullable<typeof venue.attached>;
    venue.attached = async (...given) => {
      await attached(...given);
      return { ok: false, code: 'refused' };
    };
    perps.world.venue.answers.place = fills as NonNullable<typeof fills>;
    attaching();
    expect(await placeContractOrder({ ...perps, desk }, ORDER)).toMatchObject({ ok: true });
    await until(() => venue.calls.includes('attached'));
    await perps.world.pass(500);
    expect(await legs()).toEqual([]);
    venue.attached = attached;
    await perps.world.pass(10_000);
    expect(await states()).toEqual(['stop waiting', 'take-profit waiting']);
  });

  test('a fill that nobody told of is booked once the income list has been read', async () => {
    await resting(RESTING);
    await copies(50);
    perps.world.venue.answers.fillsSince = async () => ({ ok: true, value: perps.venue.fills });
    await perps.world.desk.start();
    await perps.world.pass(1_000);
    perps.venue.trade(SIDE.BUY, amount('1'));
    perps.world.venue.streams
      .at(-1)
      ?.onContracts?.({ cause: 'funding', positions: [], time: perps.venue.now });
    await perps.world.pass(6_000);
    const booked = await perps.world.deps.contracts.booked({ user: CALLER.user, platform: 3 });
    expect(booked.map(({ quantity }) => quantity)).toEqual([amount('1')]);
  });
});

const POINTS: readonly CrashPoint[] = [
  'after-answer',
  'before-post',
  'after-post',
  'before-legs',
  'after-legs',
];
describe.each(POINTS)('a process that dies at %s', (point) => {
  test.each([false, true])('leaves legs that the next adopts once, fired meanwhile: %s', async (fires) => {
    attaching();
    perps.world.diesAt(point);
    await placeContractOrder(perps, ORDER).catch(() => undefined);
    await until(() => perps.world.dead);
    await perps.world.desk.stop();
    const { answers } = perps.world.venue;
    const [opened] = perps.venue.fills;
    if (opened === undefined) throw new Error('it has filled');
    answers.find = async () => ({
      outcome: 'found',
      value: { ...stateOf({ id: ID, symbol: 'BTCUSDT' }, ORDER_STATUS.FILLED, '1', opened.venueOrderId) },
    });
    const fillsOfLegs = answers.fillsOfOrder;
    answers.fillsOfOrder = async (credentials, instrument, id) =>
      id === opened.venueOrderId || fillsOfLegs === undefined
        ? { ok: true, value: [opened] }
        : fillsOfLegs(credentials, instrument, id);
    if (fires) {
      const [stop] = [...venue.kept].filter(([, { state }]) => state.leg === 'stop-loss');
      const [target] = [...venue.kept.values()].filter(({ state }) => state.leg === 'take-profit');
      if (stop === undefined || target === undefined) throw new Error('no legs');
      const { venueOrderId: _own, ...fill } = perps.venue.trade(SIDE.SELL, amount('1'));
      venue.fire(stop[0], '1', fill);
      target.state = { ...target.state, status: 'cancelled' };
    }
    const desk = await perps.world.restarted();
    await perps.world.pass(75_000, 1_000);
    if (!fires) await standing();
    else await until(async () => (await states()).join() === 'stop fired,take-profit cancelled');
    expect([placed(), (await legs()).length]).toEqual([[], 2]);
    const open = await perps.world.deps.contracts.booked({ user: CALLER.user, platform: 3 });
    expect(open.map(({ quantity }) => quantity)).toEqual(fires ? [] : [amount('1')]);
    const fills = await perps.world.orders.fillsOfOrder(ID);
    expect(fills).toHaveLength(1);
    if (!fires) expect(await bare(desk)).toEqual([false]);
  });
});
