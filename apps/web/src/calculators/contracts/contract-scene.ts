import type { MarginRow, OrderRow, PositionRow } from '@crossbook/contract';
import {
  type Amount,
  type ContractOrderRequest,
  type ContractScene,
  type Instrument,
  type LeverageTier,
  type MarginTerms,
  type Millis,
  parseAmount,
  SIDE,
  type VenuePosition,
  ZERO,
} from '@crossbook/domain';
import { signedDecimal } from './position-stats.ts';

/** What the estimates of an order on a contract are made of, as the pages have it. */
export interface SceneFacts {
  readonly instrument: Instrument;
  /** How the venue reckons margin. */
  readonly terms: MarginTerms;
  /** Fractions: 0.0005 is 0.05 %. */
  readonly makerFee: Amount;
  readonly takerFee: Amount;
  readonly setting: ContractScene['setting'];
  readonly mark: Amount;
  readonly bestBid: Amount | undefined;
  readonly bestAsk: Amount | undefined;
  /** Smallest positions first; empty where the venue gave none. */
  readonly tiers: readonly LeverageTier[];
  /** All positions of the platform, and its margin; without it the pool counts as empty. */
  readonly positions: readonly PositionRow[];
  readonly margin: MarginRow | undefined;
  /** Open orders of this contract. */
  readonly orders: readonly OrderRow[];
  /** What open orders of the platform keep from standing behind cross positions; absent: nothing. */
  readonly heldBack?: Amount;
}

/** The scene that the rules of contracts know. */
export function contractScene(facts: SceneFacts): ContractScene {
  const { instrument, terms, makerFee, takerFee, setting, mark, bestBid, bestAsk, tiers, margin } = facts;
  const available = signedDecimal(margin?.available ?? null);
  return {
    ...{ instrument, terms, makerFee, takerFee, setting, mark, tiers },
    ...(bestBid === undefined ? {} : { bestBid }),
    ...(bestAsk === undefined ? {} : { bestAsk }),
    ...(facts.heldBack === undefined ? {} : { heldBack: facts.heldBack }),
    pool: { wallet: signedDecimal(margin?.wallet ?? null), available: available < ZERO ? ZERO : available },
    positions: facts.positions.map(venuePosition),
    orders: facts.orders
      .filter(({ marginMode }) => marginMode === setting.marginMode)
      .map(openRequest)
      .filter(({ quantity }) => quantity > ZERO),
  };
}

/** The scene of one position alone: nothing else of the account is known. */
export function positionScene(
  row: PositionRow,
  {
    instrument,
    ...facts
  }: Pick<SceneFacts, 'terms' | 'mark' | 'tiers'> & {
    readonly instrument: Instrument & Pick<SceneFacts, 'makerFee' | 'takerFee'>;
  },
): ContractScene {
  const { marginMode, leverage } = row;
  return contractScene({
    ...{ ...facts, instrument, makerFee: instrument.makerFee, takerFee: instrument.takerFee },
    setting: { marginMode, leverageLong: leverage, leverageShort: leverage },
    ...{ bestBid: undefined, bestAsk: undefined, positions: [row], margin: undefined, orders: [] },
  });
}

/** What is still open of an order, in what the venue counts. */
function openRequest(row: OrderRow): ContractOrderRequest {
  const left = (parseAmount(row.quantity ?? '0') ?? ZERO) - (parseAmount(row.cumQuantity) ?? ZERO);
  const price = row.price === null ? undefined : parseAmount(row.price);
  return {
    ...{ buys: row.side === SIDE.BUY, side: row.effect ?? 0, quantity: left as Amount },
    ...(price === undefined ? {} : { price }),
    reduceOnly: row.reduceOnly === true,
  };
}

/** A position as the rules of contracts know it. */
export function venuePosition(row: PositionRow): VenuePosition {
  const { exchange, symbol, effect, marginMode, leverage, adlRank, status } = row;
  return {
    ...{ platform: exchange, symbol, side: effect, marginMode, leverage, adlRank, status },
    ...{ quantity: signedDecimal(row.quantity), entryPrice: signedDecimal(row.entryPrice) },
    markPrice: signedDecimal(row.markPrice),
    ...(row.breakEvenPrice == null ? {} : { breakEvenPrice: signedDecimal(row.breakEvenPrice) }),
    ...(row.isolatedMargin === null ? {} : { isolatedMargin: signedDecimal(row.isolatedMargin) }),
    unrealisedPnl: signedDecimal(row.unrealisedPnl),
    initialMargin: signedDecimal(row.initialMargin),
    maintenanceMargin: signedDecimal(row.maintenanceMargin),
    ...{ version: 0, updatedAt: row.updatedAt as Millis },
  };
}
