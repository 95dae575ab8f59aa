import { expect, test } from 'vitest';
import { type Permit, VenueArbiter } from '../arbiter/venue-arbiter.ts';
import { ScriptedTime } from '../trading/scripted-transport.fixture.ts';
import { ACCOUNT_CALLS } from './limits.ts';

/** Orders that the exchange takes of an account in any second, counted when their call reaches it (rate-limit, 2026-07-24). */
const TAKEN = [
  ['placeSeveral', 20],
  ['placeSeveralLinear', 10],
  ['cancelSeveral', 20],
  ['cancelSeveralLinear', 10],
] as const;

/** How long calls are on their way, one after the other. */
const WAYS = [140, 0, 90, 10];

test.each(TAKEN)(
  '%s: calls of ten that are on their way for different times fit into %i a second',
  (name, taken) => {
    const time = new ScriptedTime();
    const arbiter = new VenueArbiter({ clock: time.clock, timers: time });
    const weight = Math.min(10, ACCOUNT_CALLS[name].weightMax);
    const costs = [{ scope: ACCOUNT_CALLS[name], key: 'account', weight }];
    const ask = () =>
      arbiter.ask({ requestClass: 'order', member: 'account', waitMillisMax: 0, costs }) as Permit;
    const arrivals: number[] = [];
    for (let call = 0; call < 8; call += 1) {
      for (let permit = ask(); !permit.granted; permit = ask()) time.advance(permit.retryAfterMillis);
      const way = WAYS[call % WAYS.length] ?? 0;
      arrivals.push(...Array.from({ length: weight }, () => time.clock() + way));
    }
    const inSecondOf = (at: number) => arrivals.filter((one) => one > at - 1_000 && one <= at).length;
    expect(Math.max(...arrivals.map(inSecondOf))).toBe(taken);
  },
);
