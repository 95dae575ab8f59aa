import type { AlgoRow, CallAnswer, CallRequest, MemberCaller } from '@crossbook/contract';
import {
  type Instrument,
  type Millis,
  type OrderId,
  type OrderTargets,
  orderIdOfVenueClientId,
  PLATFORMS,
  platformOfType,
  type UserId,
  type VenueClientId,
  ZERO,
} from '@crossbook/domain';
import { holdId } from '@crossbook/ledger';
import type { ListedAlgo, ShownAlgo } from '@crossbook/venues/trading';
import type { AccountOwner } from '../account-pages.ts';
import { type AlgoFilter, algoClientId, type StoredAlgo } from '../algo.ts';
import type { BookedPosition } from '../contract-store.ts';
import { type Refused, refusal, type TradingDeps } from '../ports.ts';
import { ownerKey } from '../rotation.ts';
import { storedAlgo } from '../stored-algo.ts';
import { keptReason, refusalOfReason } from '../venue-refusal.ts';
import { algoRow, legRow } from './algo-rows.ts';
import { algoKey, algoWhereabouts, hangsOnPosition } from './whereabouts.ts';

/** Rows of one account; a venue takes hardly more. */
const OF_ONE_MAX = 200;
/** Accounts with such rows; those that were read longest ago go first, and are read again when somebody looks. */
const OWNERS_MAX = 10_000;
/** What no list shows for so long is gone, whatever else is or is not known of it. */
const MISSING_MILLIS = 60_000;
/** A list that was read before a cancel may show for so long what the cancel took away. */
const ENDED_MILLIS = 60_000;

/** One that somebody set at the venue besides the hub. It is never stored: a row as it would be, and the name it has there. */
interface ForeignAlgo {
  readonly algo: StoredAlgo;
  readonly clientId: VenueClientId;
  readonly brings?: OrderTargets;
  readonly endedAt?: Millis;
  /** Since when no list shows it. */
  readonly missingSince?: Millis;
}

type Kept = Map<OrderId, ForeignAlgo>;

type Named = Pick<CallRequest<'connextrade/CancelAlgoOrder'>, 'algoId' | 'platformType'>;

/** What a look at one account saw. */
export interface ForeignLook {
  readonly listed: readonly ListedAlgo[];
  /** Our own algo orders, of before the list was read and of after. */
  readonly ours: readonly StoredAlgo[];
  readonly positions: readonly BookedPosition[];
}

/**
 * What waits on a member's contracts at an exchange and was not placed here: shown as the exchange's own and cancelled on his
 * word. It lives in no table and holds nothing; what it becomes is booked as everything that somebody does besides the hub.
 */
export class ForeignAlgos {
  readonly #deps: TradingDeps;
  readonly #owners = new Map<string, { readonly owner: AccountOwner; readonly kept: Kept }>();

  constructor(deps: TradingDeps) {
    this.#deps = deps;
  }

  /** Whose rows are shown now. */
  owners(): readonly AccountOwner[] {
    return [...this.#owners.values()].map(({ owner }) => owner);
  }

  /** Those of a member that wait, as he sees them. */
  rows(user: UserId, { platform, symbolType, symbol }: AlgoFilter): readonly AlgoRow[] {
    const asked = PLATFORMS.filter((one) => platform === undefined || one.platform === platform);
    return asked
      .flatMap((one) => [...(this.#keptOf({ user, platform: one.platform })?.values() ?? [])])
      .filter(
        ({ algo, endedAt }) =>
          endedAt === undefined &&
          (symbolType === undefined || algo.symbolType === symbolType) &&
          (symbol === undefined || algo.symbol === symbol),
      )
      .map(rowOf);
  }

  /** Takes over what a list showed: tells of what is new or changed, and of what waits there no more. */
  async keep(owner: AccountOwner, look: ForeignLook): Promise<void> {
    const key = ownerKey(owner);
    const before: Kept = this.#owners.get(key)?.kept ?? new Map();
    const after: Kept = new Map();
    for (const state of look.listed) {
      const found = await this.#foreignOf(owner, state, look);
      if (found === undefined || after.size === OF_ONE_MAX) continue;
      const known = before.get(found.algo.id);
      const ended = known?.endedAt !== undefined && this.#deps.clock() - known.endedAt < ENDED_MILLIS;
      after.set(found.algo.id, ended ? known : found);
      if (!ended && (known === undefined || !isSame(known, found))) this.#tell(found);
    }
    const listed = new Set(
      look.listed.flatMap(({ status, venueAlgoId }) => (status === 'waiting' ? venueAlgoId : [])),
    );
    for (const [id, { missingSince = this.#deps.clock(), ...gone }] of before) {
      if (after.has(id) || gone.endedAt !== undefined) continue;
      const { venueAlgoId } = gone.algo;
      // It waits there, and its position is gone.
      const waits = venueAlgoId !== undefined && listed.has(venueAlgoId) && !isOurs(look, venueAlgoId);
      const end = waits ? undefined : await this.#endOf({ ...gone, missingSince }, look);
      if (end === undefined) after.set(id, waits ? gone : { ...gone, missingSince });
      else this.#tell({ ...gone, algo: { ...gone.algo, state: end, cancelPending: false, unknown: false } });
    }
    // What was cancelled while the list was read is over, whatever it showed.
    for (const [id, known] of before) if (known.endedAt !== undefined && after.has(id)) after.set(id, known);
    this.#owners.delete(key);
    if (after.size > 0) this.#owners.set(key, { owner, kept: after });
    for (const [oldest] of this.#owners) {
      if (this.#owners.size <= OWNERS_MAX) break;
      this.#owners.delete(oldest);
    }
  }

  /** Of which contracts an account has any: they may be over since its position is. */
  places(owner: AccountOwner): readonly Pick<StoredAlgo, 'platform' | 'symbolType' | 'symbol'>[] {
    return [...(this.#keptOf(owner)?.values() ?? [])].map(({ algo }) => algo);
  }

  #keptOf(owner: AccountOwner): Kept | undefined {
    return this.#owners.get(ownerKey(owner))?.kept;
  }

  #byId({ user }: MemberCaller, { algoId, platformType }: Named): ForeignAlgo | undefined {
    const platform = platformOfType(platformType)?.platform;
    const found = platform === undefined ? undefined : this.#keptOf({ user, platform })?.get(algoId);
    return found?.endedAt === undefined ? found : undefined;
  }

  /** Why one of these is not changed. @returns `undefined` where it is none of them. */
  changeFault(caller: MemberCaller, named: Named): Refused | undefined {
    if (this.#byId(caller, named) === undefined) return undefined;
    const allowed = 'what was set at the exchange is changed there, or cancelled';
    return refusal({ error: 'order-combination', field: 'algoId', allowed });
  }

  /** Cancels one of a member's. @returns `undefined` where it is none of these. */
  cancel(
    caller: MemberCaller,
    named: Named,
    doubt: (owner: AccountOwner) => void,
  ): Promise<CallAnswer<AlgoRow>> | undefined {
    const foreign = this.#byId(caller, named);
    return foreign && this.#cancel(foreign, doubt);
  }

  async #cancel(foreign: ForeignAlgo, doubt: (owner: AccountOwner) => void): Promise<CallAnswer<AlgoRow>> {
    const { algo } = foreign;
    const where = await algoWhereabouts(this.#deps, algo);
    if (where === undefined) return refusal({ error: 'contracts-away', given: 'the exchange' });
    const outcome = await where.algos
      .cancel(where.credentials, { ...algoKey(algo, where), clientId: foreign.clientId })
      .catch(() => ({ outcome: 'unknown' }) as const);
    if (outcome.outcome === 'refused') return refusal(refusalOfReason(keptReason(outcome)));
    const done = outcome.outcome === 'done';
    const after: ForeignAlgo = done
      ? { ...foreign, algo: { ...algo, state: 'cancelled' }, endedAt: this.#deps.clock() }
      : { ...foreign, algo: { ...algo, cancelPending: true } };
    const kept = this.#keptOf(algo);
    if (kept?.has(algo.id)) kept.set(algo.id, after);
    this.#tell(after);
    if (!done) doubt(algo);
    return { ok: true, value: rowOf(after) };
  }

  /** A row of the list as one of these; `undefined` where it is ours, or says too little by itself and there is no position for it. */
  async #foreignOf(
    { user, platform }: AccountOwner,
    state: ListedAlgo,
    { ours, positions }: ForeignLook,
  ): Promise<ForeignAlgo | undefined> {
    const { shown, symbol, clientId, venueAlgoId, parent } = state;
    if (shown === undefined || state.status !== 'waiting') return undefined;
    if (ours.some((own) => own.venueAlgoId === venueAlgoId || algoClientId(own) === clientId))
      return undefined;
    // One of ours hangs on a position without an id until it is known: what hangs there is that one.
    const unnamed = (own: StoredAlgo) =>
      own.symbol === symbol && own.venueAlgoId === undefined && hangsOnPosition(own);
    if (shown.plan.kind === 'trailing' && ours.some(unnamed)) return undefined;
    const [named, brought] = [orderIdOfVenueClientId(clientId), parent && orderIdOfVenueClientId(parent)];
    if (named !== undefined && (await this.#deps.algos.byId(named)) !== undefined) return undefined;
    // What the exchange makes of an order of ours is ours, and is adopted.
    if (brought !== undefined && (await this.#deps.orders.byId(brought)) !== undefined) return undefined;
    if ((await this.#deps.algos.byVenueId({ user, platform, symbol }, venueAlgoId)) !== undefined)
      return undefined;
    const held = positions.filter((position) => position.symbol === symbol);
    const position = held.find(({ side }) => side === shown.position) ?? held[0];
    const instrument = this.#deps.market.instrument(platform, 'SWAP', symbol);
    const marginMode = shown.marginMode ?? position?.marginMode;
    const leverage = position?.leverage ?? shown.leverage;
    if (marginMode === undefined || leverage === undefined || instrument === undefined) return undefined;
    const { brings } = shown;
    const algo = algoOf(user, { state, shown, margin: { marginMode, leverage }, instrument });
    return { algo, clientId, ...(brings === undefined ? {} : { brings }) };
  }

  /** How one ended that the list shows no more; `undefined` while that is not known. */
  async #endOf(
    { algo, clientId, missingSince }: ForeignAlgo,
    look: ForeignLook,
  ): Promise<StoredAlgo['state'] | undefined> {
    // The hub has set one in its place, under a row of its own.
    if (isOurs(look, algo.venueAlgoId)) return 'cancelled';
    const where = await algoWhereabouts(this.#deps, algo);
    if (where === undefined) return undefined;
    const found = await where.algos
      .find(where.credentials, { ...algoKey(algo, where), clientId })
      .catch(() => ({ outcome: 'unknown' }) as const);
    const unsaid =
      found.outcome === 'unknown' || (found.outcome === 'found' && found.value.status === 'waiting');
    const isGone = missingSince !== undefined && this.#deps.clock() - missingSince >= MISSING_MILLIS;
    if (unsaid) return isGone ? 'cancelled' : undefined;
    if (found.outcome !== 'found') return 'cancelled';
    return found.value.status === 'firing' ? 'fired' : found.value.status;
  }

  #tell(foreign: ForeignAlgo): void {
    try {
      this.#deps.publish(foreign.algo.user, { kind: 'algo', algo: rowOf(foreign) });
    } catch (error) {
      this.#deps.log.note('a change was not announced', { id: foreign.algo.id, error: String(error) });
    }
  }
}

function isOurs({ ours }: ForeignLook, id: StoredAlgo['venueAlgoId']): boolean {
  return ours.some(({ venueAlgoId }) => venueAlgoId === id);
}

function rowOf({ algo, brings }: ForeignAlgo): AlgoRow {
  const row = { ...algoRow(algo), ofExchange: true } as const;
  if (brings === undefined) return row;
  const { takeProfit, stopLoss } = brings;
  return { ...row, brings: { takeProfit: legRow(takeProfit), stopLoss: legRow(stopLoss) } };
}

function isSame(left: ForeignAlgo, right: ForeignAlgo): boolean {
  return JSON.stringify(rowOf(left)) === JSON.stringify(rowOf(right));
}

function algoOf(
  user: UserId,
  {
    state: { venueAlgoId, time },
    shown,
    margin,
    instrument,
  }: {
    readonly state: ListedAlgo;
    readonly shown: ShownAlgo;
    readonly margin: Pick<BookedPosition, 'marginMode' | 'leverage'>;
    readonly instrument: Instrument;
  },
): StoredAlgo {
  const { side, plan, timeInForce, quantity, reduces } = shown;
  const contract = { side: shown.position, reduceOnly: reduces, ...margin };
  const { platform, symbol, quote } = instrument;
  const made = storedAlgo(
    {
      ...{ instrument, side, plan, timeInForce, contract, closes: reduces },
      ...(quantity === undefined ? {} : { quantity }),
    },
    {
      id: holdId('algo order of an exchange', user, platform, symbol, venueAlgoId) as string as OrderId,
      ...{ user, payloadHash: 'set at the exchange', hold: { asset: quote, amount: ZERO }, createdAt: time },
    },
  );
  return { ...made, state: 'waiting', venueAlgoId };
}
