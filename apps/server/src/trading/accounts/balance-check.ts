import {
  type Amount,
  formatAmount,
  isResting,
  minus,
  type Platform,
  parseSignedAmount,
  plus,
  ZERO,
} from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type { AccountOwner } from '../account-pages.ts';
import { contractWallet } from '../contract-settle.ts';
import type { Doubt, TradingDeps } from '../ports.ts';
import { createRotations, oldestMillis, ownerKey, type Rotation } from '../rotation.ts';

/** Pause between two lookups for work. */
const TICK_MILLIS = 1_000;
/** Times that an account on which nothing could be concluded is tried again before its next turn. */
const BUSY_TRIES_MAX = 5;
/** An account that differed is compared again after this long, when what was missed has been asked for. */
const RECHECK_MILLIS = 10_000;
/** Differences in a row after which the member's figures count as wrong. */
const DIFFERENCES_TO_DOUBT = 2;
/** Accounts that may be under suspicion at once; more of them are one fault of the hub, found in the log. */
const SUSPECTS_MAX = 10_000;
const OWNERS_PER_PAGE = 100;

/** What a comparison came to. `busy`: something was under way, so that nothing can be concluded. */
export type Comparison = 'equal' | 'different' | 'busy';

/** Figures for metrics. */
export interface BalanceCheckStats {
  readonly compared: number;
  readonly different: number;
  readonly doubted: number;
}

/** An account that differed often enough, and what it differs in: the first asset that does. */
export interface DoubtedAccount {
  readonly owner: AccountOwner;
  readonly doubt: Doubt;
}

/** Compares members' balances at their venues with the ledger, again and again. */
export interface BalanceCheck {
  start(): void;
  /** Ends after the comparison under way. */
  stop(): Promise<void>;
  /** Why new orders of the member at the platform are refused; cancels are not. */
  doubtful(owner: AccountOwner): Doubt | undefined;
  /** Compares one account now. */
  check(owner: AccountOwner): Promise<Comparison>;
  stats(): BalanceCheckStats;
  /** Whose new orders are stopped now. */
  doubted(): readonly DoubtedAccount[];
  /** Something may have been missed: the account is compared out of its turn, when orders have been asked after. */
  doubt(owner: AccountOwner): void;
  /** How long ago the account of each platform that has waited longest was compared, or the hub started; ms. */
  oldestMillis(): ReadonlyMap<Platform, number>;
}

interface Suspicion {
  readonly owner: AccountOwner;
  differences: number;
  nextAt: number;
  /** Tries that came to nothing, since the last that did. */
  busy: number;
  /** The first asset that differed, once one did. */
  readonly found?: Doubt | undefined;
}

/** One asset in which venue and ledger disagree, for the operator. */
interface Difference {
  readonly asset: string;
  readonly ledger: string;
  readonly venue: string;
}

/**
 * Makes the check. Private streams tell of every change; this is for what they drop, so that accounts are read in turns
 * at a pace that the venue's budget hardly feels, and out of turn where something differs or a stream was silent. Nothing
 * is ever corrected: two differences in a row with nothing under way stop the member's new orders at that platform and
 * tell the operator; equal figures end it.
 * @param compareOrders asks the venue for what a stream may have dropped, before the second look.
 */
export function createBalanceCheck(
  deps: TradingDeps,
  compareOrders: (owner: AccountOwner) => void,
): BalanceCheck {
  const suspects = new Map<string, Suspicion>();
  const stats = { compared: 0, different: 0 };
  let stopTimer = (): void => undefined;
  const running = new Map<Rotation, Promise<void>>();
  const rotations = createRotations((platform) => ({
    ...{ clock: deps.clock, tickMillis: TICK_MILLIS },
    pauseMillis: venueProfile(platform).trading.balanceReadEveryMillis,
    page: (after) => deps.accounts.ready(OWNERS_PER_PAGE, after),
  }));
  const ownerInTurn = createTurns(suspects, deps.clock);

  const differs = (owner: AccountOwner, found: readonly Difference[]): void => {
    const key = ownerKey(owner);
    const before = suspects.get(key)?.differences ?? 0;
    if (before === 0 && suspects.size >= SUSPECTS_MAX) return;
    const differences = before + 1;
    const suspicion = { owner, differences, nextAt: deps.clock() + RECHECK_MILLIS, busy: 0 };
    suspects.set(key, { ...suspicion, found: doubtOf(found) });
    if (differences === 1) compareOrders(owner);
    if (differences === DIFFERENCES_TO_DOUBT)
      deps.log.incident('balances differ from the venue, new orders stopped', { ...owner, found });
  };

  const check = async (owner: AccountOwner): Promise<Comparison> => {
    const found = await compare(deps, owner);
    if (found === 'busy') {
      later(owner);
      return 'busy';
    }
    rotations.find(({ platform }) => platform === owner.platform)?.compared(owner);
    stats.compared += 1;
    if (found.length > 0) {
      stats.different += 1;
      differs(owner, found);
      return 'different';
    }
    if (doubtOn(suspects.get(ownerKey(owner))) !== undefined)
      deps.log.note('balances agree with the venue again', { ...owner });
    suspects.delete(ownerKey(owner));
    return 'equal';
  };

  /** Whoever was busy in its turn is tried again soon, a few times, so that it need not wait for its next turn. */
  const later = (owner: AccountOwner): void => {
    const key = ownerKey(owner);
    const known = suspects.get(key) ?? { owner, differences: 0, nextAt: 0, busy: 0 };
    known.nextAt = deps.clock() + RECHECK_MILLIS;
    known.busy += 1;
    if (known.differences === 0 && (known.busy > BUSY_TRIES_MAX || suspects.size >= SUSPECTS_MAX))
      suspects.delete(key);
    else suspects.set(key, known);
  };

  const tickAt = async (rotation: Rotation): Promise<void> => {
    for (let turns = rotation.turns(deps.clock()); turns > 0; turns -= 1) {
      const owner = await ownerInTurn(rotation);
      if (owner === undefined) return;
      await check(owner);
    }
  };

  /** A platform that takes its time to answer keeps only its own members waiting. */
  const tick = (rotation: Rotation): void => {
    if (running.has(rotation)) return;
    const round = tickAt(rotation)
      .catch((error) => deps.log.note('balances not compared', { error: String(error) }))
      .finally(() => running.delete(rotation));
    running.set(rotation, round);
  };

  return {
    start() {
      stopTimer = deps.timers.every(TICK_MILLIS, () => {
        for (const rotation of rotations) tick(rotation);
      });
    },
    async stop() {
      stopTimer();
      await Promise.all(running.values());
    },
    doubtful: (owner) => doubtOn(suspects.get(ownerKey(owner))),
    check,
    stats: () => ({ ...stats, doubted: doubtedOf(suspects).length }),
    doubted: () => doubtedOf(suspects),
    oldestMillis: () => oldestMillis(rotations, deps.clock()),
    doubt(owner) {
      const key = ownerKey(owner);
      if (suspects.has(key) || suspects.size >= SUSPECTS_MAX) return;
      suspects.set(key, { owner, differences: 0, nextAt: deps.clock() + RECHECK_MILLIS, busy: 0 });
    },
  };
}

/** Once it has differed often enough. */
function doubtOn(suspicion: Suspicion | undefined): Doubt | undefined {
  return suspicion !== undefined && suspicion.differences >= DIFFERENCES_TO_DOUBT
    ? suspicion.found
    : undefined;
}

function doubtedOf(suspects: ReadonlyMap<string, Suspicion>): readonly DoubtedAccount[] {
  return [...suspects.values()].flatMap((suspicion) => {
    const doubt = doubtOn(suspicion);
    return doubt === undefined ? [] : [{ owner: suspicion.owner, doubt }];
  });
}

function doubtOf([first]: readonly Difference[]): Doubt | undefined {
  if (first === undefined) return undefined;
  const gap = minus(parseSignedAmount(first.ledger) ?? ZERO, parseSignedAmount(first.venue) ?? ZERO);
  return { of: first.asset, amount: gap < 0n ? minus(ZERO, gap) : gap };
}

/** Suspects and the rotation share the turns, one after the other, so that neither keeps the other waiting. */
function createTurns(suspects: ReadonlyMap<string, Suspicion>, clock: TradingDeps['clock']) {
  /** Platforms where a suspect had the turn before. */
  const suspectLast = new Set<Platform>();
  return async (rotation: Rotation): Promise<AccountOwner | undefined> => {
    const { platform } = rotation;
    const now = clock();
    const suspect = [...suspects.values()].find(
      ({ owner, nextAt }) => owner.platform === platform && nextAt <= now,
    );
    const inTurn = suspect === undefined || suspectLast.has(platform) ? await rotation.next(now) : undefined;
    suspectLast.delete(platform);
    if (inTurn !== undefined && !suspects.has(ownerKey(inTurn))) return inTurn;
    if (suspect !== undefined) suspectLast.add(platform);
    return suspect?.owner;
  };
}

/** The differences, or that nothing can be said: an order or a transfer was under way, or the ledger moved meanwhile. */
async function compare(deps: TradingDeps, owner: AccountOwner): Promise<readonly Difference[] | 'busy'> {
  const { user, platform } = owner;
  const desk = deps.venue(platform);
  const account = await deps.accounts.find(user, platform);
  if (desk === undefined || account.state !== 'ready' || (await underWay(deps, owner))) return 'busy';
  const before = await totals(deps, owner);
  const venue = await desk.trading.balances(account.credentials);
  if (!venue.ok || (await underWay(deps, owner))) return 'busy';
  const after = await totals(deps, owner);
  if (!sameTotals(before, after)) return 'busy';
  const theirs = new Map(venue.value.map(({ asset, free, locked }) => [asset, plus(free, locked)]));
  return differences(after, theirs);
}

/** A resting order whose fills are booked is no reason to wait; one that is being sent, looked for or ended is. */
async function underWay(deps: TradingDeps, owner: AccountOwner): Promise<boolean> {
  if (await deps.transferMoving(owner)) return true;
  const orders = await deps.orders.unsettledOf(owner);
  return orders.some(({ status }) => !isResting(status));
}

/** What the account should have: where contracts are paid from the same wallet, less what stands as a debt for it. */
async function totals(deps: TradingDeps, owner: AccountOwner): Promise<ReadonlyMap<string, Amount>> {
  const rows = await deps.ledger.tradingBalances(owner.user, owner.platform);
  const all = new Map(rows.map(({ asset, total }) => [asset, total]));
  if (contractWallet(owner.platform) !== 'TRADING') return all;
  for (const [asset, debt] of await deps.contracts.debts(owner))
    all.set(asset, minus(all.get(asset) ?? ZERO, debt));
  return all;
}

function sameTotals(left: ReadonlyMap<string, Amount>, right: ReadonlyMap<string, Amount>): boolean {
  return left.size === right.size && [...left].every(([asset, total]) => right.get(asset) === total);
}

function differences(
  ledger: ReadonlyMap<string, Amount>,
  venue: ReadonlyMap<string, Amount>,
): readonly Difference[] {
  return [...new Set([...ledger.keys(), ...venue.keys()])]
    .map((asset) => ({ asset, ours: ledger.get(asset) ?? ZERO, theirs: venue.get(asset) ?? ZERO }))
    .filter(({ ours, theirs }) => minus(ours, theirs) !== 0n)
    .map(({ asset, ours, theirs }) => ({ asset, ledger: formatAmount(ours), venue: formatAmount(theirs) }));
}
