import {
  type MarginPool,
  type Millis,
  type PositionUpdate,
  type VenuePosition,
  ZERO,
} from '@crossbook/domain';
import type { ContractReadFor, VenueRead } from '@crossbook/venues/trading';
import type { AccountOwner } from '../account-pages.ts';
import { type ContractWallet, contractWallet } from '../contract-settle.ts';
import { type BookedPosition, movesWithAccount, positionName } from '../contract-store.ts';
import type { TradingDeps } from '../ports.ts';
import { ownerKey } from '../rotation.ts';
import { type ContractAccount, swapsOf } from './contract-accounts.ts';
import { marginRow, positionRow, withProtection } from './position-rows.ts';

/** Accounts whose figures are kept in memory; of others they are read again when they are asked for. */
const ACCOUNTS_MAX = 20_000;
/** A read that was asked for by many is made once, after this long. */
const READ_SOON_MILLIS = 500;

/** A position and when it was heard of. */
interface Heard {
  readonly position: VenuePosition;
  readonly heardAt: Millis;
}

interface Stats {
  readonly positions: Map<string, Heard>;
  pool: MarginPool | undefined;
  /** How often something happened that these figures may not contain, and how often it had when they were read. */
  events: number;
  contained: number;
  /** When the newest read that succeeded was begun. */
  readFrom: Millis | undefined;
}

/** What one read of an account gave. */
export interface ReadStats {
  readonly positions: readonly VenuePosition[];
  readonly pool: MarginPool;
  /** Everything that was acknowledged before is in these figures. */
  readonly begunAt: Millis;
}

/** Positions that are not flat, and the pool behind them. */
export type StatsNow = Pick<ReadStats, 'positions' | 'pool'>;

/** What the venues state of positions and margin: kept by version from streams and reads, never computed. */
export class StatedStats {
  readonly #deps: TradingDeps;
  readonly #accounts = new Map<string, Stats>();
  readonly #waiting = new Set<string>();
  /** Accounts whose stream is open: of others nobody tells what changes. */
  readonly #heard = new Set<string>();
  /** Told after every read of an account. */
  onRead: (account: ContractAccount, stats: ReadStats) => Promise<void> = async () => undefined;

  constructor(deps: TradingDeps) {
    this.#deps = deps;
  }

  /** Positions that are not flat as they were stated last; after a start those of before. */
  async positions(owner: AccountOwner): Promise<readonly VenuePosition[]> {
    const { positions } = await this.#stats(owner);
    return [...positions.values()].map(({ position }) => position).filter(({ quantity }) => quantity !== 0n);
  }

  /** The pool as it was stated last. */
  pool(owner: AccountOwner): MarginPool | undefined {
    return this.#accounts.get(ownerKey(owner))?.pool;
  }

  /** Whether the account was read by this process since `at`: its figures contain what was acknowledged by then. */
  readSince(owner: AccountOwner, at: Millis): boolean {
    const from = this.#accounts.get(ownerKey(owner))?.readFrom;
    return from !== undefined && at < from;
  }

  /** What a stream tells. @returns false where a figure is missing, so that the account must be read. */
  async hear(owner: AccountOwner, updates: readonly PositionUpdate[], pool?: MarginPool): Promise<boolean> {
    const stats = await this.#stats(owner);
    const heardAt = this.#deps.clock();
    const changed: VenuePosition[] = [];
    let complete = true;
    for (const update of updates) {
      const known = stats.positions.get(positionName(update))?.position;
      if (known !== undefined && known.version > update.version) continue;
      // Of another margin mode nothing of what was known is left to fill it up with.
      const whole = known?.marginMode === update.marginMode ? { ...known, ...update } : wholeOf(update);
      if (whole === undefined) {
        // A leg that is empty and was never heard of is no news.
        complete &&= update.quantity === 0n;
        continue;
      }
      changed.push(whole);
    }
    await this.#keep(owner, stats, { changed, heardAt });
    if (pool !== undefined) await this.#keepPool(owner, stats, pool);
    return complete;
  }

  /**
   * Reads positions and pool.
   * @param askedFor what a member waits for has its own place before the arbiter; reconciliation where absent.
   */
  async read(account: ContractAccount, askedFor?: ContractReadFor): Promise<VenueRead<ReadStats>> {
    const { owner, contracts, credentials } = account;
    const stats = await this.#stats(owner);
    const { events } = stats;
    const begunAt = this.#deps.clock();
    const instruments = swapsOf(this.#deps, owner);
    const [positions, pool] = await Promise.all([
      contracts.positions(credentials, instruments, askedFor),
      contracts.pool(credentials, askedFor),
    ]);
    if (!positions.ok || !pool.ok) {
      const failed = positions.ok ? pool : positions;
      this.#deps.log.note('positions not read', { ...owner, why: JSON.stringify(failed) });
      return failed as VenueRead<never>;
    }
    const listed = new Set(positions.value.map(positionName));
    // What the list lacks is flat, unless it was heard of since the question.
    const gone = [...stats.positions.values()]
      .filter(({ position, heardAt }) => !listed.has(positionName(position)) && heardAt < begunAt)
      .filter(({ position }) => position.quantity !== 0n)
      .map(({ position }) => ({ ...position, quantity: ZERO, unrealisedPnl: ZERO }));
    const newer = positions.value.filter((position) => {
      const known = stats.positions.get(positionName(position));
      return known === undefined || known.position.version <= position.version;
    });
    await this.#keep(owner, stats, { changed: [...newer, ...gone], heardAt: begunAt });
    await this.#keepPool(owner, stats, pool.value);
    stats.contained = Math.max(stats.contained, events);
    stats.readFrom = begunAt;
    const read: ReadStats = { positions: positions.value, pool: pool.value, begunAt };
    await this.onRead(account, read);
    return { ok: true, value: read };
  }

  /**
   * What holds now for all that this process knows: as it was stated last, and read where something has happened since
   * or nobody would have told of it. Where only that keeps our own budget from it, what was stated last is the answer.
   */
  async now(account: ContractAccount): Promise<VenueRead<StatsNow>> {
    const { owner } = account;
    const { pool, events, contained } = await this.#stats(owner);
    const known =
      pool === undefined || events > contained
        ? undefined
        : ({ ok: true, value: { positions: await this.positions(owner), pool } } as const);
    if (known !== undefined && this.#heard.has(ownerKey(owner))) return known;
    const read = await this.read(account, 'lookup');
    return read.ok || read.retryAfterMillis === undefined ? read : (known ?? read);
  }

  /** Something happened in an account that its figures may not contain. Those that are not kept are read anyway. */
  happened(owner: AccountOwner): void {
    const stats = this.#accounts.get(ownerKey(owner));
    if (stats !== undefined) stats.events += 1;
  }

  /** Its stream is open, or is not any more. What it may have missed before has `happened`. */
  hears(owner: AccountOwner, open: boolean): void {
    if (open) this.#heard.add(ownerKey(owner));
    else this.#heard.delete(ownerKey(owner));
  }

  /** Reads an account in a moment; asked for again meanwhile, once. */
  readSoon(find: () => Promise<ContractAccount | undefined>, owner: AccountOwner): void {
    const key = ownerKey(owner);
    this.happened(owner);
    if (this.#waiting.has(key)) return;
    this.#waiting.add(key);
    this.#deps.timers.after(READ_SOON_MILLIS, () => {
      this.#waiting.delete(key);
      find()
        .then((account) => (account === undefined ? undefined : this.read(account)))
        .catch((error: unknown) => this.#deps.log.note('positions not read', { error: String(error) }));
    });
  }

  async #stats(owner: AccountOwner): Promise<Stats> {
    const key = ownerKey(owner);
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const stored = await this.#deps.contracts.stated(owner);
    const again = this.#accounts.get(key);
    if (again !== undefined) return again;
    const heard = stored.map(
      (position) => [positionName(position), { position, heardAt: 0 as Millis }] as const,
    );
    const stats: Stats = {
      positions: new Map(heard),
      pool: undefined,
      events: 0,
      contained: 0,
      readFrom: undefined,
    };
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size >= ACCOUNTS_MAX && oldest !== undefined) this.#accounts.delete(oldest);
    this.#accounts.set(key, stats);
    return stats;
  }

  async #keep(
    owner: AccountOwner,
    stats: Stats,
    { changed, heardAt }: { readonly changed: readonly VenuePosition[]; readonly heardAt: Millis },
  ): Promise<void> {
    if (changed.length === 0) return;
    const booked = await this.#deps.contracts.booked(owner);
    await this.#moveModes(owner, booked, changed);
    for (const position of changed) stats.positions.set(positionName(position), { position, heardAt });
    await this.#deps.contracts.state(owner, changed);
    const byName = new Map(booked.map((position) => [positionName(position), position]));
    const unprotected = await this.#deps.algos.targets.unprotected(owner);
    for (const position of changed) {
      const row = withProtection(positionRow(position, byName.get(positionName(position))), unprotected);
      this.#deps.publish(owner.user, { kind: 'position', position: row });
    }
  }

  /** Where an account's mode takes along what is held, a position that is stated in another one tells of all of them. */
  async #moveModes(
    owner: AccountOwner,
    booked: readonly BookedPosition[],
    changed: readonly VenuePosition[],
  ): Promise<void> {
    if (!movesWithAccount(owner.platform)) return;
    const differs = (stated: VenuePosition) =>
      booked.some(({ marginMode }) => marginMode !== stated.marginMode);
    const moved = changed.find((position) => position.quantity !== 0n && differs(position));
    if (moved !== undefined) await this.#deps.contracts.modeMoved(owner, moved.marginMode);
  }

  async #keepPool(owner: AccountOwner, stats: Stats, pool: MarginPool): Promise<void> {
    if (stats.pool !== undefined && stats.pool.updatedAt > pool.updatedAt) return;
    stats.pool = pool;
    const { user, platform } = owner;
    const available = await ledgerAvailable(this.#deps, { user, platform, asset: pool.asset });
    this.#deps.publish(user, { kind: 'margin', margin: marginRow(platform, pool, available) });
  }
}

/** What the ledger has free of an asset behind contracts. */
export async function ledgerAvailable(deps: TradingDeps, wallet: ContractWallet) {
  const { user, platform, asset } = wallet;
  const rows = await deps.ledger.tradingBalances(user, platform, contractWallet(platform));
  return rows.find((row) => row.asset === asset)?.available ?? ZERO;
}

/** An update that carries every figure a position has. */
function wholeOf(update: PositionUpdate): VenuePosition | undefined {
  const { markPrice, leverage, unrealisedPnl, initialMargin, maintenanceMargin, adlRank, status } = update;
  if (markPrice === undefined || leverage === undefined || unrealisedPnl === undefined) return undefined;
  if (initialMargin === undefined || maintenanceMargin === undefined) return undefined;
  if (adlRank === undefined || status === undefined) return undefined;
  return update as VenuePosition;
}
