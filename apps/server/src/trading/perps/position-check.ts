import {
  type Amount,
  formatAmount,
  isResting,
  type Millis,
  minus,
  type Platform,
  parseSignedAmount,
  ZERO,
} from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type { AccountOwner } from '../account-pages.ts';
import { contractWallet } from '../contract-settle.ts';
import { positionName } from '../contract-store.ts';
import type { Doubt, TradingDeps } from '../ports.ts';
import { createRotations, ownerKey, type Rotation } from '../rotation.ts';
import type { ContractAccount } from './contract-accounts.ts';
import type { ReadStats, StatedStats } from './stated-stats.ts';

const TICK_MILLIS = 1_000;
/** An account that differed, or could not be compared, is compared again after this long. */
const AGAIN_MILLIS = 10_000;
/** Comparisons in a row that differed before opening stops. */
const DIFFERENCES_TO_DOUBT = 2;
/** Fills are searched for at each of these, and then so often: who differs for long is not to use up what all share. */
const SEARCH_AGAIN_MILLIS = 600_000;
const OWNERS_PER_PAGE = 100;
/** A debt that stands longer than this needs a person. */
const DEBT_MILLIS_MAX = 60_000;
const SUSPECTS_MAX = 10_000;
/** The list of income is read at least so often, positions or not. */
const INCOME_AGE_MILLIS_MAX = 86_400_000;

/** What a comparison came to. `busy`: something was under way, so that nothing can be concluded. */
export type PositionComparison = 'equal' | 'different' | 'busy';

interface Suspicion {
  readonly owner: AccountOwner;
  readonly differences: number;
  readonly nextAt: Millis;
  /** The first figure that differed, once one did. */
  readonly found?: Doubt | undefined;
  readonly searchedAt?: Millis | undefined;
}

/** What the check needs besides the ports. */
export interface PositionCheckParts {
  readonly deps: TradingDeps;
  readonly find: (owner: AccountOwner) => Promise<ContractAccount | undefined>;
  readonly stated: StatedStats;
  /** Reads income and finds fills before anything is compared. */
  readonly catchUp: (account: ContractAccount) => Promise<boolean>;
  /** Finds fills of contracts whose positions differ all the same. */
  readonly search: (account: ContractAccount, symbols: readonly string[]) => Promise<boolean>;
}

/**
 * Compares positions and the wallet behind them at the venue with what is booked: at the start, after a reconnect and in
 * turns. Nothing is ever corrected: two differences in a row stop the member's opening orders there, never closing, and
 * are told; equal figures end it.
 */
export class PositionCheck {
  readonly #parts: PositionCheckParts;
  readonly #suspects = new Map<string, Suspicion>();
  readonly #rotations: readonly Rotation[];
  readonly #running = new Map<Platform, Promise<void>>();
  readonly #debtsReported = new Set<string>();
  #stop = (): void => undefined;

  constructor(parts: PositionCheckParts) {
    this.#parts = parts;
    const { deps } = parts;
    this.#rotations = createRotations((platform) => ({
      ...{ clock: deps.clock, tickMillis: TICK_MILLIS },
      pauseMillis: venueProfile(platform).trading.balanceReadEveryMillis,
      page: (after) => deps.contracts.owners(OWNERS_PER_PAGE, after),
    }));
  }

  start(): void {
    this.#stop = this.#parts.deps.timers.every(TICK_MILLIS, () => {
      for (const rotation of this.#rotations) this.#tick(rotation);
    });
  }

  async stop(): Promise<void> {
    this.#stop();
    await Promise.all(this.#running.values());
  }

  /** Why new risk of the member at the platform is refused; closing is not. */
  doubtful(owner: AccountOwner): Doubt | undefined {
    const { differences = 0, found } = this.#suspects.get(ownerKey(owner)) ?? {};
    return differences >= DIFFERENCES_TO_DOUBT ? found : undefined;
  }

  /** Something may have been missed: the account is compared out of its turn. */
  doubt(owner: AccountOwner): void {
    this.#suspect(owner, { differences: 0, wait: 0 });
  }

  /**
   * Compares one account now.
   * @param inTurn whether its income is read in any case, so that what has to be read of it never grows long.
   */
  async check(owner: AccountOwner, inTurn = false): Promise<PositionComparison> {
    const { deps, find } = this.#parts;
    const key = ownerKey(owner);
    const { differences = 0, searchedAt } = this.#suspects.get(key) ?? {};
    const account = await find(owner);
    if (account === undefined) {
      this.#suspects.delete(key);
      return 'busy';
    }
    const now = deps.clock();
    const searches = differences < DIFFERENCES_TO_DOUBT || now >= (searchedAt ?? 0) + SEARCH_AGAIN_MILLIS;
    const found = await this.#differences(account, { catchUpFirst: inTurn || differences > 0, searches });
    if (found === 'busy') {
      this.#suspect(owner, { differences, wait: AGAIN_MILLIS });
      return 'busy';
    }
    this.#rotations.find(({ platform }) => platform === owner.platform)?.compared(owner);
    if (found.length === 0) {
      await deps.contracts.agreed(owner, now);
      if (differences >= DIFFERENCES_TO_DOUBT) deps.log.note('positions agree again', { ...owner });
      this.#suspects.delete(key);
      return 'equal';
    }
    this.#suspect(owner, {
      ...{ differences: differences + 1, wait: AGAIN_MILLIS, found: doubtOf(found) },
      searchedAt: searches ? now : searchedAt,
    });
    if (differences + 1 === DIFFERENCES_TO_DOUBT)
      deps.log.incident('positions differ from the venue, opening stopped', { ...owner, found });
    return 'different';
  }

  /**
   * What differs once everything that can be found is booked. The list of income costs more than all the rest (Binance: 30
   * of 45): where the wallet is compared as well and nothing differs, nothing is missing that moved money, and it is not
   * asked for. Fills that moved none are searched for by their own list, where positions differ.
   */
  async #differences(
    account: ContractAccount,
    { catchUpFirst, searches }: { readonly catchUpFirst: boolean; readonly searches: boolean },
  ): Promise<Compared> {
    const { deps, stated, catchUp, search } = this.#parts;
    if (!catchUpFirst && contractWallet(account.owner.platform) === 'FUTURES') {
      const found = await compare(deps, stated, account);
      if (found !== 'busy' && found.length === 0) return found;
    }
    if (!(await catchUp(account))) return 'busy';
    const found = await compare(deps, stated, account);
    const symbols = found === 'busy' || !searches ? [] : contractsOf(found);
    if (symbols.length === 0 || !(await search(account, symbols))) return found;
    return compare(deps, stated, account);
  }

  #suspect(
    owner: AccountOwner,
    asked: Pick<Suspicion, 'differences' | 'found' | 'searchedAt'> & { readonly wait: number },
  ): void {
    const { differences, wait } = asked;
    const key = ownerKey(owner);
    if (!this.#suspects.has(key) && this.#suspects.size >= SUSPECTS_MAX) return;
    const before = this.#suspects.get(key);
    const found = asked.found ?? before?.found;
    const searchedAt = asked.searchedAt ?? before?.searchedAt;
    const nextAt = (this.#parts.deps.clock() + wait) as Millis;
    this.#suspects.set(key, {
      ...{ owner, nextAt, found, searchedAt },
      differences: wait === 0 ? (before?.differences ?? 0) : differences,
    });
  }

  #tick(rotation: Rotation): void {
    const { platform } = rotation;
    if (this.#running.has(platform)) return;
    const { deps } = this.#parts;
    const round = this.#work(rotation)
      .catch((error: unknown) => deps.log.note('positions not compared', { platform, error: String(error) }))
      .finally(() => this.#running.delete(platform));
    this.#running.set(platform, round);
  }

  async #work(rotation: Rotation): Promise<void> {
    const { deps } = this.#parts;
    const now = deps.clock();
    for (const owner of await this.#due(rotation.platform, now)) await this.check(owner);
    for (let turns = rotation.turns(now); turns > 0; turns -= 1) {
      const owner = await rotation.next(now);
      if (owner === undefined) break;
      if (this.#suspects.has(ownerKey(owner))) continue;
      await this.check(owner, await this.#isIncomeDue(owner, now));
    }
    await this.#tellDebts(now);
  }

  /** Whether income is read in an account's turn: it comes to positions alone, but what is to be read must not grow. */
  async #isIncomeDue(owner: AccountOwner, now: Millis): Promise<boolean> {
    const { contracts } = this.#parts.deps;
    if ((await contracts.booked(owner)).length > 0) return true;
    return now - ((await contracts.incomeUntil(owner)) ?? now) > INCOME_AGE_MILLIS_MAX;
  }

  /** Whose time has come: those who have a position or an order open before all others. */
  async #due(platform: Platform, now: Millis): Promise<readonly AccountOwner[]> {
    const suspects = [...this.#suspects.values()].filter(
      ({ owner, nextAt }) => owner.platform === platform && nextAt <= now,
    );
    const owners = suspects.map(({ owner }) => owner);
    if (owners.length < 2) return owners;
    const exposed = new Set((await this.#parts.deps.contracts.exposedAmong(owners)).map(ownerKey));
    const isExposed = (owner: AccountOwner): boolean => exposed.has(ownerKey(owner));
    return [...owners.filter(isExposed), ...owners.filter((owner) => !isExposed(owner))];
  }

  async #tellDebts(now: Millis): Promise<void> {
    const { deps } = this.#parts;
    const debts = await deps.contracts.debtsOlder((now - DEBT_MILLIS_MAX) as Millis);
    const open = new Set(debts.map(ownerKey));
    for (const key of this.#debtsReported) if (!open.has(key)) this.#debtsReported.delete(key);
    for (const { amount, ...owner } of debts) {
      if (this.#debtsReported.has(ownerKey(owner))) continue;
      this.#debtsReported.add(ownerKey(owner));
      deps.log.incident('a loss still stands as a debt', { ...owner, amount: formatAmount(amount) });
    }
  }
}

/** One figure in which venue and bookings disagree, for the operator. */
interface Difference {
  readonly what: string;
  readonly booked: string;
  readonly venue: string;
}

/** The first of them as members are told it: a contract's symbol or an asset, and by how much. */
function doubtOf([first]: readonly Difference[]): Doubt | undefined {
  if (first === undefined) return undefined;
  const { what, booked, venue } = first;
  const [name = what, asset] = what.split(' ');
  const gap = minus(parseSignedAmount(booked) ?? ZERO, parseSignedAmount(venue) ?? ZERO);
  return { of: name === WALLET ? (asset ?? name) : name, amount: gap < 0n ? minus(ZERO, gap) : gap };
}

/** The contracts among what differs. */
function contractsOf(found: readonly Difference[]): readonly string[] {
  const names = found.map(({ what }) => what.split(' ')[0] ?? what);
  return [...new Set(names)].filter((name) => name !== WALLET);
}

type Compared = readonly Difference[] | 'busy';

async function compare(deps: TradingDeps, stated: StatedStats, account: ContractAccount): Promise<Compared> {
  const { owner } = account;
  if (await underWay(deps, owner)) return 'busy';
  const before = await bookedStats(deps, owner);
  const read = await stated.read(account);
  if (!read.ok || (await underWay(deps, owner))) return 'busy';
  const after = await bookedStats(deps, owner);
  if (JSON.stringify([...before]) !== JSON.stringify([...after])) return 'busy';
  const theirs = venueStats(owner, read.value);
  return [...new Set([...after.keys(), ...theirs.keys()])]
    .map((what) => ({ what, booked: after.get(what) ?? '0', venue: theirs.get(what) ?? '0' }))
    .filter(({ booked, venue }) => booked !== venue);
}

async function underWay(deps: TradingDeps, owner: AccountOwner): Promise<boolean> {
  if (await deps.transferMoving(owner)) return true;
  const orders = await deps.orders.unsettledOf(owner);
  return orders.some(({ status, symbolType }) => symbolType === 'SWAP' && !isResting(status));
}

/** The wallet is compared here only where contracts have one of their own; else the balance check does. */
const WALLET = 'wallet';

async function bookedStats(deps: TradingDeps, owner: AccountOwner): Promise<ReadonlyMap<string, string>> {
  const { user, platform } = owner;
  const booked = await deps.contracts.booked(owner);
  const stats = new Map(booked.map((position) => [positionName(position), text(position.quantity)]));
  if (contractWallet(platform) === 'TRADING') return stats;
  const rows = await deps.ledger.tradingBalances(user, platform, 'FUTURES');
  for (const { asset, total } of rows) stats.set(`${WALLET} ${asset}`, text(total));
  return stats;
}

function venueStats({ platform }: AccountOwner, { positions, pool }: ReadStats): ReadonlyMap<string, string> {
  const open = positions.filter(({ quantity }) => quantity !== 0n);
  const stats = new Map(open.map((position) => [positionName(position), text(position.quantity)]));
  if (contractWallet(platform) === 'FUTURES' && pool.wallet !== ZERO)
    stats.set(`${WALLET} ${pool.asset}`, text(pool.wallet));
  return stats;
}

function text(value: Amount): string {
  return formatAmount(value);
}
