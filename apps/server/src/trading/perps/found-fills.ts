import {
  type Amount,
  type Instrument,
  type Millis,
  ORDER_STATUS,
  ORDER_TYPE,
  type OrderId,
  POSITION_SIDE,
  type PositionSide,
  plus,
  SIDE,
  type Side,
  TIME_IN_FORCE,
  type VenueFill,
  type VenueIncome,
  type VenueOrderId,
  type VenueOrderState,
  venueClientId,
  ZERO,
} from '@crossbook/domain';
import { holdId, transferId } from '@crossbook/ledger';
import type { AccountOwner } from '../account-pages.ts';
import { announce } from '../booking/announce.ts';
import { bookContractFills } from '../booking/book-contract-fills.ts';
import { storedFill } from '../booking/booked-rows.ts';
import { type ContractPart, clientIdAtVenue, type OrderCause, type StoredOrder } from '../order.ts';
import { onVenueEvent } from '../orders/on-venue-event.ts';
import { lookupShare } from '../orders/order-intent.ts';
import type { Placing } from '../orders/place-order.ts';
import type { TradingDeps } from '../ports.ts';
import type { ContractAccount } from './contract-accounts.ts';

/** Fills are asked for from a little before the first entry that speaks of one. */
const BEFORE_MILLIS = 1_000;
/** Without an entry they are asked for since positions last agreed, and this long before: lists may lag behind positions. */
const LAG_MILLIS = 120_000;
/** Further back than this is not asked: OKX keeps three months. */
const SEARCHED_MILLIS_MAX = 89 * 86_400_000;

/**
 * Finds fills that nobody told of by the entries of the income list: those of orders of ours are looked up, all others are
 * the venue's own hand (liquidation, deleveraging) and get an order of their own. @returns whether nothing is missing now.
 */
export async function findFills(
  placing: Placing,
  account: ContractAccount,
  entries: readonly VenueIncome[],
): Promise<boolean> {
  const { deps } = placing;
  const { owner } = account;
  const bySymbol = new Map<string, VenueIncome[]>();
  for (const entry of entries) {
    if (entry.tradeId === undefined || entry.symbol === undefined) continue;
    if (entry.kind !== 'realised-pnl' && entry.kind !== 'commission') continue;
    bySymbol.set(entry.symbol, [...(bySymbol.get(entry.symbol) ?? []), entry]);
  }
  let complete = true;
  for (const [symbol, of] of bySymbol) {
    const ids = [...new Set(of.map(({ tradeId = '' }) => tradeId))];
    const known = await deps.contracts.knownTrades(owner, symbol, ids);
    const missing = of.filter(({ tradeId = '' }) => !known.has(tradeId));
    const since = Math.min(...missing.map(({ time }) => time)) - BEFORE_MILLIS;
    if (missing.length > 0) complete = (await findOf(placing, account, { symbol, since })) && complete;
  }
  return complete;
}

/**
 * Finds fills of some contracts without the income list: what realised nothing and paid no fee has no entry there. And
 * positions that are not the sum of their fills are made anew. @returns whether all of it could be read and is booked.
 */
export async function searchFills(
  placing: Placing,
  account: ContractAccount,
  symbols: readonly string[],
): Promise<boolean> {
  const { deps } = placing;
  const { owner } = account;
  const agreedAt = await deps.contracts.agreedAt(owner);
  if (agreedAt === undefined) return true;
  const since = Math.max(agreedAt - LAG_MILLIS, deps.clock() - SEARCHED_MILLIS_MAX);
  for (const symbol of symbols) {
    if (!(await findOf(placing, account, { symbol, since }))) return false;
    if (await deps.contracts.madeAnew(owner, symbol))
      deps.log.incident('a position was not the sum of its fills, made anew', { ...owner, symbol });
  }
  return true;
}

async function findOf(
  placing: Placing,
  account: ContractAccount,
  { symbol, since }: { readonly symbol: string; readonly since: number },
): Promise<boolean> {
  const { deps } = placing;
  const { owner, desk, credentials } = account;
  const instrument = deps.market.instrument(owner.platform, 'SWAP', symbol);
  if (instrument === undefined) return false;
  if (!(await placing.children(owner, { symbolType: 'SWAP', symbol }))) return false;
  const asker = desk.trading.asking('reconciliation');
  const fills = await asker.fillsSince(credentials, instrument, since as Millis);
  if (!fills.ok) return false;
  const known = await deps.contracts.knownFills(owner, symbol, fills.value);
  const missing = fills.value.filter((fill) => !known.has(`${fill.tradeId} ${fill.venueOrderId}`));
  const byOrder = new Map<VenueOrderId, VenueFill[]>();
  for (const fill of missing)
    byOrder.set(fill.venueOrderId, [...(byOrder.get(fill.venueOrderId) ?? []), fill]);
  // Read before it is asked whose a fill is: what is acknowledged meanwhile is then known by the venue's id.
  const unacknowledged = (await deps.orders.unsettledOf(owner)).filter(
    (order) => order.venueOrderId === undefined && order.symbolType === 'SWAP' && order.symbol === symbol,
  );
  const behind = (fill: VenueFill) => orderBehind(account, instrument, { fill, unacknowledged });
  let complete = true;
  for (const [venueOrderId, of] of byOrder) {
    const stored = await deps.orders.byVenueId(owner, venueOrderId, { symbol, symbolType: 'SWAP' });
    const [first] = of;
    const found = stored === undefined && first !== undefined ? await behind(first) : {};
    if (found === 'unknown') {
      complete = false;
      continue;
    }
    const ours = stored ?? found.ours;
    if (ours !== undefined && ours.cause === undefined) {
      // Its own lookup books it, under its lane.
      if (!ours.settled) placing.machine.lookupNow(ours.id, lookupShare(owner));
      else await bookOfOurs(placing, ours, { venueOrderId, fills: of });
      continue;
    }
    const { cause } = found;
    const caused = of.map((fill) =>
      cause === undefined || fill.contract === undefined
        ? fill
        : { ...fill, contract: { ...fill.contract, cause } },
    );
    await bookForeign(placing, { owner, instrument }, caused);
  }
  return complete;
}

/** What the venue says of the order behind a fill. */
interface OrderBehind {
  readonly ours?: StoredOrder;
  readonly cause?: NonNullable<VenueOrderState['cause']>;
}

/**
 * Whose the order behind a fill is, where the answer to one of ours is lost or under way: booked as the venue's own it
 * would be booked again with its order. And whose hand it was, which a list of fills may not say.
 */
async function orderBehind(
  { desk, credentials }: ContractAccount,
  instrument: Instrument,
  { fill, unacknowledged }: { readonly fill: VenueFill; readonly unacknowledged: readonly StoredOrder[] },
): Promise<OrderBehind | 'unknown'> {
  if (unacknowledged.length === 0 && fill.contract?.cause !== 'trade') return {};
  const asker = desk.trading.asking('reconciliation');
  const found = await asker.findByVenueId(credentials, instrument, fill.venueOrderId);
  if (found.outcome === 'unknown') return 'unknown';
  if (found.outcome === 'not-found') return {};
  const { clientId, cause } = found.value;
  const ours = unacknowledged.find((order) => clientIdAtVenue(order) === clientId);
  return { ...(ours === undefined ? {} : { ours }), ...(cause === undefined ? {} : { cause }) };
}

/**
 * Fills of an order that counts as settled. Those that are not booked are an incident, and are booked all the same: the
 * order comes back until a lookup has proved its end anew.
 */
async function bookOfOurs(
  { deps, lanes, machine }: Placing,
  { id, symbol, status, platform }: StoredOrder,
  { venueOrderId, fills }: { readonly venueOrderId: VenueOrderId; readonly fills: readonly VenueFill[] },
): Promise<void> {
  const state: VenueOrderState = {
    ...{ clientId: venueClientId(id), venueOrderId, symbol, status, time: deps.clock() },
    ...{ cumulativeQuantity: ZERO, cumulativeQuote: ZERO },
  };
  await lanes.run(id, async () => {
    const booked = await onVenueEvent(deps, id, { state, fills, barrier: false });
    if (booked?.needsLookup === true) machine.lookupSoon(id, lookupShare({ platform }));
  });
}

/**
 * Books fills of an order that no member sent. Its row has an id made of the venue's, so that streams, lists and other
 * processes make the same one.
 */
export async function bookForeign(
  { deps, lanes }: Placing,
  where: Place,
  fills: readonly VenueFill[],
): Promise<void> {
  const [first] = fills;
  if (first?.contract === undefined) return;
  const id = foreignId(where, first.venueOrderId);
  await lanes.run(id, async () => {
    const stored = await deps.orders.byId(id);
    const order = stored ?? (await foreignOrder(deps, where, fills));
    const booked = await deps.orders.fillsOfOrder(id);
    const known = new Set<string>(booked.map(({ tradeId }) => tradeId));
    const fresh = fills.filter(({ tradeId }) => !known.has(tradeId));
    if (fresh.length === 0) return;
    const all = [...booked, ...fresh];
    const after: StoredOrder = {
      ...order,
      ...{ status: ORDER_STATUS.FILLED, settled: true, updatedAt: deps.clock() },
      cumQuantity: all.reduce((sum, fill) => plus(sum, fill.quantity), ZERO),
      cumQuote: all.reduce((sum, fill) => plus(sum, fill.quoteQuantity), ZERO),
      realisedPnl: all.reduce((sum, fill) => plus(sum, fill.contract?.realisedPnl ?? ZERO), ZERO),
    };
    await bookContractFills(deps, { order, after, fresh, booked, isNew: stored === undefined });
    announce(
      deps,
      after,
      fresh.map((fill) => storedFill(order, fill)),
    );
  });
}

/** Where an order of the venue's own is. */
interface Place {
  readonly owner: AccountOwner;
  readonly instrument: Instrument;
}

function foreignId({ owner, instrument }: Place, venueOrderId: VenueOrderId): OrderId {
  const { user, platform } = owner;
  return transferId('venue-order', platform, user, instrument.symbol, venueOrderId) as string as OrderId;
}

async function foreignOrder(
  deps: TradingDeps,
  place: Place,
  fills: readonly VenueFill[],
): Promise<StoredOrder> {
  const { owner, instrument } = place;
  const { user, platform } = owner;
  const { symbol, base, quote } = instrument;
  const [{ venueOrderId, contract: reported, time }] = fills as readonly [VenueFill];
  const id = foreignId(place, venueOrderId);
  const cause: OrderCause = reported === undefined || reported.cause === 'trade' ? 'venue' : reported.cause;
  const booked = await deps.contracts.booked({ ...owner, symbol });
  const leg = reported?.side ?? legMadeSmaller(booked, reported);
  const isMeant = ({ side, marginMode }: Pick<ContractPart, 'side' | 'marginMode'>): boolean =>
    side === leg && (reported?.marginMode === undefined || marginMode === reported.marginMode);
  const position = booked.find(isMeant);
  // What opened the position may not be booked yet.
  const opening =
    position ??
    (await deps.orders.unsettledOf(owner)).find(
      (order) => order.symbol === symbol && order.contract !== undefined && isMeant(order.contract),
    )?.contract;
  return {
    ...{ id, user, platform, symbolType: 'SWAP', symbol, base, quote, cause },
    ...{ side: sideOf(reported) ?? closingSide(leg, position?.quantity), type: ORDER_TYPE.MARKET },
    quantity: fills.reduce((sum, fill) => plus(sum, fill.quantity), ZERO),
    ...{ timeInForce: TIME_IN_FORCE.IOC, payloadHash: `order of the exchange ${venueOrderId}` },
    contract: {
      ...{ side: leg, reduceOnly: true, leverage: opening?.leverage ?? 1 },
      marginMode: reported?.marginMode ?? opening?.marginMode ?? 'cross',
    },
    ...{ holdId: holdId('order', id), holdAsset: quote, holdAmount: ZERO },
    ...{ sendType: ORDER_TYPE.MARKET, sendTimeInForce: TIME_IN_FORCE.IOC },
    ...{ status: ORDER_STATUS.FILLED, cancelPending: false, settled: false, lookups: 0 },
    ...{ cumQuantity: ZERO, cumQuote: ZERO, venueOrderId, createdAt: time, updatedAt: time },
  };
}

function sideOf(reported: VenueFill['contract']): Side | undefined {
  if (reported?.buys === undefined) return undefined;
  return reported.buys ? SIDE.BUY : SIDE.SELL;
}

/** A list that leaves the position out (Bybit) tells it of the order, and what is settled has none: of two legs a sale closes the long one. */
function legMadeSmaller(
  booked: readonly { readonly side: PositionSide }[],
  reported: VenueFill['contract'],
): PositionSide {
  const leg = reported?.buys === true ? POSITION_SIDE.SHORT : POSITION_SIDE.LONG;
  return booked.some(({ side }) => side === leg) ? leg : POSITION_SIDE.NET;
}

/** The venue's own hand only ever makes positions smaller. */
function closingSide(leg: PositionSide, quantity: Amount = ZERO): Side {
  if (leg === POSITION_SIDE.NET) return quantity < 0n ? SIDE.BUY : SIDE.SELL;
  return leg === POSITION_SIDE.LONG ? SIDE.SELL : SIDE.BUY;
}
