import type { Refusal } from '@crossbook/contract';
import {
  type AlgoMarket,
  type AlgoRequest,
  AMOUNT_MAX,
  type Amount,
  algoFaults,
  algoHold,
  type Instrument,
  type Millis,
  POSITION_SIDE,
  PRICE_AGE_MILLIS_MAX,
  SIDE,
} from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import { ATTACHED, isEnded, type StoredAlgo } from '../algo.ts';
import { positionName } from '../contract-store.ts';
import type { ContractPart } from '../order.ts';
import type { TradingDeps } from '../ports.ts';
import type { AlgoDraft } from '../stored-algo.ts';
import { hangsOnPosition } from './whereabouts.ts';

/** Algo orders of one member that wait at a venue, of whatever instruments: contracts hold nothing, so nothing else bounds them. */
const WAITING_MAX = 200;

/** What an algo order holds, or why it is refused. */
export type AlgoTerms =
  | { readonly ok: true; readonly hold: { readonly asset: string; readonly amount: Amount } }
  | { readonly ok: false; readonly code: Refusal };

/** The rules that hub and ticket share, at the terms of the venue and the prices of the moment. */
export async function algoTerms(deps: TradingDeps, draft: AlgoDraft): Promise<AlgoTerms> {
  const { instrument } = draft;
  const profile = venueProfile(instrument.platform).trading;
  const request = requestOf(draft);
  const market: AlgoMarket = {
    offer: profile.algos[instrument.symbolType],
    prices: await pricesOf(deps, instrument),
  };
  const [fault] = algoFaults(request, market);
  if (fault !== undefined) {
    const { name, allowed, ...at } = fault;
    // The venue is named, not the instrument.
    const given = name === 'algo-not-offered' ? { given: deps.venue(instrument.platform)?.name ?? '' } : {};
    const code = { error: name, ...at, ...given };
    return { ok: false, code: allowed === undefined ? code : { ...code, allowed: allowed.join(' and ') } };
  }
  const hold = algoHold(request, market, profile.spot.marketBuyBound);
  if (hold === undefined) return { ok: false, code: { error: 'price-stale' } };
  if (hold.amount > AMOUNT_MAX) return { ok: false, code: { error: 'balance-insufficient' } };
  return { ok: true, hold };
}

function requestOf(draft: AlgoDraft): AlgoRequest {
  const { instrument, side, plan, quantity, timeInForce, contract, closes } = draft;
  return {
    ...{ instrument, side, plan, timeInForce },
    ...(quantity === undefined ? { whole: true } : { quantity }),
    ...(contract === undefined
      ? {}
      : { contract: { closes, reduceOnly: contract.reduceOnly, positionMode: modeOf(contract) } }),
  };
}

function modeOf({ side }: ContractPart): 'one-way' | 'hedge' {
  return side === POSITION_SIDE.NET ? 'one-way' : 'hedge';
}

/** Best prices that are too old say nothing: the venue decides then. */
export async function pricesOf(
  { market, clock }: Pick<TradingDeps, 'market' | 'clock'>,
  { platform, symbolType, symbol }: Instrument,
): Promise<AlgoMarket['prices']> {
  const best = await market.best(platform, symbolType, symbol);
  const fresh = best !== undefined && (clock() as Millis) - best.receivedAt <= PRICE_AGE_MILLIS_MAX;
  const last = fresh ? { last: ((best.bid + best.ask) / 2n) as Amount } : {};
  const mark = symbolType === 'SWAP' ? await market.mark(platform, symbol) : undefined;
  return mark === undefined ? last : { ...last, mark };
}

/** Why no more of them may wait: as many as the venue takes, and no more than that in all. */
export async function placesFault(
  deps: TradingDeps,
  {
    user,
    instrument,
    except,
    places = 1,
    kind,
  }: {
    readonly user: StoredAlgo['user'];
    readonly instrument: Instrument;
    readonly except?: StoredAlgo['id'];
    /** How many are to be placed. */
    readonly places?: number;
    readonly kind?: StoredAlgo['plan']['kind'];
  },
): Promise<Refusal | undefined> {
  const { platform, symbolType, symbol } = instrument;
  const { openMax, perSymbol, iceberg, attached } = venueProfile(platform).trading.algos[symbolType];
  const open = (await deps.algos.openOf(user, { platform })).filter(
    (algo) => algo.id !== except && !isEnded(algo),
  );
  // What the venue made with an order, or hangs on a position, has places of its own there (Bybit: twenty pairs beside ten orders).
  const counted = open.filter(
    (algo) =>
      algo.payloadHash !== ATTACHED &&
      !hangsOnPosition(algo) &&
      algo.symbolType === symbolType &&
      (!perSymbol || algo.symbol === symbol),
  );
  const hangs = kind !== undefined && hangsOnPosition({ platform, symbolType, plan: { kind } });
  // What waits for its order waits there too.
  const listed = attached === 'list' ? await deps.algos.targets.attachedTo({ user, platform }, symbol) : [];
  const behind = listed.filter((order) => !open.some(({ parent }) => parent === order));
  if (!hangs && counted.length + behind.length + places > openMax)
    return { error: 'too-many-open-orders', allowed: String(openMax) };
  const icebergs = open.filter((algo) => algo.plan.kind === 'iceberg').length;
  if (kind === 'iceberg' && iceberg !== undefined && icebergs + places > iceberg.openMax)
    return { error: 'too-many-open-orders', allowed: String(iceberg.openMax) };
  return open.length + places <= WAITING_MAX
    ? undefined
    : { error: 'too-many-open-orders', allowed: String(WAITING_MAX) };
}

/**
 * Why there is nothing that a new one could hang on: no position that it closes, or one that has a trailing stop. The venue would
 * hang it on whichever position there is, and put it in the place of the one before.
 */
export async function hangingFault(deps: TradingDeps, algo: StoredAlgo): Promise<Refusal | undefined> {
  const { user, platform, symbol, contract, side } = algo;
  if (contract === undefined || !hangsOnPosition(algo)) return undefined;
  const nameOf = ({ side, marginMode }: Pick<ContractPart, 'side' | 'marginMode'>) =>
    positionName({ platform, symbol, side, marginMode });
  const isOf = (of: Pick<ContractPart, 'side' | 'marginMode'> | undefined) =>
    of !== undefined && nameOf(of) === nameOf(contract);
  const open = await deps.algos.openOf(user, { platform, symbolType: 'SWAP', symbol });
  if (open.some((other) => !isEnded(other) && hangsOnPosition(other) && isOf(other.contract)))
    return { error: 'order-combination', field: 'algoType', allowed: ONE_OF_A_POSITION };
  const held = (await deps.contracts.booked({ user, platform, symbol })).find(isOf);
  if (held === undefined) return { error: 'position-none' };
  if (contract.side !== POSITION_SIDE.NET) return undefined;
  return held.quantity > 0n === (side === SIDE.SELL) ? undefined : { error: 'position-none' };
}

const ONE_OF_A_POSITION = 'one trailing stop of a position: change the one that is there';
