import { amount, isFinal, plus, SIDE, ZERO } from '@crossbook/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import { ATTACHED, NO_ROOM, type StoredAlgo } from '../algo.ts';
import type { TradingDesk } from '../desk.ts';
import { placeContractOrder } from '../perps/perps-world.fixture.ts';
import { CALLER } from '../trading-world.fixture.ts';
import { BRACKET_ID, BracketVenue, type LegMaker } from './bracket-venue.fixture.ts';

const POINTS = [
  ...(['before-post', 'after-post', 'before-legs', 'after-legs'] as const),
  ...(['before-child', 'after-child', 'after-send', 'after-answer', 'before-end', 'after-end'] as const),
];
const thousandths = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((number) => amount(String(number / 1_000)));

/** What becomes of calls about legs that are asked next. */
const fates = fc.array(fc.constantFrom('done', 'lost', 'dropped', 'refused'), { maxLength: 3 });
const dies = fc.option(fc.constantFrom(...POINTS), { nil: undefined, freq: 2 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('fill' as const),
      ...{ quantity: thousandths(1, 900), tells: fc.boolean(), fates, dies },
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('fire' as const), which: fc.nat(9), tells: fc.boolean(), dies }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), millis: fc.constantFrom(500, 4_000, 20_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), quantity: thousandths(1, 2_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), dies }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' } as const) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Plays the steps, then cancels what is left of the order and lets everything come to its end. */
async function play(maker: LegMaker, steps: readonly Step[]): Promise<void> {
  const venue = await BracketVenue.open(maker);
  const { world } = venue.perps;
  const { platformType } = venue;
  let desk = world.desk;
  // Once a position is gone its legs are too, and what fills later has others.
  let flat = false;
  const restart = async () => {
    await desk.stop();
    desk = await world.restarted();
    await world.pass(500);
  };
  const until = async (point: (typeof POINTS)[number] | undefined, act: () => void, millis = 1_000) => {
    world.diesAt(point);
    act();
    await world.pass(millis, 1_000);
    if (point !== undefined) await restart();
  };
  const cancel = async () => {
    const order = { platformType, orderId: BRACKET_ID } as never;
    return desk.handlers['connextrade/CancelOrder']({ ...CALLER, now: world.time.clock() }, order);
  };
  const playOne = async (one: Step) => {
    if (one.do === 'fill')
      await until(one.dies, () => {
        venue.algos.next = [...one.fates];
        venue.fill(one.quantity, one.tells);
      });
    else if (one.do === 'fire') await until(one.dies, () => venue.fire(one.which, one.tells));
    else if (one.do === 'end') await until(one.dies, () => void cancel().catch(() => undefined), 75_000);
    else if (one.do === 'wait') await world.pass(one.millis, 1_000);
    else if (one.do === 'restart') await restart();
    else
      await placeContractOrder(
        { ...venue.perps, desk },
        { platformType, side: SIDE.SELL, reduceOnly: true, quantity: one.quantity },
      );
    // Whatever has happened, nothing ever sells more than there is.
    expect(venue.position).toBeGreaterThanOrEqual(ZERO);
    flat ||= venue.executed > ZERO && venue.position === ZERO;
  };
  try {
    await desk.start();
    const bid = { orderType: 1, price: amount('100'), quantity: amount('2') };
    const order = { platformType, clientId: BRACKET_ID, ...bid, ...venue.targets };
    expect(await placeContractOrder({ ...venue.perps, desk }, order)).toMatchObject({ ok: true });
    for (const one of steps) await playOne(one);
    venue.algos.next = [];
    await cancel();
    await world.pass(180_000, 2_500);
    await claims(venue, { desk, flat });
  } finally {
    await world.close();
  }
}

async function claims(
  venue: BracketVenue,
  { desk, flat }: { readonly desk: TradingDesk; readonly flat: boolean },
): Promise<void> {
  const { world } = venue.perps;
  const order = await world.order(BRACKET_ID);
  expect(isFinal(order.status)).toBe(true);
  expect(order).toMatchObject({ settled: true, cumQuantity: venue.executed });
  const legs = (await world.deps.algos.ofParent(BRACKET_ID)).filter(
    ({ payloadHash }) => payloadHash !== NO_ROOM,
  );
  // The books are the venue's.
  const owner = { user: CALLER.user, platform: venue.platform };
  const [booked] = await world.deps.contracts.booked(owner);
  expect(booked?.quantity ?? ZERO).toBe(venue.position);
  // Each side of the bracket closes what the order has filled, once.
  const sum = (kind: StoredAlgo['plan']['kind'], also: (leg: StoredAlgo) => boolean = () => false) =>
    legs
      .filter((leg) => leg.plan.kind === kind || leg.plan.kind === 'oco' || also(leg))
      .reduce((total, { quantity }) => plus(total, quantity ?? ZERO), ZERO);
  // The stop of several targets that the venue makes is for what they have not sent.
  const sends = ({ payloadHash, plan, state }: StoredAlgo) =>
    payloadHash === ATTACHED && plan.kind === 'take-profit' && state === 'fired';
  const whole = (leg: StoredAlgo) => venue.maker === 'several' && sends(leg);
  const closed = await world.deps.orders.fillsOfOrder(BRACKET_ID);
  expect(closed.reduce((total, { quantity }) => plus(total, quantity), ZERO)).toBe(venue.executed);
  const sides =
    venue.maker === 'a trailing stop' ? [sum('trailing')] : [sum('stop', whole), sum('take-profit')];
  if (venue.position > 0n) expect(sides).toEqual(sides.map(() => venue.executed));
  for (const side of sides) expect(side).toBeLessThanOrEqual(venue.executed);
  // Nothing waits beside a leg of its part that has worked, and nothing waits for a position that is gone.
  const waiting = new Set(venue.waiting().map(([, { state }]) => state.venueAlgoId));
  const waits = (leg: StoredAlgo) => leg.venueAlgoId !== undefined && waiting.has(leg.venueAlgoId);
  const stranded = legs.filter((leg) => waits(leg) && venue.position === ZERO);
  expect(stranded.map(({ plan }) => plan.kind)).toEqual([]);
  expect(legs.filter((leg) => waits(leg) !== (leg.state === 'waiting'))).toEqual([]);
  const placed = legs.filter(({ payloadHash }) => payloadHash !== ATTACHED);
  const parts = Map.groupBy(placed, ({ payloadHash }) => payloadHash);
  for (const part of parts.values())
    if (part.some(({ state }) => state === 'fired')) expect(part.filter(waits)).toEqual([]);
  // What nothing has worked for yet is protected still: its legs wait, or were refused.
  const stands = new Set<string>(['waiting', 'refused']);
  for (const part of parts.values())
    if (!flat && venue.position > ZERO && part.every(({ state }) => state !== 'fired'))
      expect(part.filter(({ state }) => !stands.has(state))).toEqual([]);
  // What a leg became closes what the leg was for, and no more.
  for (const { id, childId, quantity = ZERO, contract } of legs) {
    expect([id, contract?.reduceOnly]).toEqual([id, true]);
    const child = childId === undefined ? undefined : await world.order(childId);
    if (child === undefined) continue;
    expect([id, child.quantity, child.settled]).toEqual([id, quantity, true]);
    expect(child.cumQuantity).toBeLessThanOrEqual(quantity);
  }
  if (venue.attaches && !venue.leaves)
    expect(venue.algos.calls.filter((call) => call === 'place')).toEqual([]);
  // Fills that nobody told of make the books differ for a while: new orders stop for so long, and go on at the end.
  expect(world.incidents.filter((incident) => !incident.startsWith('balances differ'))).toEqual([]);
  const again = { platformType: venue.platformType, orderType: 1, price: amount('100') };
  expect(await placeContractOrder({ ...venue.perps, desk }, again)).toMatchObject({ ok: true });
}

/** Two parts fill, a leg of one works, and time passes: what whoever binds legs must get right, tried in every run. */
const PARTS: readonly Step[] = [
  { do: 'fill', quantity: amount('0.9'), tells: true, fates: [], dies: undefined },
  { do: 'fill', quantity: amount('0.6'), tells: true, fates: ['lost'], dies: undefined },
  { do: 'fire', which: 0, tells: true, dies: undefined },
  { do: 'wait', millis: 20_000 },
  { do: 'fill', quantity: amount('0.3'), tells: false, fates: [], dies: 'after-legs' },
];

/** Two parts fill and nobody tells of them: a leg that grew is known as large as it is. */
const UNTOLD: readonly Step[] = ['0.001', '0.001'].map((quantity) => ({
  ...{ do: 'fill', quantity: amount(quantity), tells: false, fates: [], dies: undefined },
}));

/** A leg is cut to what is left of the position, nobody tells, and the hub dies as it books it: it is over all the same. */
const CUT: readonly Step[] = [
  { do: 'fill', quantity: amount('0.002'), tells: false, fates: [], dies: undefined },
  { do: 'close', quantity: amount('0.001') },
  { do: 'fire', which: 0, tells: false, dies: 'before-post' },
];

/** All fills, and targets of several fire while nobody tells; then what stays beside those that have not. */
const WHOLE: readonly Step[] = [
  { do: 'fill', quantity: amount('0.9'), tells: true, fates: [], dies: undefined },
  { do: 'fill', quantity: amount('0.9'), tells: false, fates: [], dies: 'before-post' },
  { do: 'fill', quantity: amount('0.9'), tells: true, fates: [], dies: 'before-legs' },
  { do: 'fire', which: 0, tells: false, dies: 'before-child' },
  { do: 'fire', which: 0, tells: true, dies: undefined },
];

/** A part fills, the order ends, and the hub dies as it writes the pairs that the exchange made none of; then one works. */
const ENDED = (['before-legs', 'after-legs', undefined] as const).map((dies): readonly Step[] => [
  { do: 'fill', quantity: amount('0.8'), tells: true, fates: [], dies: undefined },
  { do: 'fill', quantity: amount('0.5'), tells: false, fates: [], dies: undefined },
  { do: 'end', dies },
  { do: 'fire', which: 1, tells: false, dies: undefined },
]);

const TRIED_ALWAYS = [PARTS, UNTOLD, CUT, WHOLE, ...ENDED];

test.each([
  ['the hub makes (Binance)', 'hub'],
  ['the exchange makes, one for each target of each part (Bybit)', 'a leg for each'],
  ['the exchange makes, one for both targets that grows (OKX)', 'one for both'],
  ['the exchange makes of several targets where all fills, and else the hub (OKX)', 'several'],
  ['the exchange makes as a trailing stop (OKX)', 'a trailing stop'],
] as const)(
  'legs that %s never close more than filled, nor stay beside one that worked, whatever is lost or dies',
  async (_who, maker) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => play(maker, steps)),
      { numRuns: runs(TRIED_ALWAYS.length + 1, 2), examples: TRIED_ALWAYS.map((steps) => [[...steps]]) },
    );
  },
  900_000,
);
