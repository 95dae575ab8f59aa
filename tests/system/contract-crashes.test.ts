import { type Amount, amount, formatAmount, platformFacts } from '@crossbook/domain';
import { describe, expect, test, vi } from 'vitest';
import { playedHub } from '../played-hub.ts';
import { FULL, MATRIX } from '../property-runs.ts';
import { expectBooksEqual, memberWithMargin, ordersOf, settingOf, trade } from './contract-books.ts';
import { LOST_CHANGES } from './contract-changes.ts';
import { CONTRACT_VENUES, type ContractVenue } from './contract-venues.ts';
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
/**
 * `npm test` has an order and a closing at the first venue, the full tier every call there and an order at each other venue, at a
 * point of its own; the campaign has all calls at all points of all venues.
 */
const crashesAt = ({ name, calls }: ContractVenue) =>
  LOST_CHANGES.filter(({ call }) => calls[call] !== undefined).flatMap((change, at) =>
    POINTS.filter((_, place) => MATRIX || place === (at + 3) % POINTS.length)
      .filter(() => MATRIX || name === 'Binance' || change.name === 'an order')
      .filter(() => FULL || change.name === 'an order' || change.name === 'closing')
      .map((point) => ({ ...{ point, change }, what: `${change.name}, ${point}` })),
  );
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

/** A contract that nobody else of this file has a position in: whom deleveraging takes from is certain. */
const ETH: Readonly<Record<ContractVenue['platformType'], Pick<ContractVenue, 'symbol' | 'lot' | 'size'>>> = {
  43: { symbol: 'ETHUSDT', lot: amount('0.001'), size: '0.4' },
  41: { symbol: 'ETH-USDT-SWAP', lot: amount('0.01'), size: '4' },
  42: { symbol: 'ETHUSDT', lot: amount('0.01'), size: '0.4' },
};

// Proofs wait for deadlines and lookups; on a busy machine several times as long.
vi.setConfig({ testTimeout: 900_000 });

// Each venue has processes of its own, so that its rows wait beside those of the others.
describe.concurrent.each(CONTRACT_VENUES.filter(({ name }) => FULL || name === 'Binance'))(
  'contracts at $name',
  (venue) => {
    describe('killed and unanswered', { concurrent: false }, () => claimCrashes(venue));
  },
);

function claimCrashes(venue: ContractVenue): void {
  const { simulator, hub } = playedHub({ PLATFORM_3: 'live' });

  const parts = () => ({ hub, simulator });
  const { platformType, symbol } = venue;
  const platform = platformOf(venue);
  const { slug } = platformFacts(platform);

  test.each(crashesAt(venue))(
    'a process killed by $what: the next one finds out what became of it',
    async (crash) => {
      const { change, point } = crash;
      const member = await memberWithMargin(parts(), venue, '1000');
      await settingOf(member, venue);
      await change.before?.(member, venue, parts());
      await hub.kill();
      await hub.again({ CRASH_AT: point });
      const clientId = crypto.randomUUID();
      await expect(change.ask(member, venue, clientId)).rejects.toThrow();
      expect(await hub.ended()).toBe('signal SIGKILL');
      await hub.again();
      const done = await change.ended(parts(), member, venue);
      if (point === 'before-hold') expect(done).toBe(false);
      if (point === 'after-hold') expect(done).toBe(change.resumes === true);
      if (point === 'after-answer' || point === 'after-post') expect(done).toBe(true);
      await change.ask(member, venue, clientId);
      await change.ended(parts(), member, venue);
      await expectBooksEqual(parts(), member, venue);
    },
  );

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
    const eth = { ...venue, ...ETH[platformType] };
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
      expect(data?.rows).toHaveLength(1);
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
