import { platformFacts } from '@crossbook/domain';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  CONTRACT_VENUES,
  type ContractVenue,
  expectBooksEqual,
  memberWithMargin,
  ordersOf,
  settingOf,
  trade,
} from './contract-books.ts';
import { LOST_CHANGES } from './contract-changes.ts';
import {
  type HubProcess,
  type SimulatorProcess,
  startHubProcess,
  startSimulatorProcess,
  until,
} from './hub-process.ts';
import { platformOf } from './venue-money.ts';

const FULL = process.env.TEST_TIER === 'full';
const POINTS = [
  'before-hold',
  'after-hold',
  'after-send',
  'after-answer',
  'before-post',
  'after-post',
] as const;
/** The first venue has every call at a point of its own, the others two of them; in the full tier each at all of them. */
const crashesAt = ({ name, calls }: ContractVenue) =>
  LOST_CHANGES.filter(({ call }) => calls[call] !== undefined).flatMap((change, at) =>
    POINTS.filter((_, place) => FULL || place === (at + 3) % POINTS.length)
      .filter(() => FULL || name === 'Binance' || ['place', 'leverage'].includes(change.call))
      .map((point) => ({ ...{ point, change }, what: `${change.name}, ${point}` })),
  );
/** Carried out and not, by what the hub sees of it; what never arrived takes its time to prove. */
const faultsAt = () =>
  // Looking up what never arrived uses up a minute of Binance's budget, which all members of this file share.
  FULL
    ? ['timeout-after', 'reset-after', 'silence-after', 'timeout-before', 'reset-before']
    : ['reset-after'];

// Proofs wait for deadlines and lookups; on a busy machine several times as long.
vi.setConfig({ testTimeout: 900_000 });

let simulator: SimulatorProcess;
let hub: HubProcess;

beforeAll(async () => {
  simulator = await startSimulatorProcess();
  hub = await startHubProcess(simulator, { PLATFORM_3: 'live' });
});
afterAll(async () => {
  await hub?.stop();
  await simulator?.stop();
});

const parts = () => ({ hub, simulator });

describe.each(CONTRACT_VENUES)('contracts at $name', (venue) => {
  const { platformType, symbol } = venue;
  const platform = platformOf(venue);
  const { slug } = platformFacts(platform);

  test.each(crashesAt(venue))(
    'a process killed by $what: the next one finds out what became of it',
    async (crash) => {
      const { change, point } = crash;
      const member = await memberWithMargin(parts(), venue, '1000');
      await settingOf(member, venue);
      await change.before?.(member, venue);
      await hub.kill();
      await hub.again({ CRASH_AT: point });
      const clientId = crypto.randomUUID();
      await expect(change.ask(member, venue, clientId)).rejects.toThrow();
      expect(await hub.ended()).toBe('signal SIGKILL');
      await hub.again();
      const done = await change.ended(parts(), member, venue);
      if (point === 'before-hold' || point === 'after-hold') expect(done).toBe(false);
      if (point === 'after-answer' || point === 'after-post') expect(done).toBe(true);
      await change.ask(member, venue, clientId);
      await change.ended(parts(), member, venue);
      await expectBooksEqual(parts(), member, venue);
    },
  );

  test('a process killed while it closes everything: what it had closed is booked, the rest is closed when asked again', async () => {
    const member = await memberWithMargin(parts(), venue, '1000');
    await trade(member, venue);
    await hub.kill();
    await hub.again({ CRASH_AT: 'after-answer' });
    await expect(member.call('connextrade/ClosePositionAll', {})).rejects.toThrow();
    await hub.again();
    expect(await expectBooksEqual(parts(), member, venue)).toEqual([]);
    expect(await member.call('connextrade/ClosePositionAll', {})).toMatchObject({ code: 1, data: [] });
    expect((await ordersOf(member, venue)).map(({ side, status }) => [side, status])).toEqual([
      [2, 4],
      [1, 4],
    ]);
  });

  test.each(faultsAt())('calls that meet %s: each is proved, none is made twice', async (kind) => {
    const tried = [];
    for (const change of LOST_CHANGES.filter(({ call }) => venue.calls[call] !== undefined)) {
      const member = await memberWithMargin(parts(), venue, '1000');
      await settingOf(member, venue);
      await change.before?.(member, venue);
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

  test('what happened while nobody was there is found and booked at the next start', async () => {
    const [fallen, paying] = [
      await memberWithMargin(parts(), venue, '200'),
      await memberWithMargin(parts(), venue, '5000'),
    ];
    await trade(fallen, venue);
    await trade(paying, venue);
    await hub.kill();
    await simulator.admin('funding', { venue: slug, symbol });
    await simulator.admin('shock', { venue: slug, market: 'perps', symbol, factor: 0.75 });
    await until(
      () => simulator.contractsOf(fallen.tid ?? 0, platform),
      ({ positions }) => positions.every(({ lots }) => lots === 0),
    );
    await hub.again();
    expect(await expectBooksEqual(parts(), fallen, venue)).toEqual([]);
    expect(await expectBooksEqual(parts(), paying, venue)).toHaveLength(1);
    const { data: history } = await fallen.call('connextrade/PositionHistory', {});
    expect(history?.rows).toMatchObject([{ ended: 'liquidated', maxQuantity: venue.size }]);
    for (const member of [fallen, paying]) {
      const { data } = await member.call('x/trade/FundingHistory', {});
      expect(data?.rows).toHaveLength(1);
    }
    const { data: closed } = await paying.call('connextrade/ClosePosition', {
      ...{ platformType, symbol, effect: 0 },
    });
    expect(closed).toMatchObject({ outcome: 'sent' });
    await expectBooksEqual(parts(), paying, venue);
  });
});
