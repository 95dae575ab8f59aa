import type { SymbolType, UserId } from '@crossbook/domain';
import { type CountdownOffer, VENUE_PROFILES } from '@crossbook/venues';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import {
  type Count,
  type CountPart,
  partKey,
  planCountdowns,
  type RestingPlace,
  wantedParts,
} from './countdown-plan.ts';

const MEMBERS = [1, 2, 3, 4].map((user) => user as UserId);
const MARKETS: readonly (readonly [SymbolType, string])[] = [
  ['SPOT', 'BTCUSDT'],
  ['SWAP', 'BTCUSDT'],
  ['SWAP', 'ETHUSDT'],
];

/** What happens in a second: a choice, an order that comes or goes, or an exchange that answers nothing for a while. */
const event = fc.oneof(
  fc.record({ do: fc.constant('choice' as const), user: fc.constantFrom(...MEMBERS), which: fc.nat(3) }),
  fc.record({
    do: fc.constant('order' as const),
    ...{ user: fc.constantFrom(...MEMBERS), market: fc.constantFrom(...MARKETS) },
  }),
  fc.record({ do: fc.constant('silence' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ do: fc.constant('restart' as const) }),
);
const script = fc.array(fc.tuple(fc.integer({ min: 1, max: 90 }), event), { maxLength: 25 });

/** An exchange that counts, a hub that looks once a second, and members who change their minds. */
class Play {
  readonly offer: CountdownOffer;
  readonly chosen = new Map<UserId, number>();
  readonly orders = new Map<string, RestingPlace>();
  /** What the exchange counts, and when it cancels. */
  readonly venue = new Map<string, number>();
  counts = new Map<string, Count>();
  readonly fired: string[] = [];
  /** Calls by minute that had an answer. */
  readonly calls: number[] = [];
  now = 0;
  silentUntil = 0;

  constructor(offer: CountdownOffer) {
    this.offer = offer;
  }

  get wanted(): ReadonlyMap<string, CountPart> {
    return wantedParts({ ...this, resting: [...this.orders.values()] });
  }

  /**
   * What a former process began is known to nobody. One that nothing rests for meanwhile is left out: what is placed in the very
   * second in which it runs out goes with it (decision 0129).
   */
  restart(): void {
    this.counts = new Map();
    for (const key of this.venue.keys()) if (!this.wanted.has(key)) this.venue.delete(key);
  }

  second(): void {
    this.now += 1_000;
    for (const [key, at] of this.venue) {
      if (at > this.now) continue;
      this.venue.delete(key);
      if (this.wanted.has(key)) this.fired.push(`${key} at ${this.now}`);
    }
    const { ask, forget } = planCountdowns({ ...this, resting: [...this.orders.values()] });
    for (const key of forget) this.counts.delete(key);
    for (const { seconds, ...part } of ask) this.#ask(part, seconds);
  }

  #ask(part: CountPart, seconds: number): void {
    const key = partKey(part);
    const { said } = this.counts.get(key) ?? {};
    const count = { ...part, seconds, triedAt: this.now, ...(said === undefined ? {} : { said }) };
    this.counts.set(key, count);
    if (this.now < this.silentUntil) return;
    const minute = Math.floor(this.now / 60_000);
    if (seconds > 0) this.calls[minute] = (this.calls[minute] ?? 0) + 1;
    if (seconds === 0) {
      this.counts.delete(key);
      this.venue.delete(key);
      return;
    }
    this.counts.set(key, { ...count, said: { at: this.now, seconds } });
    if (this.offer.counts !== 'connection') this.venue.set(key, this.now + seconds * 1_000);
  }
}

describe.each(Object.values(VENUE_PROFILES))('at $platform', ({ trading: { countdown: offer } }) => {
  const shortest = Math.min(...offer.seconds);

  function run(
    steps: readonly (readonly [number, typeof event extends fc.Arbitrary<infer E> ? E : never])[],
  ) {
    const play = new Play(offer);
    for (const [seconds, happened] of steps) {
      if (happened.do === 'choice') {
        const choice = offer.seconds[happened.which];
        if (choice === undefined) play.chosen.delete(happened.user);
        else play.chosen.set(happened.user, choice);
      } else if (happened.do === 'order') {
        const { user, market } = happened;
        const [symbolType, symbol] = market;
        const key = `${user} ${market.join()}`;
        if (!play.orders.delete(key)) play.orders.set(key, { user, symbolType, symbol });
      } else if (happened.do === 'restart') play.restart();
      // Half of the shortest time: two tries of a renewal have their turn in what is left.
      else play.silentUntil = play.now + happened.share * shortest * 500;
      for (let second = 0; second < seconds; second += 1) play.second();
    }
    return play;
  }

  test('no count runs out on what rests while the hub looks, though the exchange is silent half of the time that it counts', () => {
    fc.assert(
      fc.property(script, (steps) => {
        // A silence begins when the one before is over: each is followed by a time in which all is asked.
        const spaced = steps.map(
          ([seconds, happened]) =>
            [happened.do === 'silence' ? Math.max(seconds, shortest) : seconds, happened] as const,
        );
        expect(run(spaced).fired).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });

  test('what is wanted is counted for, and nothing else, once the exchange answers', () => {
    fc.assert(
      fc.property(script, (steps) => {
        const play = run(steps);
        play.silentUntil = 0;
        for (let second = 0; second < 320; second += 1) play.second();
        const counted = new Set(play.counts.keys());
        for (const key of play.wanted.keys()) expect(counted, 'wanted').toContain(key);
        const more = [...counted].filter((key) => !play.wanted.has(key));
        if (offer.counts === 'connection') for (const key of more) expect(key).toMatch(/^[1-4] $/);
        else expect([...more, ...[...play.venue.keys()].filter((key) => !play.wanted.has(key))]).toEqual([]);
      }),
      { numRuns: runs(40) },
    );
  });

  test('however many want one, counts together have no more calls a minute than their share, and what began goes on', () => {
    const play = new Play(offer);
    for (let user = 1; user <= 2_000; user += 1) {
      play.chosen.set(user as UserId, shortest);
      play.orders.set(String(user), { user: user as UserId, symbolType: 'SWAP', symbol: 'BTCUSDT' });
    }
    for (let second = 0; second < 900; second += 1) play.second();
    expect(play.fired).toEqual([]);
    expect(play.counts.size).toBeGreaterThan(10);
    if (offer.counts !== 'connection') expect(play.counts.size).toBeLessThan(2_000);
    // One in each look at least; what is more than the share waits before the exchange's arbiter.
    for (const calls of play.calls)
      expect(calls ?? 0).toBeLessThanOrEqual(Math.max(60, offer.callsPerMinuteMax));
    const { noRoom } = planCountdowns({ ...play, resting: [...play.orders.values()] });
    expect(play.counts.size + noRoom.size).toBe(2_000);
  });

  test('who has orders in ever so many contracts leaves room for the others', () => {
    const play = new Play(offer);
    const [many, one] = [1 as UserId, 2 as UserId];
    for (const user of [many, one]) play.chosen.set(user, shortest);
    for (let at = 0; at < 500; at += 1)
      play.orders.set(`${many} ${at}`, { user: many, symbolType: 'SWAP', symbol: `A${at}USDT` });
    for (let second = 0; second < 60; second += 1) play.second();
    play.orders.set(String(one), { user: one, symbolType: 'SWAP', symbol: 'BTCUSDT' });
    for (let second = 0; second < 600; second += 1) play.second();
    expect([...play.counts.values()].filter(({ user }) => user === one)).toHaveLength(1);
    expect(play.fired).toEqual([]);
  });
});
