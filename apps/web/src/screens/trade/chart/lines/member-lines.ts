import type { AlgoRow, OrderRow, PositionRow, PriceAlertRow } from '@crossbook/contract';
import {
  type Amount,
  decimalsOf,
  formatAmountFixed,
  mulDown,
  ORDER_STATUS,
  parseAmount,
  SIDE,
  toNumberForDisplay,
} from '@crossbook/domain';
import { movedLimit, pulledTarget } from '../../../../calculators/algos/moved-trigger.ts';
import { closingSide, liquidatesBefore, protecting } from '../../../../calculators/algos/position-targets.ts';
import { type TargetName, type TargetScene, targetStats } from '../../../../calculators/algos/targets.ts';
import { baseStep } from '../../../../calculators/contracts/contract-size.ts';
import { type PositionStats, positionStats } from '../../../../calculators/contracts/position-stats.ts';
import { restingOrders } from '../../../../calculators/market/chart-marks.ts';
import { signedText } from '../../../../calculators/signed-text.ts';
import { groupThousands } from '../../../../calculators/step-text.ts';
import { sideKey } from '../../../../calculators/ticket/order-side.ts';
import { formatPercent } from '../../../../i18n/format.ts';
import type { Text } from '../../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../../stores/market/instruments.ts';
import { algoOffer } from '../../../../stores/market/market.ts';
import type { Mark } from '../../../../stores/trading/contracts/marks.ts';
import { positionKey } from '../../../../stores/trading/contracts/positions.ts';
import type { ChartLine } from '../chart-port.ts';
import { legLineId, lineId } from './use-line-moves.ts';

/** A line whose price is not written yet. */
type Line = Omit<ChartLine, 'priceText'>;

/** What the lines of a market are made with. */
export interface LineScene {
  readonly text: Text;
  readonly instrument: ListedInstrument;
  readonly mark: Mark | undefined;
  /** The lines of break-even are wanted. */
  readonly breakEven: boolean;
}

interface Protected {
  readonly row: PositionRow;
  readonly stats: PositionStats;
  /** Coins that are closed. */
  readonly size: Amount;
}

/** What a take-profit or stop-loss of a position says: what it brings after fees, and whether liquidation comes first. */
function targetLabel(
  { text, instrument }: LineScene,
  { row, stats, size }: Protected,
  target: { readonly name: TargetName; readonly price: Amount; readonly sizeText: string },
): string {
  const { name, price, sizeText } = target;
  const scene: TargetScene = {
    ...{ side: stats.side, entry: stats.entry, size, leverage: row.leverage },
    ...{ tickSize: instrument.tickSize, feeRate: instrument.takerFee },
  };
  const brings = targetStats(price, scene);
  const gain = brings?.net === undefined ? '' : ` · ≈ ${signedText(brings.net, 2)}`;
  const far = brings === undefined ? '' : ` (${formatPercent(brings.percent)})`;
  const liquidation = parseAmount(row.liquidationPrice ?? '');
  const late = name === 'stopLoss' && liquidatesBefore(stats.side, price, liquidation);
  const warning = late ? ` · ${text('trade.chart.liquidationFirst')}` : '';
  return `${text(`trade.chart.${name}`)} ${sizeText}${gain}${far}${warning}`;
}

/** Entry and liquidation of a position; the entry's label follows the mark, and a take-profit or stop-loss is pulled out of it. */
function positionLines(scene: LineScene, row: PositionRow): readonly Line[] {
  const { text, instrument, mark, breakEven } = scene;
  const stats = positionStats(row, instrument, mark?.price);
  const long = stats.side === SIDE.BUY;
  const sized = formatAmountFixed(stats.size, decimalsOf(baseStep(instrument)));
  const gain = `${signedText(stats.pnl, 2)} (${formatPercent(stats.roe)})`;
  const word = text(long ? 'trade.contract.long' : 'trade.contract.short');
  const entry: Line = {
    ...{
      id: lineId({ position: row }),
      tone: long ? 'up' : 'down',
      stroke: 'solid',
      below: row.effect === 2,
    },
    price: toNumberForDisplay(stats.entry),
    label: `${word.charAt(0).toUpperCase()}${word.slice(1)} ${sized} · ${gain}`,
    pulled: row.status === 'normal',
    at: (price) => ({
      tone: long ? 'down' : 'up',
      label: targetLabel(
        scene,
        { row, stats, size: stats.size },
        { price, name: pulledTarget(stats.side, price, stats.mark), sizeText: text('trade.algo.wholeShort') },
      ),
    }),
  };
  const liquidation = row.liquidationPrice === null ? undefined : parseAmount(row.liquidationPrice);
  const even = breakEven ? parseAmount(row.breakEvenPrice ?? '') : undefined;
  const lines: Line[] = [entry];
  if (even !== undefined) {
    lines.push({
      ...{ id: `break-even ${positionKey(row)}`, tone: 'faint', stroke: 'dotted', below: true },
      ...{ price: toNumberForDisplay(even), label: text('trade.chart.breakEven') },
    });
  }
  if (liquidation !== undefined) {
    const at = groupThousands(formatAmountFixed(liquidation, decimalsOf(instrument.tickSize)));
    lines.push({
      ...{ id: `liquidation ${positionKey(row)}`, tone: 'warning', stroke: 'dashed' },
      ...{ price: toNumberForDisplay(liquidation), label: `${text('trade.chart.liquidation')} ${at}` },
    });
  }
  return lines;
}

/** What an order is for, in coins: an exchange may count contracts. */
function coinsOf({ quantity }: Pick<OrderRow, 'quantity'>, instrument: ListedInstrument): string {
  const counted = quantity === null ? undefined : parseAmount(quantity);
  if (counted === undefined || instrument.symbolType === 'SPOT') return quantity ?? '';
  return formatAmountFixed(mulDown(counted, instrument.contractValue), decimalsOf(baseStep(instrument)));
}

/** The position that an order protects, as far as it is known. */
function protectedBy(
  { instrument, mark }: LineScene,
  algo: AlgoRow,
  positions: readonly PositionRow[],
): Protected | undefined {
  const row = positions.find((one) => one.effect === algo.effect && protecting(one, [algo]).length > 0);
  if (row === undefined || closingSide(row) !== algo.side) return undefined;
  const stats = positionStats(row, instrument, mark?.price);
  const part = algo.quantity === null ? undefined : parseAmount(algo.quantity);
  return { row, stats, size: part === undefined ? stats.size : mulDown(part, instrument.contractValue) };
}

/**
 * Triggers of an order that waits: "Stop Buy 0.020 · mark", of a position's what it brings. Each of them can be dragged while
 * nothing is under way.
 */
function algoLines(scene: LineScene, row: AlgoRow, positions: readonly PositionRow[]): readonly Line[] {
  const { text, instrument } = scene;
  const here = row.ofExchange !== true;
  const draggable = here && row.state === 'waiting' && !row.unknown && !row.cancelPending;
  const sizeText = row.quantity === null ? text('trade.algo.wholeShort') : coinsOf(row, instrument);
  const held = protectedBy(scene, row, positions);
  const { amends } = algoOffer(row.exchange, row.symbolType);
  return (['takeProfit', 'stopLoss'] as const).flatMap((name): readonly Line[] => {
    const leg = row[name];
    const trigger = leg?.triggerPrice == null ? undefined : parseAmount(leg.triggerPrice);
    // A leg without a trigger rests in the book, and is drawn as the order that it is.
    if (leg === null || trigger === undefined) return [];
    const by = leg.triggerBy === 'last' ? '' : ` · ${text(`trade.algo.by.${leg.triggerBy}`)}`;
    const word = text(name === 'takeProfit' ? 'trade.algo.type.take-profit' : 'trade.algo.type.stop');
    const side = text(`side.${sideKey(row.side, row.effect)}`);
    const labelAt = (price: Amount, limitToo: boolean): string => {
      const limit = limitToo ? movedLimit(leg, price) : parseAmount(leg.price ?? '');
      const sends =
        limit === undefined
          ? ''
          : ` → ${groupThousands(formatAmountFixed(limit, decimalsOf(instrument.tickSize)))}`;
      const says =
        held === undefined
          ? `${word} ${side} ${sizeText}`
          : targetLabel(scene, held, { name, price, sizeText });
      return `${says}${sends}${by}`;
    };
    return [
      {
        ...{ id: legLineId(row, name), tone: row.side === SIDE.BUY ? 'up' : 'down', stroke: 'dashed' },
        ...{ price: toNumberForDisplay(trigger), draggable, ofOrder: true, label: labelAt(trigger, false) },
        ...{ striped: row.unknown && row.state === 'waiting', bare: !amends },
        at: (price, limitToo) => ({ label: labelAt(price, limitToo) }),
      },
    ];
  });
}

/** An order that rests in the book: "Buy 0.020 Limit". */
function orderLine({ text, instrument }: LineScene, row: OrderRow & { readonly price: string }): Line {
  return {
    ...{ id: lineId({ order: row }), tone: row.side === SIDE.BUY ? 'up' : 'down', stroke: 'solid' },
    draggable:
      !row.cancelPending &&
      row.change === null &&
      row.icebergId === null &&
      row.status !== ORDER_STATUS.UNKNOWN,
    ...(row.change === null ? {} : { asked: row.change.price }),
    ...{ price: Number(row.price), ofOrder: true },
    label: `${text(`side.${sideKey(row.side, row.effect)}`)} ${coinsOf(row, instrument)} ${text('type.limit')}`,
  };
}

/** What a member has, of all markets. */
interface MemberRows {
  readonly positions: Iterable<PositionRow>;
  readonly orders: Iterable<OrderRow>;
  readonly algos: Iterable<AlgoRow>;
  readonly alerts: Iterable<PriceAlertRow>;
}

/** The lines of one market, their prices on its own tick: what the member has in others is left out. */
export function memberLines(scene: LineScene, rows: MemberRows): readonly ChartLine[] {
  const { text, instrument } = scene;
  const { platform, symbol, symbolType, tickSize } = instrument;
  const isHere = (row: { readonly exchange: number; readonly symbol: string }): boolean =>
    row.exchange === platform && row.symbol === symbol;
  const isOfMarket = (row: Parameters<typeof isHere>[0] & { readonly symbolType: string }): boolean =>
    isHere(row) && row.symbolType === symbolType;
  const held = symbolType === 'SWAP' ? [...rows.positions].filter(isHere) : [];
  const lines: readonly Line[] = [
    ...held.flatMap((row) => positionLines(scene, row)),
    ...restingOrders([...rows.orders].filter(isOfMarket)).map((row) => orderLine(scene, row)),
    ...[...rows.algos].filter(isOfMarket).flatMap((row) => algoLines(scene, row, held)),
    ...[...rows.alerts].filter(isOfMarket).map(
      (row): Line => ({
        ...{ id: lineId({ alert: row }), price: Number(row.price), tone: 'accent', stroke: 'dashed' },
        ...{ bell: true, draggable: true, label: text('trade.alert.line') },
      }),
    ),
  ];
  const decimals = decimalsOf(tickSize);
  return lines.map((line) => ({ ...line, priceText: groupThousands(line.price.toFixed(decimals)) }));
}
