import type { Amount } from '../amount.ts';
import type { Instrument } from '../instrument.ts';
import type { ContractSetting, LeverageTier, MarginPool, PositionSide, VenuePosition } from '../position.ts';

/**
 * What an order on a contract would cost and change, before it is sent: estimates by each venue's documented formulas.
 * They round against the member: cost up, sizes down, liquidation toward the mark. Where a venue states a figure, its
 * own is shown instead.
 */

/** How a venue reckons margin, as data. */
export interface MarginTerms {
  /**
   * Of resting orders in one-way mode: `netted` takes the worse of position with bids and position with asks;
   * `directions` takes the dearer direction, whose orders nearest to the market close the position and are free.
   */
  readonly orders: 'netted' | 'directions';
  /** What an order loses at once against the mark is part of its cost. */
  readonly openLossInCost: boolean;
  readonly openingFeeInCost: boolean;
  /** The fee of closing where the margin is used up is part of order, initial and maintenance margin. */
  readonly closingFeeInMargin: boolean;
  /** Equity must cover the taker fee of the close besides maintenance. */
  readonly closingFeeAtLiquidation: boolean;
  /** How far above the best ask a market buy is reckoned, as a fraction. */
  readonly marketBuySurcharge: Amount;
  /** The fee of closing is in the break-even price, as taker and at this rate at least; absent: it is not. */
  readonly breakEvenFeeMin?: Amount;
  /** In cross hedge mode only what one leg is larger by needs maintenance. */
  readonly legsCoverEachOther: boolean;
  /** What open orders may cost, spot ones too, does not stand behind cross positions. */
  readonly ordersHoldBack?: true;
}

/** An order on a contract: resting with what is open of it, or asked for. Quantities count what the venue counts. */
export interface ContractOrderRequest {
  readonly buys: boolean;
  /** Net in one-way mode; in hedge mode the leg that is opened or closed. */
  readonly side: PositionSide;
  readonly quantity: Amount;
  /** Absent: at market. */
  readonly price?: Amount;
  readonly reduceOnly: boolean;
}

/** What stands around an order on a contract. */
export interface ContractScene {
  readonly instrument: Instrument;
  readonly terms: MarginTerms;
  readonly takerFee: Amount;
  readonly makerFee: Amount;
  /** Smallest positions first. Without them nothing is known of liquidation and of room. */
  readonly tiers: readonly LeverageTier[];
  /** Its margin mode is that of the order and of the positions that it can change. */
  readonly setting: Pick<ContractSetting, 'marginMode' | 'leverageLong' | 'leverageShort'>;
  readonly mark: Amount;
  readonly bestBid?: Amount;
  readonly bestAsk?: Amount;
  readonly pool: Pick<MarginPool, 'wallet' | 'available'>;
  /** All positions of the account at the venue; flat ones do no harm. */
  readonly positions: readonly VenuePosition[];
  /** Open orders on the same contract in the same margin mode, those that wait for a trigger left out. */
  readonly orders: readonly ContractOrderRequest[];
  /** Equity that does not stand behind cross positions: spot orders and fees of open orders at OKX. */
  readonly heldBack?: Amount;
}

/** Signed size: below 0 is short, also for a leg. */
export function signedQuantity({ side, quantity }: Pick<VenuePosition, 'side' | 'quantity'>): Amount {
  return side === 2 ? (-quantity as Amount) : quantity;
}

/** The position that an order would change, if it is there. */
export function positionMet(
  order: Pick<ContractOrderRequest, 'side'>,
  { instrument, setting, positions }: ContractScene,
): VenuePosition | undefined {
  return positions.find(
    ({ symbol, side, marginMode, quantity }) =>
      quantity !== 0n &&
      symbol === instrument.symbol &&
      side === order.side &&
      marginMode === setting.marginMode,
  );
}

/** Leverage that an order or a leg has, in hundredths. */
export function leverageHundredths(side: PositionSide, { setting }: Pick<ContractScene, 'setting'>): bigint {
  return BigInt(Math.round(100 * (side === 2 ? setting.leverageShort : setting.leverageLong)));
}

/** The price that an order is reckoned at: its own, or at market the other side's best and what the venue adds. */
export function reckonedPrice(order: ContractOrderRequest, scene: ContractScene): Amount {
  if (order.price !== undefined) return order.price;
  const { mark, bestAsk, bestBid, terms } = scene;
  if (!order.buys) {
    const bid = bestBid ?? mark;
    return terms.orders === 'netted' && mark > bid ? mark : bid;
  }
  const ask = bestAsk ?? mark;
  return (ask + (ask * terms.marketBuySurcharge) / ONE) as Amount;
}

const ONE = 10n ** 18n;
