import { type CandleInterval, decimalsOf, formatAmountFixed } from '@crossbook/domain';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { fillMarks } from '../../../calculators/market/chart-marks.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { useText } from '../../../i18n/i18n.ts';
import { algosStore } from '../../../stores/algos/algos.ts';
import { tradeSettingsStore } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { marketKey } from '../../../stores/market/market.ts';
import { keepMarks, marksStore } from '../../../stores/trading/contracts/marks.ts';
import { positionsOf, positionsStore } from '../../../stores/trading/contracts/positions.ts';
import { fillsStore } from '../../../stores/trading/fills.ts';
import { ordersStore } from '../../../stores/trading/orders.ts';
import { priceAlertsStore } from '../../../stores/trading/price-alerts.ts';
import type { ChartFill, ChartLine, ChartPort } from './chart-port.ts';
import { type LineMoves, withMove } from './lines/line-state.ts';
import { memberLines } from './lines/member-lines.ts';

/** The member's lines on the chart: positions, liquidation, orders that rest or wait; those that move as they are asked to. */
function useLines(instrument: ListedInstrument, moves: LineMoves): readonly ChartLine[] {
  const text = useText();
  const open = useStore(positionsStore, (state) => state.open);
  const orders = useStore(ordersStore, (state) => state.open);
  const algos = useStore(algosStore, (state) => state.open);
  const alerts = useStore(priceAlertsStore, (state) => state.waiting);
  const mark = useStore(marksStore, (marks) => marks[marketKey(instrument)]);
  const breakEven = useStore(tradeSettingsStore, (settings) => settings.breakEvenLine);
  return useMemo(
    () =>
      memberLines(
        { text, instrument, mark, breakEven },
        {
          ...{ positions: open.values(), orders: orders.values() },
          ...{ algos: algos.values(), alerts: alerts.values() },
        },
      ).flatMap((line) => withMove(line, moves, text)),
    [orders, algos, alerts, open, mark, breakEven, moves, text, instrument],
  );
}

/** The member's executions on the chart, merged per bar. */
function useFills(instrument: ListedInstrument, interval: CandleInterval): readonly ChartFill[] {
  const recent = useStore(fillsStore, (state) => state.recent);
  const text = useText();
  const { platform, symbol, symbolType, contractValue, base, tickSize } = instrument;
  const step = baseStep(instrument);
  return useMemo(() => {
    const mine = recent.filter(
      (row) => row.exchange === platform && row.symbol === symbol && row.symbolType === symbolType,
    );
    return fillMarks(mine, interval, contractValue).map(({ id, time, side, price, size }) => ({
      ...{ id: `fill ${id}`, time, side, price },
      tip: text('trade.chart.fill', {
        ...{ side, asset: base, size: formatAmountFixed(size, decimalsOf(step)) },
        price: groupThousands(price.toFixed(decimalsOf(tickSize))),
      }),
    }));
  }, [recent, platform, symbol, symbolType, interval, contractValue, base, tickSize, step, text]);
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
