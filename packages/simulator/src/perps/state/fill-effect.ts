import { type Amount, assert, type Lots, type Millis, minus, plus, ZERO } from '@crossbook/domain';
import type { HeldPosition } from '../../journal/contract-entries.ts';
import type { ClosedPosition, SimPositionKey } from '../../perp-exchange.ts';
import { coinsOf, valueAt } from '../margin/exposure.ts';
import { magnitude, over, stated, times } from '../margin/rounding.ts';
import type { ContractView } from '../margin/rules.ts';

/** What a fill does to a position: no state, no clock. */

const MONEY_DECIMALS = 8;

/** A fill as its position is concerned. */
export interface FillFacts {
  readonly contract: ContractView;
  /** Above 0 bought. */
  readonly lots: number;
  readonly price: Amount;
  readonly fee: Amount;
  readonly leverage: number;
  readonly time: Millis;
  /** The next number for a position that this fill opens. */
  readonly positionId: number;
  readonly ended: ClosedPosition['ended'];
}

/** What became of the position. */
export interface FillEffect {
  /** After the fill; quantity 0 when it closed. */
  readonly position: HeldPosition;
  readonly closedLots: Lots;
  /** Gross profit of what was closed, in eight decimals. */
  readonly realisedPnl: Amount;
  /** Fees of opening that belong to what was closed. */
  readonly entryFee: Amount;
  /** A position that ended here. */
  readonly closed: ClosedPosition | undefined;
}

/** A position that was never there. */
export function flatPosition(key: SimPositionKey, positionId: number, time: Millis): HeldPosition {
  const { account, symbol, side, marginMode } = key;
  return {
    ...{ account, symbol, side, marginMode, positionId, quantity: 0, entryPrice: ZERO, isolatedWallet: ZERO },
    ...{ realisedPnl: ZERO, feesPaid: ZERO, funding: ZERO, liquidationFee: ZERO, openFees: ZERO },
    ...{ openedQuote: ZERO, openedQuantity: 0 as Lots, maxQuantity: 0 as Lots },
    ...{ exitQuote: ZERO, closedQuantity: 0 as Lots, openedAt: time, updatedAt: time },
  };
}

/** Closes what the fill is against, then opens the rest. */
export function fillEffect(held: HeldPosition, fill: FillFacts): FillEffect {
  const against = Math.sign(held.quantity) === -Math.sign(fill.lots);
  const closedLots = against ? Math.min(Math.abs(held.quantity), Math.abs(fill.lots)) : 0;
  const openedLots = Math.abs(fill.lots) - closedLots;
  assert(openedLots === 0 || closedLots === 0 || held.side === 'BOTH', 'a leg never turns');
  const closeFee = partOf(fill.fee, closedLots, Math.abs(fill.lots));
  const { after, realisedPnl, entryFee } = close(held, fill, { lots: closedLots, fee: closeFee });
  const ended = closedLots > 0 && after.quantity === 0 ? closedOf(after, held, fill) : undefined;
  if (openedLots === 0) {
    return { position: after, closedLots: closedLots as Lots, realisedPnl, entryFee, closed: ended };
  }
  const base = after.quantity === 0 ? flatPosition(held, fill.positionId, fill.time) : after;
  const openFee = minus(fill.fee, closeFee);
  const position = open(base, fill, { lots: openedLots, fee: openFee });
  return { position, closedLots: closedLots as Lots, realisedPnl, entryFee, closed: ended };
}

function open(
  held: HeldPosition,
  fill: FillFacts,
  part: { readonly lots: number; readonly fee: Amount },
): HeldPosition {
  const { contract, price, time } = fill;
  const size = Math.abs(held.quantity);
  const grown = size + part.lots;
  const sum = held.entryPrice * BigInt(size) + price * BigInt(part.lots);
  const value = magnitude(valueAt(contract, part.lots, price));
  return {
    ...held,
    quantity: Math.sign(fill.lots) * grown,
    entryPrice: size === 0 ? price : over(sum as Amount, asAmount(grown)),
    feesPaid: plus(held.feesPaid, part.fee),
    openFees: plus(held.openFees, part.fee),
    openedQuote: plus(held.openedQuote, value),
    openedQuantity: (held.openedQuantity + part.lots) as Lots,
    maxQuantity: Math.max(held.maxQuantity, grown) as Lots,
    updatedAt: time,
  };
}

function close(
  held: HeldPosition,
  fill: FillFacts,
  part: { readonly lots: number; readonly fee: Amount },
): { readonly after: HeldPosition; readonly realisedPnl: Amount; readonly entryFee: Amount } {
  const { lots, fee } = part;
  if (lots === 0) return { after: held, realisedPnl: ZERO, entryFee: ZERO };
  const { contract, price, time } = fill;
  const signed = Math.sign(held.quantity) * lots;
  const gross = times(coinsOf(contract, signed), minus(price, held.entryPrice));
  const realisedPnl = stated(gross, MONEY_DECIMALS);
  const entryFee = partOf(held.openFees, lots, Math.abs(held.quantity));
  const after: HeldPosition = {
    ...held,
    quantity: held.quantity - signed,
    realisedPnl: plus(held.realisedPnl, realisedPnl),
    feesPaid: plus(held.feesPaid, fee),
    openFees: minus(held.openFees, entryFee),
    exitQuote: plus(held.exitQuote, magnitude(valueAt(contract, lots, price))),
    closedQuantity: (held.closedQuantity + lots) as Lots,
    updatedAt: time,
  };
  return { after, realisedPnl, entryFee };
}

function closedOf(after: HeldPosition, before: HeldPosition, fill: FillFacts): ClosedPosition {
  const { account, symbol, side, marginMode, positionId } = after;
  const averageOf = (quote: Amount, lots: Lots): Amount =>
    lots === 0 ? ZERO : stated(over(quote, coinsOf(fill.contract, lots)), MONEY_DECIMALS);
  return {
    ...{ account, symbol, side, marginMode, positionId, leverage: fill.leverage, ended: fill.ended },
    maxQuantity: after.maxQuantity,
    closedQuantity: after.closedQuantity,
    direction: before.quantity > 0 ? 'LONG' : 'SHORT',
    entryPrice: averageOf(after.openedQuote, after.openedQuantity),
    exitPrice: averageOf(after.exitQuote, after.closedQuantity),
    realisedPnl: after.realisedPnl,
    feesPaid: after.feesPaid,
    funding: after.funding,
    liquidationFee: after.liquidationFee,
    openedAt: after.openedAt,
    closedAt: fill.time,
  };
}

/** A fee's part by lots, in eight decimals. */
function partOf(fee: Amount, lots: number, all: number): Amount {
  if (lots === 0) return ZERO;
  return lots === all ? fee : stated(over((fee * BigInt(lots)) as Amount, asAmount(all)), MONEY_DECIMALS);
}

/** Whole numbers as amounts, so that a quotient keeps its scale. */
function asAmount(lots: number): Amount {
  return (BigInt(lots) * 10n ** 18n) as Amount;
}
