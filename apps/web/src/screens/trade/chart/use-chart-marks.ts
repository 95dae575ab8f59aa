import {
  type CandleInterval,
  decimalsOf,
  formatAmountFixed,
  parseAmount,
  SIDE,
  toNumberForDisplay,
} from '@crossbook/domain';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { fillMarks, restingOrders } from '../../../calculators/chart-marks.ts';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { positionStats } from '../../../calculators/contracts/position-stats.ts';
import { signedText } from '../../../calculators/signed-text.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { sideKey } from '../../../calculators/ticket/order-side.ts';
import { formatPercent } from '../../../i18n/format.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { marketKey } from '../../../stores/market/market.ts';
import { fillsStore } from '../../../stores/trading/fills.ts';
import { keepMarks, type Mark, marksStore } from '../../../stores/trading/marks.ts';
import { ordersStore } from '../../../stores/trading/orders.ts';
import {
  type PositionsState,
  positionKey,
  positionsOf,
  positionsStore,
} from '../../../stores/trading/positions.ts';
import type { ChartFill, ChartLine, ChartPort } from './chart-port.ts';

type Line = Omit<ChartLine, 'priceText'>;

/** Entry and liquidation of the positions in a contract; the entry's label follows the mark. */
function positionLines(
  text: Text,
  open: PositionsState['open'],
  context: { readonly instrument: ListedInstrument; readonly mark: Mark | undefined },
): readonly Line[] {
  const { instrument, mark } = context;
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
      label: `${word.charAt(0).toUpperCase()}${word.slice(1)} ${size} · ${gain}`,
    };
    const liquidation = row.liquidationPrice === null ? undefined : parseAmount(row.liquidationPrice);
    if (liquidation === undefined) return [entry];
    const end: Line = {
      ...{ id: `liquidation ${positionKey(row)}`, tone: 'warning', dashed: true },
      price: toNumberForDisplay(liquidation),
      label: text('trade.chart.liquidation'),
    };
    return [entry, end];
  });
}

/** The member's lines on the chart: positions, liquidation, resting orders. */
function useLines(instrument: ListedInstrument): readonly ChartLine[] {
  const text = useText();
  const open = useStore(positionsStore, (state) => state.open);
  const orders = useStore(ordersStore, (state) => state.open);
  const mark = useStore(marksStore, (marks) => marks[marketKey(instrument)]);
  const { platform, symbol, symbolType } = instrument;
  return useMemo(() => {
    const mine = [...orders.values()].filter(
      (row) => row.exchange === platform && row.symbol === symbol && row.symbolType === symbolType,
    );
    const resting = restingOrders(mine).map(
      (row): Line => ({
        ...{ id: `order ${row.orderId}`, tone: row.side === SIDE.BUY ? 'up' : 'down', dashed: true },
        price: Number(row.price),
        label: `${text(`side.${sideKey(row.side, row.effect)}`)} ${row.quantity ?? ''} ${text('type.limit')}`,
      }),
    );
    const decimals = decimalsOf(instrument.tickSize);
    return [...positionLines(text, open, { instrument, mark }), ...resting].map((line) => ({
      ...line,
      priceText: groupThousands(line.price.toFixed(decimals)),
    }));
  }, [orders, open, mark, text, instrument, platform, symbol, symbolType]);
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
  bars: { readonly interval: CandleInterval; readonly drawn: boolean },
): void {
  const lines = useLines(instrument);
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
