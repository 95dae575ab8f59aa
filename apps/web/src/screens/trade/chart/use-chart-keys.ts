import { CANDLE_INTERVALS, type CandleInterval } from '@crossbook/domain';
import { type RefObject, useRef } from 'react';
import { changeTradeSettings } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { useKeys } from '../keys/use-keys.ts';
import { offeredIntervals } from './candle-reader.ts';

const NONE = {};

/** Keys of the page's own chart: shorter and longer bars, the whole screen, the focus. @returns where its panel belongs. */
export function useChartKeys(
  interval: CandleInterval,
  { platform, symbolType }: ListedInstrument,
  own: boolean,
): RefObject<HTMLElement | null> {
  const panel = useRef<HTMLElement>(null);
  const step = (by: 1 | -1): void => {
    const offered = offeredIntervals(platform, symbolType);
    const ordered = CANDLE_INTERVALS.filter((one) => offered.includes(one));
    const next = ordered[ordered.indexOf(interval) + by];
    if (next !== undefined) changeTradeSettings({ chartInterval: next });
  };
  const keys = {
    'interval.previous': () => step(-1),
    'interval.next': () => step(1),
    'chart.full': () => {
      // A browser that does not allow it leaves the chart where it is.
      const asked =
        document.fullscreenElement === null ? panel.current?.requestFullscreen() : document.exitFullscreen();
      asked?.catch(() => undefined);
    },
    'focus.chart': () => panel.current?.focus(),
  };
  useKeys(own ? keys : NONE);
  return panel;
}
