import { type Amount, formatAmount, minus, plus, stepsToAmount, toNumberForDisplay } from '@crossbook/domain';
import type { ClosedPosition, PerpPosition, SimPositionKey } from '../../../perp-exchange.ts';
import { fields } from '../../wire/fields.ts';
import type { Desk } from '../desk.ts';
import { type Listed, MARGIN_ASSET } from '../listing.ts';
import { closingAlgos } from './stop-rows.ts';
import { charged, mgnModeOf, posIdOf, posSideOf, ratioText } from './words.ts';

/** Positions as lists and channels tell them (OKX v5 guide, "Get positions", "Positions channel"; recorded 2025). */

/** What positions in margin trading, options and loans have. */
const EMPTY_FIELDS = fields(
  'baseBal baseBorrowed baseInterest bizRefId bizRefType clSpotInUseAmt deltaBS deltaPA gammaBS gammaPA hedgedPos interest liab liabCcy maxSpotInUseAmt nonSettleAvgPx optVal pendingCloseOrdLiabVal posCcy quoteBal quoteBorrowed quoteInterest settledPnl spotInUseAmt spotInUseCcy thetaBS thetaPA vegaBS vegaPA',
  '',
);

/** What only a position has that is held. */
const FLAT_FIELDS = fields(
  'adl availPos avgPx bePx fee fundingFee idxPx imr last lever liqPenalty liqPx margin markPx mgnRatio mmr notionalUsd pnl realizedPnl upl uplLastPx uplRatio uplRatioLastPx usdPx',
  '',
);

/** In net mode a size below 0 is short; a leg has its side. */
function sizeOf(listed: Listed, { side, quantity }: Pick<PerpPosition, 'side' | 'quantity'>): string {
  const lots = side === 'BOTH' ? quantity : Math.abs(quantity);
  const text = listed.format.quantity(Math.abs(lots) as never);
  return lots < 0 ? `-${text}` : text;
}

/** What of a leg is not being closed already; net mode does not say it. */
function availableOf(desk: Desk, listed: Listed, position: PerpPosition): string {
  if (position.side === 'BOTH') return '';
  const closing = position.side === 'LONG' ? 'SELL' : 'BUY';
  const pending = desk.venue.perps
    .openPerpOrders(position.account, position.symbol)
    .filter((order) => order.side === closing && order.positionSide === position.side)
    .filter(({ marginMode }) => marginMode === position.marginMode)
    .reduce((sum, { quantity, executed }) => sum + quantity - executed, 0);
  return listed.format.quantity(Math.max(0, Math.abs(position.quantity) - pending) as never);
}

/** The trade that changed a position last. */
function lastTradeOf(desk: Desk, key: SimPositionKey): string {
  const fill = desk.venue.perps
    .perpFills(key.account, { symbol: key.symbol, limit: Number.MAX_SAFE_INTEGER })
    .findLast(({ positionSide, marginMode }) => positionSide === key.side && marginMode === key.marginMode);
  return fill === undefined ? '' : String(fill.tradeId);
}

/** Profit at another price than the mark. */
function profitAt(position: PerpPosition, price: number): number {
  const { entryPrice, markPrice, unrealisedPnl, notional, quantity } = position;
  const mark = toNumberForDisplay(markPrice);
  const coins = mark === 0 ? 0 : (Math.sign(quantity) * toNumberForDisplay(notional)) / mark;
  return price === mark
    ? toNumberForDisplay(unrealisedPnl)
    : coins * (price - toNumberForDisplay(entryPrice));
}

/** Profit over what the position cost at its leverage. */
function ratioOfProfit(listed: Listed, position: PerpPosition, profit: number): string {
  const contracts = stepsToAmount(Math.abs(position.quantity), listed.contract?.lotSize ?? (0n as Amount));
  const coins =
    toNumberForDisplay(contracts) * toNumberForDisplay(listed.contract?.contractValue ?? (0n as Amount));
  const cost = (coins * toNumberForDisplay(position.entryPrice)) / position.leverage;
  return cost === 0 ? '0' : ratioText(profit / cost);
}

/** Gross profit, fees, funding and liquidation fees together, as `realizedPnl` counts them. */
function netOf(
  position: Pick<PerpPosition, 'realisedPnl' | 'feesPaid' | 'funding' | 'liquidationFee'>,
): Amount {
  const { realisedPnl, feesPaid, funding, liquidationFee } = position;
  return minus(plus(minus(realisedPnl, feesPaid), funding), liquidationFee);
}

function earnedFields(
  position: Pick<PerpPosition, 'realisedPnl' | 'feesPaid' | 'funding' | 'liquidationFee'>,
): Record<string, string> {
  return {
    fee: charged(position.feesPaid),
    fundingFee: formatAmount(position.funding),
    liqPenalty: charged(position.liquidationFee),
    pnl: formatAmount(position.realisedPnl),
    realizedPnl: formatAmount(netOf(position)),
  };
}

/** One row of `account/positions` and of the `positions` channel. */
export function positionRow(desk: Desk, listed: Listed, position: PerpPosition): object {
  const isolated = position.marginMode === 'ISOLATED';
  const { index } = desk.venue.perps.stats(listed.instId);
  const last = desk.venue.perps.ticker(listed.instId).last;
  const atLast = profitAt(position, last);
  const price = listed.format.displayPrice;
  return {
    ...EMPTY_FIELDS,
    adl: String(position.adlRank),
    availPos: availableOf(desk, listed, position),
    avgPx: formatAmount(position.entryPrice),
    bePx: formatAmount(position.breakEvenPrice),
    cTime: String(position.openedAt),
    ccy: MARGIN_ASSET,
    closeOrderAlgo: closingAlgos(desk, listed, position),
    ...earnedFields(position),
    idxPx: price(index),
    imr: isolated ? '' : formatAmount(position.initialMargin),
    instId: listed.instId,
    instType: listed.instType,
    interest: '0',
    last: price(last),
    lever: String(position.leverage),
    liqPx: position.liquidationPrice === undefined ? '' : formatAmount(position.liquidationPrice),
    margin: isolated ? formatAmount(position.isolatedWallet) : '',
    markPx: formatAmount(position.markPrice),
    mgnMode: mgnModeOf(position.marginMode),
    mgnRatio: position.ratio > 0 ? ratioText(1 / position.ratio) : '',
    mmr: formatAmount(position.maintenanceMargin),
    notionalUsd: formatAmount(position.notional),
    pos: sizeOf(listed, position),
    posId: posIdOf(listed, position),
    posSide: posSideOf(position.side),
    tradeId: lastTradeOf(desk, position),
    uTime: String(position.updatedAt),
    upl: formatAmount(position.unrealisedPnl),
    uplLastPx: ratioText(atLast),
    uplRatio: ratioOfProfit(listed, position, toNumberForDisplay(position.unrealisedPnl)),
    uplRatioLastPx: ratioOfProfit(listed, position, atLast),
    usdPx: '1',
  };
}

/** A position that has just been closed, as the channel tells it once. */
export function closedRow(desk: Desk, listed: Listed, key: SimPositionKey, time: number): object {
  return {
    ...EMPTY_FIELDS,
    ...FLAT_FIELDS,
    cTime: String(time),
    ccy: MARGIN_ASSET,
    closeOrderAlgo: [],
    instId: listed.instId,
    instType: listed.instType,
    mgnMode: mgnModeOf(key.marginMode),
    pos: '0',
    posId: posIdOf(listed, key),
    posSide: posSideOf(key.side),
    tradeId: lastTradeOf(desk, key),
    uTime: String(time),
  };
}

/** A position in `balance_and_position`; `undefined` entry of one that was closed. */
export function briefRow(
  desk: Desk,
  listed: Listed,
  key: SimPositionKey,
  held: { readonly position: PerpPosition | undefined; readonly time: number },
): object {
  const { position, time } = held;
  return {
    avgPx: position === undefined ? '' : formatAmount(position.entryPrice),
    ccy: MARGIN_ASSET,
    instId: listed.instId,
    instType: listed.instType,
    mgnMode: mgnModeOf(key.marginMode),
    pos: position === undefined ? '0' : sizeOf(listed, position),
    posCcy: '',
    posId: posIdOf(listed, key),
    posSide: posSideOf(key.side),
    tradeId: lastTradeOf(desk, key),
    uTime: String(position?.updatedAt ?? time),
  };
}

/** `liquidation-warning`: a position in danger. */
export function warningRow(listed: Listed, position: PerpPosition, time: number): object {
  return {
    cTime: String(position.openedAt),
    ccy: MARGIN_ASSET,
    instId: listed.instId,
    instType: listed.instType,
    lever: String(position.leverage),
    markPx: formatAmount(position.markPrice),
    mgnMode: mgnModeOf(position.marginMode),
    mgnRatio: position.ratio > 0 ? ratioText(1 / position.ratio) : '',
    pTime: String(time),
    pos: sizeOf(listed, position),
    posCcy: '',
    posId: posIdOf(listed, position),
    posSide: posSideOf(position.side),
    uTime: String(position.updatedAt),
  };
}

/** `type` of a closed position: closed whole, liquidated, deleveraged. */
const ENDINGS: Readonly<Record<ClosedPosition['ended'], string>> = {
  CLOSED: '2',
  LIQUIDATED: '3',
  DELEVERAGED: '5',
};

/** `type` of one row of `positions-history`. */
export function endingOf(closed: ClosedPosition): string {
  return ENDINGS[closed.ended];
}

/** One row of `positions-history`. */
export function historyRow(listed: Listed, closed: ClosedPosition): object {
  const size = (lots: number): string => listed.format.quantity(lots as never);
  const { entryPrice, exitPrice, leverage } = closed;
  const contracts = toNumberForDisplay(
    stepsToAmount(closed.maxQuantity, listed.contract?.lotSize ?? (0n as Amount)),
  );
  const coins = contracts * toNumberForDisplay(listed.contract?.contractValue ?? (0n as Amount));
  const cost = (coins * toNumberForDisplay(entryPrice)) / leverage;
  return {
    cTime: String(closed.openedAt),
    ccy: MARGIN_ASSET,
    closeAvgPx: formatAmount(exitPrice),
    closeTotalPos: size(closed.closedQuantity),
    direction: closed.direction.toLowerCase(),
    ...earnedFields(closed),
    instId: listed.instId,
    instType: listed.instType,
    lever: String(leverage),
    mgnMode: mgnModeOf(closed.marginMode),
    nonSettleAvgPx: '',
    openAvgPx: formatAmount(entryPrice),
    openMaxPos: size(closed.maxQuantity),
    pnlRatio: cost === 0 ? '0' : ratioText(toNumberForDisplay(netOf(closed)) / cost),
    posId: posIdOf(listed, closed),
    posSide: posSideOf(closed.side),
    settledPnl: '',
    triggerPx: '',
    type: endingOf(closed),
    uTime: String(closed.closedAt),
    uly: listed.index,
  };
}
