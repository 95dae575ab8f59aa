import { type Amount, formatAmount, isFinal, minus, ORDER_STATUS, plus, ZERO } from '@crossbook/domain';
import type { AccountOwner, TradingDeps } from './ports.ts';

/** Pause between two looks for work. */
const TICK_MILLIS = 1_000;
/** Accounts compared in one tick; at Binance reading one weighs 20 of the 6,000 a minute for the whole hub. */
const CHECKS_PER_TICK_MAX = 2;
/** A round over all accounts takes at least this long (money-and-security.md 1.7). */
const ROUND_MILLIS_MIN = 60_000;
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
export interface BalanceCheckFigures {
  readonly compared: number;
  readonly different: number;
  readonly doubted: number;
}

/** Compares members' balances at their venues with the ledger, again and again (money-and-security.md 1.7 b). */
export interface BalanceCheck {
  start(): void;
  /** Ends after the comparison under way. */
  stop(): Promise<void>;
  /** Why new orders of the member at the platform are refused; cancels are not. */
  doubtful(owner: AccountOwner): string | undefined;
  /** Compares one account now. */
  check(owner: AccountOwner): Promise<Comparison>;
  figures(): BalanceCheckFigures;
}

interface Suspicion {
  readonly owner: AccountOwner;
  differences: number;
  nextAt: number;
}

/** One asset in which venue and ledger disagree, for the operator. */
interface Difference {
  readonly asset: string;
  readonly ledger: string;
  readonly venue: string;
}

const keyOf = (owner: AccountOwner): string => `${owner.platform}:${owner.user}`;

/**
 * Makes the check. Nothing is ever corrected: two differences in a row with nothing under way stop the member's new
 * orders at that platform and tell the operator; equal figures end it.
 * @param compareOrders asks the venue for what a stream may have dropped, before the second look.
 */
export function createBalanceCheck(
  deps: TradingDeps,
  compareOrders: (owner: AccountOwner) => void,
): BalanceCheck {
  const suspects = new Map<string, Suspicion>();
  const figures = { compared: 0, different: 0 };
  let stopTimer = (): void => undefined;
  let running: Promise<void> | undefined;
  const round = createRound(deps);

  const doubted = (suspicion: Suspicion | undefined): boolean =>
    suspicion !== undefined && suspicion.differences >= DIFFERENCES_TO_DOUBT;

  const differs = (owner: AccountOwner, found: readonly Difference[]): void => {
    const key = keyOf(owner);
    const before = suspects.get(key)?.differences ?? 0;
    if (before === 0 && suspects.size >= SUSPECTS_MAX) return;
    const differences = before + 1;
    suspects.set(key, { owner, differences, nextAt: deps.clock() + RECHECK_MILLIS });
    if (differences === 1) compareOrders(owner);
    if (differences === DIFFERENCES_TO_DOUBT)
      deps.log.incident('balances differ from the venue, new orders stopped', { ...owner, found });
  };

  const check = async (owner: AccountOwner): Promise<Comparison> => {
    const found = await compare(deps, owner);
    if (found === 'busy') {
      const suspicion = suspects.get(keyOf(owner));
      if (suspicion !== undefined) suspicion.nextAt = deps.clock() + RECHECK_MILLIS;
      return 'busy';
    }
    figures.compared += 1;
    if (found.length > 0) {
      figures.different += 1;
      differs(owner, found);
      return 'different';
    }
    if (doubted(suspects.get(keyOf(owner))))
      deps.log.note('balances agree with the venue again', { ...owner });
    suspects.delete(keyOf(owner));
    return 'equal';
  };

  const tick = async (): Promise<void> => {
    const now = deps.clock();
    const due = [...suspects.values()].filter(({ nextAt }) => nextAt <= now).map(({ owner }) => owner);
    const wanted = due.slice(0, CHECKS_PER_TICK_MAX);
    while (wanted.length < CHECKS_PER_TICK_MAX) {
      const next = await round.next();
      if (next === undefined) break;
      if (!suspects.has(keyOf(next))) wanted.push(next);
    }
    for (const owner of wanted) await check(owner);
  };

  return {
    start() {
      stopTimer = deps.timers.every(TICK_MILLIS, () => {
        running ??= tick()
          .catch((error) => deps.log.note('balances not compared', { error: String(error) }))
          .finally(() => {
            running = undefined;
          });
      });
    },
    async stop() {
      stopTimer();
      await running;
    },
    doubtful: (owner) =>
      doubted(suspects.get(keyOf(owner))) ? 'balances differ from those at the exchange' : undefined,
    check,
    figures: () => ({ ...figures, doubted: [...suspects.values()].filter(doubted).length }),
  };
}

/** Every ready account in turn, and not sooner again than a round may be. */
function createRound(deps: TradingDeps): { next(): Promise<AccountOwner | undefined> } {
  let page: readonly AccountOwner[] = [];
  let last: AccountOwner | undefined;
  let begunAt = Number.NEGATIVE_INFINITY;
  return {
    async next() {
      if (page.length === 0) {
        if (last === undefined) {
          if (deps.clock() - begunAt < ROUND_MILLIS_MIN) return undefined;
          begunAt = deps.clock();
        }
        page = await deps.accounts.ready(OWNERS_PER_PAGE, last);
        last = page.at(-1);
      }
      const [first, ...rest] = page;
      page = rest;
      return first;
    },
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
  if (!sameFigures(before, after)) return 'busy';
  const theirs = new Map(venue.value.map(({ asset, free, locked }) => [asset, plus(free, locked)]));
  return differences(after, theirs);
}

/** A resting order whose fills are booked is no reason to wait; one that is being sent, looked for or ended is. */
async function underWay(deps: TradingDeps, owner: AccountOwner): Promise<boolean> {
  if (await deps.transferMoving(owner)) return true;
  const orders = await deps.orders.unsettledOf(owner);
  return orders.some(
    ({ status }) => isFinal(status) || status === ORDER_STATUS.NEW || status === ORDER_STATUS.UNKNOWN,
  );
}

async function totals(deps: TradingDeps, owner: AccountOwner): Promise<ReadonlyMap<string, Amount>> {
  const rows = await deps.ledger.tradingBalances(owner.user, owner.platform);
  return new Map(rows.map(({ asset, total }) => [asset, total]));
}

function sameFigures(left: ReadonlyMap<string, Amount>, right: ReadonlyMap<string, Amount>): boolean {
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
