import type { CallAnswer, CallHandlers, CallResponse, MemberCaller } from '@crossbook/contract';
import { AMOUNT_ONE, type Amount, formatAmount, type Millis, minus, type UserId } from '@crossbook/domain';
import { pricesSince } from './last-prices.ts';
import type { EquityHolding, EquitySnapshot, EquityStore, LastPrices } from './ports.ts';

const DAY_MILLIS = 86_400_000;
/** A price this old still counts as current. */
const PRICE_AGE_MILLIS_MAX = 5_000;
/** How often the clock is looked at for midnight. */
const LOOK_EVERY_MILLIS = 1_000;
/** A round in which members had to be left out is tried again after this. */
const RETRY_DELAY_MILLIS = 5_000;
/** A reading taken later than this after 00:00 UTC is not midnight's: the day has no snapshot then. */
const SNAPSHOT_LATE_MILLIS_MAX = 600_000;
/** Members recorded by one statement. */
const MEMBERS_PER_STATEMENT_MAX = 500;

/** What the estimate needs from outside. */
export interface EquityDeps {
  readonly equities: EquityStore;
  readonly lastPrices: LastPrices;
  readonly clock: () => Millis;
  readonly every: (millis: number, run: () => Promise<void>) => () => void;
  readonly note: (event: string, facts: Readonly<Record<string, unknown>>) => void;
}

/** The estimated balance: its call, and the job that records it at each 00:00 UTC. */
export interface EquityDesk {
  readonly handlers: Pick<CallHandlers, 'x/wallet/Equity'>;
  start(): void;
  stop(): Promise<void>;
}

type Equity = CallResponse<'x/wallet/Equity'>;

/** Puts the estimate and its midnight job together. */
export function createEquityDesk(deps: EquityDeps): EquityDesk {
  const job = new SnapshotJob(deps);
  let stopTimer = (): void => undefined;
  return {
    handlers: { 'x/wallet/Equity': (caller) => equity(deps, caller) },
    start() {
      stopTimer = deps.every(LOOK_EVERY_MILLIS, () => job.snapshotIfDue());
    },
    async stop() {
      stopTimer();
      await job.stop();
    },
  };
}

function startOfDay(now: Millis): Millis {
  return (now - (now % DAY_MILLIS)) as Millis;
}

async function equity(deps: EquityDeps, caller: MemberCaller): Promise<CallAnswer<Equity>> {
  const list = await deps.lastPrices((deps.clock() - PRICE_AGE_MILLIS_MAX) as Millis);
  const time = deps.clock();
  const { holdings, start } = await deps.equities.reading(caller.user, startOfDay(time));
  return { ok: true, value: { ...estimate(holdings, start, pricesSince(list, undefined)), time } };
}

/** Largest whole number of 1e-18 not above a value in 1e-36, negative ones too. */
function floorTo18(value: bigint): Amount {
  const cut = value / AMOUNT_ONE;
  return (value < 0n && cut * AMOUNT_ONE !== value ? cut - 1n : cut) as Amount;
}

/**
 * What holdings are worth and how that changed today. Products are kept exact and rounded down once, and the transfers
 * are told as what lies between two rounded figures: so `change = equity - start - netTransfers` holds to the last digit,
 * and is zero when nothing but transfers happened and prices stood still.
 * @returns `change` is null without a snapshot, or when other assets had no price then than now: the two sums are then
 *   not of the same things.
 */
export function estimate(
  holdings: readonly EquityHolding[],
  start: EquitySnapshot | undefined,
  prices: ReadonlyMap<string, Amount>,
): Omit<Equity, 'time'> {
  let worth = 0n;
  let moved = 0n;
  let movedUnpriced = false;
  const missing: string[] = [];
  for (const holding of holdings) {
    const price = prices.get(holding.asset);
    if (price === undefined) {
      if (holding.total > 0n) missing.push(holding.asset);
      movedUnpriced ||= holding.moved !== 0n;
      continue;
    }
    worth += holding.total * price;
    moved += holding.moved * price;
  }
  const now = floorTo18(worth);
  const withoutTransfers = floorTo18(worth - moved);
  const comparable = start !== undefined && !movedUnpriced && sameAssets(start.unpriced, missing);
  const change = comparable ? minus(withoutTransfers, start.equity) : undefined;
  return {
    equity: formatAmount(now),
    day: {
      start: start === undefined ? null : formatAmount(start.equity),
      netTransfers: formatAmount(minus(now, withoutTransfers)),
      change: change === undefined ? null : formatAmount(change),
      changeRate: change === undefined || start === undefined ? null : rateOf(change, start.equity),
    },
    missing,
  };
}

function sameAssets(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((asset) => right.includes(asset));
}

/** A change as a fraction of what it started from, rounded toward zero. */
function rateOf(change: Amount, start: Amount): string | null {
  return start === 0n ? null : formatAmount(((change * AMOUNT_ONE) / start) as Amount);
}

/** Records every member's equity once a day, in the first minutes after 00:00 UTC or not at all. */
class SnapshotJob {
  readonly #deps: EquityDeps;
  #round: Promise<void> | undefined;
  /** The day that is recorded, or was given up. */
  #doneDay = -1;
  #notBefore = 0;
  #stopped = false;

  constructor(deps: EquityDeps) {
    this.#deps = deps;
  }

  /** Looks whether a day has begun that is not recorded yet; resolves when what that brought is over. Never rejects. */
  snapshotIfDue(): Promise<void> {
    const now = this.#deps.clock();
    const dayStart = startOfDay(now);
    if (this.#round !== undefined) return this.#round;
    if (this.#stopped || this.#doneDay === dayStart || now < this.#notBefore) return Promise.resolve();
    if (now - dayStart >= SNAPSHOT_LATE_MILLIS_MAX) {
      this.#doneDay = dayStart;
      // A process that started later never tried.
      if (this.#notBefore > dayStart) this.#deps.note('equity snapshots given up for today', { dayStart });
      return Promise.resolve();
    }
    this.#round = this.#record(dayStart)
      .catch((error) => {
        this.#deps.note('equity snapshots failed', { dayStart, error: String(error) });
        return false;
      })
      .then((done) => {
        if (done) this.#doneDay = dayStart;
        else this.#notBefore = this.#deps.clock() + RETRY_DELAY_MILLIS;
        this.#round = undefined;
      });
    return this.#round;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#round;
  }

  /** @returns whether nobody is left: members whose assets have no price yet wait while a venue has not told its list. */
  async #record(dayStart: Millis): Promise<boolean> {
    const { clock, lastPrices, equities, note } = this.#deps;
    const since = Math.max(dayStart, clock() - PRICE_AGE_MILLIS_MAX) as Millis;
    const list = await lastPrices(since);
    const prices = pricesSince(list, since);
    let afterUser: UserId | 0 = 0;
    let left = 0;
    let recorded = 0;
    for (;;) {
      const now = clock();
      if (this.#stopped || now - dayStart >= SNAPSHOT_LATE_MILLIS_MAX) return false;
      const { complete } = list;
      const round = { dayStart, now, prices, complete, afterUser, membersMax: MEMBERS_PER_STATEMENT_MAX };
      const batch = await equities.record(round);
      left += batch.left;
      recorded += batch.recorded;
      if (batch.lastUser === undefined) break;
      afterUser = batch.lastUser;
    }
    if (left > 0) note('equity snapshots wait for prices', { dayStart, recorded, left });
    return left === 0;
  }
}
