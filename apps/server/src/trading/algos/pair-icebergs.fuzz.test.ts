import { SIDE, type Side } from '@crossbook/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import { ledgerBreaches } from '../../storage/ledger/ledger-check.ts';
import { CALLER, openTradingWorld } from '../trading-world.fixture.ts';
import {
  type Asset,
  ID,
  OF,
  PairVenue,
  PLATFORM,
  place,
  prepare,
  SIZE,
  sum,
} from './pair-iceberg.fixture.ts';

/**
 * An iceberg of two coins on a pair of OKX, of which the exchange makes one order after another, whatever is heard, lost or dies.
 * The exchange's own books are the naive model: the member has what they say, and nothing stays held.
 */

const POINTS = [
  ...(['before-post', 'after-post', 'before-child', 'after-child', 'after-send', 'after-answer'] as const),
  ...(['before-end', 'after-end'] as const),
];
const dies = fc.option(fc.constantFrom(...POINTS), { nil: undefined, freq: 3 });
const tells = fc.boolean();
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      ...{ do: fc.constant('fill' as const), mille: fc.integer({ min: 1, max: 700 }), tells, dies },
      ...{ better: fc.nat(30), feeAsset: fc.constantFrom<Asset>('BTC', 'USDT') },
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), tells, dies }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('again' as const), which: fc.nat(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), millis: fc.constantFrom(500, 20_000) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' } as const) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{
        do: fc.constant('cancel' as const),
        fate: fc.constantFrom('done', 'lost', 'dropped', 'refused'),
        dies,
      },
      /** The order that rests is taken back a moment later, and may fill until then. */
      lingers: fc.boolean(),
    }),
  },
);
const life = fc.record({
  side: fc.constantFrom<Side>(SIDE.BUY, SIDE.SELL),
  steps: fc.array(step, { minLength: 3, maxLength: 9 }),
});
type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never;
type Step = Life['steps'][number];

async function play({ side, steps }: Life): Promise<void> {
  const world = await openTradingWorld();
  const venue = new PairVenue(world, side);
  let desk = world.desk;
  let releases = 0;
  const { ledger } = world.deps;
  const { commit } = ledger;
  Object.assign(ledger, {
    commit: async (unit: Parameters<typeof commit>[0]) => {
      const done = await commit.call(ledger, unit);
      if (done.ok && unit.commands.some((command) => command.do === 'release')) releases += 1;
      return done;
    },
  });
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
  const cancel = () =>
    desk.handlers['connextrade/CancelAlgoOrder']({ ...CALLER, now: world.time.clock() }, OF).catch(
      () => undefined,
    );
  const playOne = async (one: Step) => {
    if (one.do === 'wait') await world.pass(one.millis, 1_000);
    else if (one.do === 'restart') await restart();
    else if (one.do === 'fill') await until(one.dies, () => venue.fill(one));
    else if (one.do === 'move') await until(one.dies, () => venue.move(one.tells));
    else if (one.do === 'again') {
      const event = venue.said[one.which % Math.max(1, venue.said.length)];
      if (event !== undefined) venue.tell(event);
      await world.pass(500);
    } else {
      venue.algos.next = [one.fate as (typeof venue.algos.next)[number]];
      await until(one.dies, cancel);
      if (!one.lingers && venue.kept?.state.status === 'cancelled') venue.move(true);
    }
    // Never paid out of twice nor beyond it, and never ended while anything of it rests.
    expect(await ledgerBreaches(world.database.database, 'figures')).toEqual([]);
    if (venue.resting !== undefined) expect(releases).toBe(0);
  };
  try {
    await prepare(world);
    await desk.start();
    expect(await place(world, side)).toMatchObject({ ok: true, value: { state: 'waiting', executed: '0' } });
    for (const one of steps) await playOne(one);
    venue.algos.next = [];
    await cancel();
    venue.move(false);
    await world.pass(180_000, 2_500);
    await claims(venue);
    expect(releases).toBe(1);
  } finally {
    await world.close();
  }
}

async function claims(venue: PairVenue): Promise<void> {
  const { world, executed, slices } = venue;
  const row = await world.deps.algos.byId(ID);
  expect(row).toMatchObject({ state: executed === SIZE ? 'fired' : 'cancelled', executed, unknown: false });
  // Each order that it became is one of ours, over, with just what it executed.
  const { rows } = await world.orders.history(CALLER.user, PLATFORM, { limit: 100 });
  const ours = new Map(rows.map((order) => [order.venueOrderId, order]));
  for (const { id, fills } of slices) {
    const shown = ours.get(id);
    // One that nobody heard of and that did nothing may have come and gone.
    if (shown === undefined) expect(fills).toEqual([]);
    else
      expect(shown).toMatchObject({
        ...{ algoId: ID, sharesHold: true, settled: true, cumQuantity: sum(fills, 'quantity') },
      });
  }
  const wallet = await world.ledger.tradingBalances(CALLER.user, PLATFORM);
  for (const [asset, owned] of Object.entries(venue.owned())) {
    const found = wallet.find((one) => one.asset === asset);
    expect([asset, found?.total ?? 0n, found?.held ?? 0n]).toEqual([asset, owned, 0n]);
  }
  expect(await ledgerBreaches(world.database.database, 'fold')).toEqual([]);
  expect(world.incidents).toEqual([]);
}

const part = (of: Partial<Extract<Step, { do: 'fill' }>> = {}): Step => ({
  ...{ do: 'fill', mille: 400, tells: true, dies: undefined, better: 5, feeAsset: 'BTC', ...of },
});
/** It fills in parts, moves, is cancelled, and what lingers fills a last time: tried in every run. */
const PARTS: Life = {
  side: SIDE.BUY,
  steps: [
    ...[
      part(),
      part({ tells: false, feeAsset: 'USDT' }),
      { do: 'move', tells: true, dies: undefined } as const,
    ],
    ...[part({ dies: 'before-child' }), { do: 'again', which: 0 } as const],
    { do: 'cancel', fate: 'lost', dies: 'after-send', lingers: true },
    part({ mille: 100, tells: false }),
  ],
};

/** All of it fills, the last part unheard. */
const WHOLE: Life = {
  side: SIDE.BUY,
  steps: [part({ mille: 700 }), part({ mille: 700, dies: 'after-post' }), part({ mille: 600, tells: false })],
};

test('the orders of an iceberg of a pair are paid out of its hold, once, and it ends once, whatever is lost or dies', async () => {
  await fc.assert(
    fc.asyncProperty(life, (lived) => play(lived)),
    { numRuns: runs(4, 3), examples: [[PARTS], [{ ...PARTS, side: SIDE.SELL }], [WHOLE]] },
  );
}, 900_000);
