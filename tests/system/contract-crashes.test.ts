import { type Amount, amount, formatAmount, platformFacts } from '@crossbook/domain';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { playedHub } from '../played-hub.ts';
import { FULL, MATRIX } from '../property-runs.ts';
import {
  expectBooksEqual,
  isTooEarly,
  memberWithMargin,
  ordersOf,
  settingOf,
  trade,
} from './contract-books.ts';
import { LOST_CHANGES, type LostChange } from './contract-changes.ts';
import { CONTRACT_VENUES, type ContractVenue, otherContract } from './contract-venues.ts';
import { until } from './hub-process.ts';
import { platformOf } from './venue-money.ts';

const POINTS = [
  'before-hold',
  'after-hold',
  'after-send',
  'after-answer',
  'before-post',
  'after-post',
] as const;
type Point = (typeof POINTS)[number];

/**
 * The calls whose process is killed at a point. The campaign has all of them at every exchange. The full tier has each call at
 * each point once, at the exchanges that know the call in turn (a Latin square of calls and points, filled with exchanges), so
 * that each exchange has every call it knows at two points at least. `npm test` has an order and a closing at the first one.
 */
function killedAt(venue: ContractVenue, point: Point): readonly LostChange[] {
  const place = POINTS.indexOf(point);
  return LOST_CHANGES.filter(({ name, call }, at) => {
    const known = CONTRACT_VENUES.filter(({ calls }) => calls[call] !== undefined);
    if (MATRIX) return known.includes(venue);
    if (FULL) return known[(at + place) % known.length] === venue;
    return place === at + 3 && (name === 'an order' || name === 'closing') && known[0] === venue;
  });
}

/**
 * Carried out and not, by what the hub sees of it; before the campaign one of them at the first venue, and in the full tier
 * time-outs and silence at the others. What never arrived takes its time to prove: looking it up uses up a minute of
 * Binance's budget, which all members of this file share.
 */
const faultsAt = ({ name }: ContractVenue) => {
  if (MATRIX) return ['timeout-after', 'reset-after', 'silence-after', 'timeout-before', 'reset-before'];
  if (name === 'Binance') return ['reset-after'];
  return FULL ? ['timeout-after', 'silence-after', 'timeout-before'] : [];
};

// Proofs wait for deadlines and lookups; on a busy machine several times as long.
const WAIT_MILLIS = 900_000;
vi.setConfig({ testTimeout: WAIT_MILLIS });

// Each venue has processes of its own, so that its rows wait beside those of the others.
describe.concurrent.each(CONTRACT_VENUES.filter(({ name }) => FULL || name === 'Binance'))(
  'contracts at $name',
  (venue) => {
    describe('killed and unanswered', { concurrent: false }, () => {
      for (const point of POINTS)
        if (killedAt(venue, point).length > 0)
          describe(`a process killed ${point}`, () => claimKilled(venue, point));
      describe('calls without an answer', () => claimUnanswered(venue));
    });
  },
);

/** What was asked of the process that died of it. */
interface Asked {
  readonly change: LostChange;
  readonly member: TestBrowser;
  readonly clientId: string;
  /** How it ended. */
  readonly end: string;
}

/**
 * Every call has a member, and a process that it kills; only then it is waited for what became of each, so that the deadlines
 * of all pass at the same time.
 */
function claimKilled(venue: ContractVenue, point: Point): void {
  const { simulator, hub } = playedHub({ PLATFORM_3: 'live' });
  const parts = () => ({ hub, simulator });
  const changes = killedAt(venue, point);
  const asked = new Map<LostChange, Asked>();

  async function prepared(change: LostChange): Promise<Omit<Asked, 'end'>> {
    const member = await memberWithMargin(parts(), venue, '1000');
    await settingOf(member, venue);
    await change.before?.(member, venue, parts());
    return { change, member, clientId: crypto.randomUUID() };
  }

  /** How the process ended that was asked; it may hear the market's prices a moment after it began. */
  const endOf = (ask: () => ReturnType<LostChange['ask']>): Promise<string> =>
    until(
      () =>
        ask().then(
          (answer) => (isTooEarly(answer) ? 'too early' : `alive, answered with ${JSON.stringify(answer)}`),
          (error: Error) => (wasThere(error) ? hub.ended() : 'dead before it was asked'),
        ),
      (end) => end !== 'too early',
    );

  beforeAll(async () => {
    const all = await Promise.all(changes.map(prepared));
    for (const { change, member, clientId } of all) {
      await hub.kill();
      await hub.again({ CRASH_AT: point });
      const end = await endOf(() => change.ask(member, venue, clientId));
      asked.set(change, { change, member, clientId, end });
      if (!point.endsWith('-post')) continue;
      // Else the next process would book this one, and die of that. The row itself says what is wrong with it.
      await hub.kill();
      await hub.again();
      await change.ended(parts(), member, venue).catch(() => undefined);
    }
    await hub.kill();
    await hub.again();
  }, WAIT_MILLIS);

  test.each(changes)('by $name: the next one finds out what became of it', async (change) => {
    const { member, clientId, end } = asked.get(change) as Asked;
    expect(end).toBe('signal SIGKILL');
    const done = await change.ended(parts(), member, venue);
    if (point === 'before-hold') expect(done).toBe(false);
    if (point === 'after-hold') expect(done).toBe(change.resumes === true);
    if (point === 'after-answer' || point.endsWith('-post')) expect(done).toBe(true);
    await change.ask(member, venue, clientId);
    await change.ended(parts(), member, venue);
    await expectBooksEqual(parts(), member, venue);
  });
}

/** Whether a process took the connection that broke. */
function wasThere({ cause }: Error): boolean {
  return (cause as { readonly code?: string } | undefined)?.code !== 'ECONNREFUSED';
}

function claimUnanswered(venue: ContractVenue): void {
  const { simulator, hub } = playedHub({ PLATFORM_3: 'live' });

  const parts = () => ({ hub, simulator });
  const { platformType, symbol } = venue;
  const platform = platformOf(venue);
  const { slug } = platformFacts(platform);

  test.each(faultsAt(venue))('calls that meet %s: each is proved, none is made twice', async (kind) => {
    const tried = [];
    // A lost cancel is a claim of each connector as well, and what turns a position around is an order.
    const withAlike = MATRIX || (FULL && venue.name === 'Binance');
    const lost = LOST_CHANGES.filter(({ alike }) => withAlike || alike === undefined);
    for (const change of lost.filter(({ call }) => venue.calls[call] !== undefined)) {
      const member = await memberWithMargin(parts(), venue, '1000');
      await settingOf(member, venue);
      await change.before?.(member, venue, parts());
      const clientId = crypto.randomUUID();
      await simulator.admin('faults', { kind, match: venue.calls[change.call] ?? '', count: 1 });
      const answer = change.ask(member, venue, clientId);
      let early: unknown;
      void answer.then((answered) => {
        early = answered;
      });
      const met = await until(
        async () => (await simulator.armedFaults()) === 0,
        (gone) => gone || early !== undefined,
      );
      expect([change.name, met || early]).toEqual([change.name, true]);
      tried.push({ change, member, clientId, answer });
    }
    const carriedOut = kind.endsWith('after');
    for (const { change, member, clientId, answer } of tried) {
      const what = `${change.name}, ${kind}`;
      // Done, or 1006: the outcome is not known yet.
      expect([1, 1006], what).toContain((await answer).code);
      expect([what, await change.ended(parts(), member, venue)]).toEqual([what, carriedOut]);
      await change.ask(member, venue, clientId);
      await change.ended(parts(), member, venue);
      await expectBooksEqual(parts(), member, venue);
    }
  });

  test('what happened while nobody was there (liquidation, deleveraging, funding) is found and booked at the next start', async () => {
    // Nobody else of this file has a position in it: whom deleveraging takes from is certain.
    const eth = otherContract(venue);
    const [fallen, paying, winner] = [
      await memberWithMargin(parts(), venue, '200'),
      await memberWithMargin(parts(), venue, '5000'),
      await memberWithMargin(parts(), eth, '5000'),
    ];
    await trade(fallen, venue);
    await trade(paying, venue);
    await trade(winner, eth);
    const [held] = (await simulator.contractsOf(winner.tid ?? 0, platform)).positions;
    const lots = (held?.lots ?? 0) / 2;
    const deleverage = () =>
      simulator.admin('deleverage', { venue: slug, symbol: eth.symbol, side: 'long', lots });
    await hub.kill();
    await deleverage();
    await simulator.admin('funding', { venue: slug, symbol });
    await simulator.admin('shock', { venue: slug, market: 'perps', symbol, factor: 0.75 });
    await until(
      () => simulator.contractsOf(fallen.tid ?? 0, platform),
      ({ positions }) => positions.every(({ lots: left }) => left === 0),
    );
    await hub.again();
    const half = formatAmount((amount(eth.size) / 2n) as Amount);
    expect(await expectBooksEqual(parts(), fallen, venue)).toEqual([]);
    expect(await expectBooksEqual(parts(), paying, venue)).toEqual([`${symbol} 0 ${venue.size}`]);
    expect(await expectBooksEqual(parts(), winner, eth)).toEqual([`${eth.symbol} 0 ${half}`]);
    const { data: history } = await fallen.call('connextrade/PositionHistory', {});
    expect(history?.rows).toMatchObject([{ ended: 'liquidated', maxQuantity: venue.size }]);
    for (const member of [fallen, paying]) {
      const { data } = await member.call('x/trade/FundingHistory', {});
      // Each payment once; an hour of funding may have come meanwhile.
      const times = (data?.rows ?? []).map(({ time }) => time);
      expect(times).toHaveLength(new Set(times).size);
      expect(times.length).toBeGreaterThan(0);
    }
    const rows = await ordersOf(winner, eth);
    expect(rows.map(({ cause, side, quantity, status }) => [cause, side, quantity, status])).toEqual([
      ['deleveraging', 2, half, 4],
      ['order', 1, eth.size, 4],
    ]);
    const { data: closed } = await paying.call('connextrade/ClosePosition', {
      ...{ platformType, symbol, effect: 0 },
    });
    expect(closed).toMatchObject({ outcome: 'sent' });
    await expectBooksEqual(parts(), paying, venue);
    // The other half while it listens.
    await deleverage();
    expect(await expectBooksEqual(parts(), winner, eth)).toEqual([]);
    const { data: ended } = await winner.call('connextrade/PositionHistory', {});
    expect(ended?.rows).toMatchObject([{ ended: 'deleveraged', maxQuantity: eth.size }]);
  });
}
