import type { Millis } from '@crossbook/domain';
import type { PerpExchange } from '../../../perp-exchange.ts';
import { openQuietVenue } from '../../../quiet-venue.fixture.ts';
import type { PerpFacts } from '../../../venue.ts';
import { DialectRig, openServer, randomText } from '../../wire/rig.fixture.ts';
import { BinanceFuturesDialect } from './dialect.ts';
import type { FuturesLimits } from './limits.ts';

/** For tests only: the dialect on a port of its own, over a small venue whose clock moves by hand. */

/** Friday 2027-01-08 12:00:00.500 UTC: not on the edge of any bar or window, and a quarter before a delivery. */
const BEGINNING = Date.UTC(2027, 0, 8, 12, 0, 0, 500);
const DAY_MILLIS = 86_400_000;

/** The contracts of the venue, one of them not yet open. */
function withPending(contracts: ReadonlyMap<string, PerpFacts>): ReadonlyMap<string, PerpFacts> {
  const changed = new Map(contracts);
  const doge = contracts.get('DOGEUSDT');
  if (doge === undefined) throw new Error('DOGEUSDT is not listed');
  const listedAt = (BEGINNING + DAY_MILLIS) as Millis;
  return changed.set('DOGEUSDT', { ...doge, status: 'BREAK', listedAt });
}

/** The same exchange with another list of contracts. */
function listing(perps: PerpExchange, contracts: ReadonlyMap<string, PerpFacts>): PerpExchange {
  return new Proxy(perps, {
    get: (target, name) => {
      if (name === 'contracts' || name === 'markets') return contracts;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

export class FuturesRig extends DialectRig {
  readonly #contracts = withPending(this.venue.perps.contracts);
  readonly perps: PerpExchange = listing(this.venue.perps, this.#contracts);

  /** Puts the dialect behind the port. */
  start(limits: Partial<FuturesLimits>): this {
    this.serve(
      new BinanceFuturesDialect({
        venue: {
          spot: this.venue.spot,
          perps: this.perps,
          story: this.venue.story,
          watch: (market, symbol) => this.watch(market, symbol),
        },
        faults: this.faults,
        randomText,
        limits,
        onFault: (fault) => this.complaints.push(fault),
      }),
    );
    return this;
  }
}

/** Starts a rig. Limits that tests would meet by chance are raised; name those that are under test. */
export async function startFuturesRig(limits: Partial<FuturesLimits> = {}): Promise<FuturesRig> {
  const clock = { now: BEGINNING };
  const venues = [await openQuietVenue('binance', { clock: () => clock.now as Millis })];
  const raised = { streamMessagesPerSecondMax: 1000, connectionsPer5MinutesMax: 100_000 };
  return new FuturesRig({ clock, venues, server: await openServer() }).start({ ...raised, ...limits });
}
