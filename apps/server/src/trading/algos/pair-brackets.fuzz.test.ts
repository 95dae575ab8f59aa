import {
  type Amount,
  amount,
  floorTo,
  formatAmount,
  isFinal,
  minus,
  ORDER_STATUS,
  type OrderId,
  type OrderStatus,
  plus,
  type VenueFill,
  type VenueOrderId,
  type VenueTradeId,
  venueClientId,
  ZERO,
} from '@crossbook/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import { NO_ROOM } from '../algo.ts';
import { BTCUSDT, CALLER, openTradingWorld, type TradingWorld } from '../trading-world.fixture.ts';
import { AlgoVenue } from './algo-world.fixture.ts';

/** A buy of a pair with take-profit and stop-loss: two coins at a hundred, protected by one pair of legs once it is over. */

const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
const CLIENT = venueClientId(ID);
const SIZE = amount('2');
const POINTS = [
  ...(['before-post', 'after-post', 'before-legs', 'after-legs'] as const),
  ...(['before-child', 'after-child', 'after-send', 'after-answer', 'before-end', 'after-end'] as const),
];

const dies = fc.option(fc.constantFrom(...POINTS), { nil: undefined, freq: 2 });
const tells = fc.boolean();
const calm = fc.oneof(
  fc.record({ do: fc.constant('wait' as const), millis: fc.constantFrom(500, 20_000) }),
  fc.constant({ do: 'restart' } as const),
);
const quantity = fc.integer({ min: 1, max: 900 }).map((mille) => amount(String(mille / 1_000)));
const filling = fc.record({ do: fc.constant('fill' as const), quantity, tells, dies });
const firing = fc.record({ do: fc.constant('fire' as const), tells, dies });
const ending = fc.record({
  ...{ do: fc.constant('end' as const), filled: fc.boolean(), dies },
  fates: fc.array(fc.constantFrom('done', 'lost', 'dropped', 'refused'), { maxLength: 3 }),
});
const life = fc
  .tuple(
    fc.array(fc.oneof({ weight: 3, arbitrary: filling }, { weight: 1, arbitrary: calm }), { maxLength: 4 }),
    ending,
    fc.array(fc.oneof(firing, calm), { maxLength: 3 }),
  )
  .map(([before, end, after]) => [...before, end, ...after]);
type Step = typeof life extends fc.Arbitrary<readonly (infer Value)[]> ? Value : never;

/** A venue of pairs with one order, which fills when a test says so; what sells the coins the algo venue has. */
class PairVenue {
  readonly world: TradingWorld;
  readonly algos: AlgoVenue;
  readonly fills: VenueFill[] = [];
  #status: OrderStatus | undefined;

  constructor(world: TradingWorld) {
    this.world = world;
    this.algos = new AlgoVenue(world);
    this.algos.childClientId = () => 'of the venue';
    world.venue.algos = this.algos;
    const { answers } = world.venue;
    const children = { ...answers };
    const ours = 'p1' as VenueOrderId;
    answers.place = async () => {
      this.#status = ORDER_STATUS.OPEN;
      return { outcome: 'accepted', state: this.#state(), fills: [] };
    };
    answers.cancel = async () => {
      if (isFinal(this.#state().status)) return { outcome: 'gone' };
      this.#status = ORDER_STATUS.CANCELLED;
      return { outcome: 'cancelled', state: this.#state() };
    };
    answers.find = async (...given) =>
      given[2] === CLIENT && this.#status !== undefined
        ? { outcome: 'found', value: this.#state() }
        : (children.find?.(...given) ?? { outcome: 'not-found' });
    answers.findByVenueId = async (...given) =>
      given[2] === ours
        ? { outcome: 'found', value: this.#state() }
        : (children.findByVenueId?.(...given) ?? { outcome: 'not-found' });
    answers.fillsOfOrder = async (...given) =>
      given[2] === ours
        ? { ok: true, value: [...this.fills] }
        : (children.fillsOfOrder?.(...given) ?? { ok: true, value: [] });
    answers.openOrders = async () => ({
      ok: true,
      value: this.#status === undefined || isFinal(this.#state().status) ? [] : [this.#state()],
    });
  }

  get executed(): Amount {
    return this.fills.reduce((sum, fill) => plus(sum, fill.quantity), ZERO);
  }

  /** What of it came in: a thousandth is the fee, in coins. */
  get arrived(): Amount {
    return this.fills.reduce((sum, fill) => plus(sum, minus(fill.quantity, fill.fee)), ZERO);
  }

  /** Legs that have worked, with what they sold. */
  get sold(): Amount {
    const fills = [...this.algos.kept.values()].flatMap((kept) => kept.fills);
    return fills.reduce((sum, fill) => plus(sum, fill.quantity), ZERO);
  }

  waiting() {
    return [...this.algos.kept].filter(([, { state }]) => state.status === 'waiting');
  }

  #state() {
    const { executed } = this;
    const whole = executed === SIZE ? ORDER_STATUS.FILLED : ORDER_STATUS.PARTIALLY_FILLED;
    const open = this.#status === undefined || !isFinal(this.#status);
    return {
      ...{ clientId: CLIENT, venueOrderId: 'p1' as VenueOrderId, symbol: 'BTCUSDT' },
      status: open && executed > ZERO ? whole : (this.#status ?? ORDER_STATUS.OPEN),
      cumulativeQuantity: executed,
      cumulativeQuote: (executed * 100n) as Amount,
      time: this.algos.now,
    };
  }

  fill(wanted: Amount, reported: boolean): void {
    const rest = minus(SIZE, this.executed);
    const part = wanted < rest ? wanted : rest;
    if (part <= ZERO || isFinal(this.#state().status)) return;
    const fill: VenueFill = {
      ...{ tradeId: `b${this.fills.length}` as VenueTradeId, venueOrderId: 'p1' as VenueOrderId },
      ...{ price: amount('100'), quantity: part, quoteQuantity: (part * 100n) as Amount },
      ...{ fee: (part / 1_000n) as Amount, feeAsset: 'BTC', maker: true, time: this.algos.now },
    };
    this.fills.push(fill);
    if (reported) this.world.venue.streams.at(-1)?.onOrder({ state: this.#state(), fill });
  }

  fire(reported: boolean): void {
    const [[clientId, kept] = []] = this.waiting();
    if (clientId === undefined || kept === undefined) return;
    this.algos.fire(clientId, formatAmount(kept.request.quantity ?? ZERO));
    if (reported) this.world.venue.streams.at(-1)?.onAlgo?.(kept.state);
  }
}

async function play(steps: readonly Step[]): Promise<void> {
  const world = await openTradingWorld();
  const venue = new PairVenue(world);
  await world.account();
  await world.fund('USDT', '300');
  let desk = world.desk;
  const restart = async () => {
    await desk.stop();
    desk = await world.restarted();
    await world.pass(500);
  };
  const until = async (point: (typeof POINTS)[number] | undefined, act: () => unknown) => {
    world.diesAt(point);
    await act();
    await world.pass(1_000);
    if (point !== undefined) await restart();
  };
  const cancel = () => {
    const asked = { platformType: 43, orderId: ID } as never;
    return desk.handlers['connextrade/CancelOrder']({ ...CALLER, now: world.time.clock() }, asked).catch(
      () => undefined,
    );
  };
  const playOne = async (one: Step) => {
    if (one.do === 'wait') await world.pass(one.millis, 1_000);
    else if (one.do === 'restart') await restart();
    else if (one.do === 'fill') await until(one.dies, () => venue.fill(one.quantity, one.tells));
    else if (one.do === 'fire') await until(one.dies, () => venue.fire(one.tells));
    else {
      venue.algos.next = [...one.fates];
      await until(one.dies, () => (one.filled ? venue.fill(SIZE, true) : cancel()));
    }
    // Coins are never promised twice.
    const waits = venue.waiting().reduce((sum, [, { request }]) => plus(sum, request.quantity ?? ZERO), ZERO);
    expect(waits).toBeLessThanOrEqual(minus(venue.arrived, venue.sold));
  };
  try {
    await desk.start();
    world.best = { bid: amount('99.9'), ask: amount('100.1'), receivedAt: world.time.clock() };
    const order = {
      platformType: 43,
      tinstType: 1,
      symbol: 'BTCUSDT',
      side: 1,
      orderType: 1,
      timeInForce: 1,
    };
    const targets = { takeProfit: amount('120'), stopLoss: amount('80'), clientId: ID };
    const asked = { ...order, price: amount('100'), quantity: SIZE, ...targets } as never;
    const caller = { ...CALLER, now: world.time.clock() };
    expect(await desk.handlers['connextrade/PlaceOrder'](caller, asked)).toMatchObject({ ok: true });
    for (const one of steps) await playOne(one);
    venue.algos.next = [];
    await cancel();
    await world.pass(180_000, 2_500);
    await claims(venue);
  } finally {
    await world.close();
  }
}

async function claims(venue: PairVenue): Promise<void> {
  const { world, arrived, sold, executed } = venue;
  expect(await world.order(ID)).toMatchObject({ settled: true, cumQuantity: executed });
  const legs = (await world.deps.algos.ofParent(ID)).filter(({ payloadHash }) => payloadHash !== NO_ROOM);
  const due = floorTo(arrived, BTCUSDT.lotSize);
  // One pair of legs, for just what has arrived; both are never apart.
  expect(legs.map(({ plan, quantity: size }) => [plan.kind, size])).toEqual(
    due >= BTCUSDT.minQty ? [['oco', due]] : [],
  );
  expect(venue.waiting()).toHaveLength(legs.filter(({ state }) => state === 'waiting').length);
  for (const { state, childId, quantity: size } of legs) {
    if (state !== 'fired') continue;
    const child = childId === undefined ? undefined : await world.order(childId);
    expect(child).toMatchObject({ quantity: size, cumQuantity: size, settled: true });
  }
  // What the member has is what came and went, and only what waits is held.
  const text = (total: Amount, held: Amount) =>
    held === ZERO ? formatAmount(total) : `${formatAmount(total)} (${formatAmount(held)} held)`;
  const held = legs.some(({ state }) => state === 'waiting') ? due : ZERO;
  const wallet = await world.wallet();
  expect(wallet.BTC ?? '0').toBe(text(minus(arrived, sold), held));
  const fee = sold === ZERO ? ZERO : amount('0.09');
  const earned = minus((sold * 90n) as Amount, fee);
  expect(wallet.USDT).toBe(formatAmount(plus(minus(amount('300'), (executed * 100n) as Amount), earned)));
  expect(world.incidents.filter((incident) => !incident.startsWith('balances differ'))).toEqual([]);
}

/** It fills in parts, is cancelled, and a leg works: tried in every run. */
const PARTS: readonly Step[] = [
  { do: 'fill', quantity: amount('0.9'), tells: true, dies: undefined },
  { do: 'fill', quantity: amount('0.6'), tells: false, dies: undefined },
  { do: 'end', filled: false, fates: ['lost'], dies: undefined },
  { do: 'fire', tells: true, dies: undefined },
];

test('the pair of legs of a pair is for what arrived, once, and holds it until one has sold, whatever is lost or dies', async () => {
  await fc.assert(
    fc.asyncProperty(life, (steps) => play(steps)),
    { numRuns: runs(5, 5), examples: [[[...PARTS]]] },
  );
}, 900_000);
