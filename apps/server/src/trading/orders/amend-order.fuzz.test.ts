import { type Amount, amount, isFinal, minus, plus } from '@crossbook/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import { CALLER, openTradingWorld } from '../trading-world.fixture.ts';
import { type AmendFate, okxWallet, placeResting, RESTING_ID } from './resting-venue.fixture.ts';

const FATES = ['done', 'refused', 'lost-done', 'lost-not', 'late', 'broken-done', 'broken-not'] as const;
const DEAD: Partial<Record<AmendFate, AmendFate>> = { 'broken-done': 'lost-done', 'broken-not': 'lost-not' };
const POINTS = [
  'before-hold',
  'after-hold',
  'after-send',
  'after-answer',
  'before-post',
  'after-post',
] as const;
const thousandths = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((number) => amount(String(number / 1_000)));

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      price: fc.integer({ min: 500, max: 1_600 }).map((tenths) => amount(String(tenths / 10))),
      quantity: thousandths(100, 3_000),
      fate: fc.constantFrom<AmendFate>(...FATES),
      fills: thousandths(0, 800),
      dies: fc.option(fc.constantFrom(...POINTS), { nil: undefined, freq: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fill' as const),
      quantity: thousandths(1, 900),
      reported: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), millis: fc.constantFrom(500, 4_000, 20_000) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'arrive' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' } as const) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const RUNS = runs(8, 4);

/** Plays the steps, then cancels what is left and lets everything come to its end. */
async function play(steps: readonly Step[]): Promise<void> {
  const world = await openTradingWorld();
  const venue = await placeResting(world, '1000');
  let desk = world.desk;
  const call = (name: 'connextrade/ReplaceOrder' | 'connextrade/CancelOrder', part: object) =>
    desk.handlers[name]({ ...CALLER, now: world.time.clock() }, {
      ...{ platformType: 41, orderId: RESTING_ID },
      ...part,
    } as never).catch(() => undefined);
  const restart = async () => {
    await desk.stop();
    desk = await world.restarted();
    await world.pass(500);
  };
  const change = async ({ price, quantity, fate, fills, dies }: Extract<Step, { do: 'change' }>) => {
    // Nobody waits for the answer to a process that is dead.
    venue.fate = dies === undefined ? fate : (DEAD[fate] ?? fate);
    venue.whileAsked = () => void venue.fill(fills);
    world.diesAt(dies);
    const sent = venue.amendments.length;
    await call('connextrade/ReplaceOrder', { price, quantity });
    expect(venue.amendments.length - sent).toBeLessThanOrEqual(1);
    if (dies !== undefined) await restart();
  };
  try {
    await desk.start();
    for (const one of steps) {
      if (one.do === 'change') await change(one);
      else if (one.do === 'fill') venue.fill(one.quantity, one.reported);
      else if (one.do === 'wait') await world.pass(one.millis);
      else if (one.do === 'arrive') venue.arrive();
      else await restart();
    }
    await call('connextrade/CancelOrder', {});
    await world.pass(45_000, 1_500);
    const order = await world.order(RESTING_ID);
    expect(isFinal(order.status)).toBe(true);
    expect(order).toMatchObject({ settled: true, cumQuantity: venue.executed, cumQuote: venue.spent });
    const left = (total: Amount) => String(Number(total) / 1e18);
    const wallet = await okxWallet(world);
    const usdt = minus(amount('1000'), venue.spent);
    // Every unit in its place, and nothing held.
    expect(wallet).toEqual({
      ...(usdt === 0n ? {} : { USDT: expect.not.stringContaining('held') }),
      ...(venue.executed === 0n ? {} : { BTC: expect.not.stringContaining('held') }),
    });
    const rows = await world.ledger.tradingBalances(CALLER.user, 2);
    const total = (asset: string) => rows.find((row) => row.asset === asset)?.total ?? (0n as Amount);
    expect([left(total('USDT')), left(total('BTC'))]).toEqual([left(usdt), left(venue.executed)]);
    expect(plus(total('USDT'), venue.spent)).toBe(amount('1000'));
    expect(world.incidents).toEqual([]);
    // What the row shows is what the venue had last.
    if (order.amendment === undefined)
      expect([order.price, order.quantity]).toEqual([venue.price, venue.quantity]);
  } finally {
    await world.close();
  }
}

test('whatever is lost, fills or dies on the way of changes: fills are booked once, all of them were held, nothing stays held', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 9 }), play), {
    numRuns: RUNS,
    seed: 20_261_123,
  });
}, 600_000);
