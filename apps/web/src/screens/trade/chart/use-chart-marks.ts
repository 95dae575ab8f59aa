import type { AlgoRow, OrderRow } from '@crossbook/contract';
import {
  type CandleInterval,
  decimalsOf,
  formatAmountFixed,
  mulDown,
  ORDER_STATUS,
  parseAmount,
  SIDE,
  toNumberForDisplay,
} from '@crossbook/domain';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { positionStats } from '../../../calculators/contracts/position-stats.ts';
import { fillMarks, restingOrders } from '../../../calculators/market/chart-marks.ts';
import { signedText } from '../../../calculators/signed-text.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { sideKey } from '../../../calculators/ticket/order-side.ts';
import { formatPercent } from '../../../i18n/format.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import { algosStore } from '../../../stores/algos/algos.ts';
import { tradeSettingsStore } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { marketKey } from '../../../stores/market/market.ts';
import { keepMarks, type Mark, marksStore } from '../../../stores/trading/contracts/marks.ts';
import {
  type PositionsState,
  positionKey,
  positionsOf,
  positionsStore,
} from '../../../stores/trading/contracts/positions.ts';
import { fillsStore } from '../../../stores/trading/fills.ts';
import { ordersStore } from '../../../stores/trading/orders.ts';
import type { ChartFill, ChartLine, ChartPort } from './chart-port.ts';
import { type LineMoves, legLineId, lineId, withMove } from './use-line-moves.ts';

type Line = Omit<ChartLine, 'priceText'>;

/** Entry and liquidation of the positions in a contract; the entry's label follows the mark. */
function positionLines(
  text: Text,
  open: PositionsState['open'],
  context: {
    readonly instrument: ListedInstrument;
    readonly mark: Mark | undefined;
    readonly breakEven: boolean;
  },
): readonly Line[] {
  const { instrument, mark, breakEven } = context;
  if (instrument.symbolType !== 'SWAP') return [];
  return positionsOf({ open }, instrument.platform, instrument.symbol).flatMap((row): readonly Line[] => {
    const stats = positionStats(row, instrument, mark?.price);
    const long = stats.side === SIDE.BUY;
    const size = formatAmountFixed(stats.size, decimalsOf(baseStep(instrument)));
    const gain = `${signedText(stats.pnl, 2)} (${formatPercent(stats.roe)})`;
    const word = text(long ? 'trade.contract.long' : 'trade.contract.short');
    const entry: Line = {
      ...{ id: `position ${positionKey(row)}`, tone: long ? 'up' : 'down', dashed: false },
      price: toNumberForDisplay(stats.entry),
      below: row.effect === 2,
      label: `${word.charAt(0).toUpperCase()}${word.slice(1)} ${size} · ${gain}`,
    };
    const liquidation = row.liquidationPrice === null ? undefined : parseAmount(row.liquidationPrice);
    const even = breakEven ? parseAmount(row.breakEvenPrice ?? '') : undefined;
    const lines: readonly Line[] = [
      entry,
      ...(even === undefined
        ? []
        : [
            {
              ...({ id: `break-even ${positionKey(row)}`, tone: 'faint', dashed: true } as const),
              ...{ price: toNumberForDisplay(even), label: text('trade.chart.breakEven'), below: true },
            },
          ]),
    ];
    if (liquidation === undefined) return lines;
    const end: Line = {
      ...{ id: `liquidation ${positionKey(row)}`, tone: 'warning', dashed: true },
      price: toNumberForDisplay(liquidation),
      label: text('trade.chart.liquidation'),
    };
    return [...lines, end];
  });
}

/** What an order is for, in coins: an exchange may count contracts. */
function coinsOf({ quantity }: Pick<OrderRow, 'quantity'>, instrument: ListedInstrument): string {
  const counted = quantity === null ? undefined : parseAmount(quantity);
  if (counted === undefined || instrument.symbolType === 'SPOT') return quantity ?? '';
  return formatAmountFixed(mulDown(counted, instrument.contractValue), decimalsOf(baseStep(instrument)));
}

/** Triggers of an order that waits: "Stop 0.020 by mark", "TP whole". Each of them can be dragged while nothing is under way. */
function algoLines(text: Text, row: AlgoRow, instrument: ListedInstrument): readonly Line[] {
  const draggable = row.state === 'waiting' && !row.unknown && !row.cancelPending;
  const size = row.quantity === null ? text('trade.algo.wholeShort') : coinsOf(row, instrument);
  return (['takeProfit', 'stopLoss'] as const).flatMap((name): readonly Line[] => {
    const leg = row[name];
    // A leg without a trigger rests in the book, and is drawn as the order that it is.
    if (leg?.triggerPrice == null) return [];
    const word = text(name === 'takeProfit' ? 'trade.algo.type.take-profit' : 'trade.algo.type.stop');
    const by = leg.triggerBy === 'last' ? '' : ` · ${text(`trade.algo.by.${leg.triggerBy}`)}`;
    return [
      {
        ...{ id: legLineId(row, name), tone: row.side === SIDE.BUY ? 'up' : 'down', dashed: true },
        ...{ price: Number(leg.triggerPrice), draggable, ofOrder: true, label: `${word} ${size}${by}` },
      },
    ];
  });
}

/** The member's lines on the chart: positions, liquidation, orders that rest or wait; those that move as they are asked to. */
function useLines(instrument: ListedInstrument, moves: LineMoves): readonly ChartLine[] {
  const text = useText();
  const open = useStore(positionsStore, (state) => state.open);
  const orders = useStore(ordersStore, (state) => state.open);
  const algos = useStore(algosStore, (state) => state.open);
  const mark = useStore(marksStore, (marks) => marks[marketKey(instrument)]);
  const breakEven = useStore(tradeSettingsStore, (settings) => settings.breakEvenLine);
  const { platform, symbol, symbolType } = instrument;
  return useMemo(() => {
    const mine = [...orders.values()].filter(
      (row) => row.exchange === platform && row.symbol === symbol && row.symbolType === symbolType,
    );
    const resting = restingOrders(mine).map(
      (row): Line => ({
        ...{ id: lineId({ order: row }), tone: row.side === SIDE.BUY ? 'up' : 'down', dashed: true },
        draggable: !row.cancelPending && row.status !== ORDER_STATUS.UNKNOWN,
        ...{ price: Number(row.price), ofOrder: true },
        label: `${text(`side.${sideKey(row.side, row.effect)}`)} ${coinsOf(row, instrument)} ${text('type.limit')}`,
      }),
    );
    const decimals = decimalsOf(instrument.tickSize);
    const waiting = [...algos.values()]
      .filter((row) => row.exchange === platform && row.symbol === symbol && row.symbolType === symbolType)
      .flatMap((row) => algoLines(text, row, instrument));
    return [...positionLines(text, open, { instrument, mark, breakEven }), ...resting, ...waiting].map(
      (line) =>
        withMove({ ...line, priceText: groupThousands(line.price.toFixed(decimals)) }, moves, decimals),
    );
  }, [orders, algos, open, mark, breakEven, moves, text, instrument, platform, symbol, symbolType]);
}

/** The member's executions on the chart, merged per bar. */
function useFills(instrument: ListedInstrument, interval: CandleInterval): readonly ChartFill[] {
  const recent = useStore(fillsStore, (state) => state.recent);
  const { platform, symbol, symbolType, contractValue } = instrument;
  return useMemo(() => {
    const mine = recent.filter(
      (row) => row.exchange === platform && row.symbol === symbol && row.symbolType === symbolType,
    );
    return fillMarks(mine, interval, contractValue).map(({ id, time, side, price }) => ({
      ...{ id: `fill ${id}`, time, side, price },
    }));
  }, [recent, platform, symbol, symbolType, interval, contractValue]);
}

/** Draws what the member has in the instrument over its bars. @param drawn false until the bars are there. */
export function useChartMarks(
  port: ChartPort | undefined,
  instrument: ListedInstrument,
  bars: { readonly interval: CandleInterval; readonly drawn: boolean; readonly moves: LineMoves },
): void {
  const lines = useLines(instrument, bars.moves);
  const fills = useFills(instrument, bars.interval);
  const { drawn } = bars;
  const held = useStore(
    positionsStore,
    (state) =>
      positionsOf(state, instrument.platform, instrument.symbol).length > 0 &&
      instrument.symbolType === 'SWAP',
  );
  useEffect(() => (held ? keepMarks([instrument]) : undefined), [held, instrument]);
  useEffect(() => port?.setLines(drawn ? lines : []), [port, drawn, lines]);
  useEffect(() => port?.setFills(drawn ? fills : []), [port, drawn, fills]);
}
