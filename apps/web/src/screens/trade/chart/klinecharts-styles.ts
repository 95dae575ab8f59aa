import type { DeepPartial, Styles } from 'klinecharts';
import type { ChartTheme } from './chart-port.ts';

/** A theme as the chart library wants it. */
export function stylesOf(theme: ChartTheme): DeepPartial<Styles> {
  const tick = { color: theme.text, family: theme.font, size: 11 };
  const axis = {
    axisLine: { show: false },
    tickLine: { show: false },
    tickText: tick,
  };
  const direction = {
    line: { color: theme.line, dashedValue: [3, 3] },
    text: {
      color: theme.background,
      backgroundColor: theme.text,
      borderSize: 0,
      family: theme.font,
      size: 11,
    },
  };
  const bars = { upColor: theme.up, downColor: theme.down, noChangeColor: theme.up };
  return {
    grid: { horizontal: { color: theme.grid }, vertical: { color: theme.grid } },
    xAxis: axis,
    yAxis: axis,
    separator: { size: 1, color: theme.grid, activeBackgroundColor: theme.grid },
    crosshair: { horizontal: direction, vertical: direction },
    candle: {
      tooltip: { showRule: 'none' },
      bar: {
        ...bars,
        upBorderColor: theme.up,
        downBorderColor: theme.down,
        noChangeBorderColor: theme.up,
        upWickColor: theme.up,
        downWickColor: theme.down,
        noChangeWickColor: theme.up,
      },
      priceMark: {
        high: { color: theme.text, textFamily: theme.font, textSize: 11 },
        low: { color: theme.text, textFamily: theme.font, textSize: 11 },
        last: {
          ...bars,
          line: { dashedValue: [2, 3] },
          // It stands among the tags of the member's lines.
          text: { show: false },
        },
      },
    },
    indicator: {
      tooltip: { showRule: 'none' },
      lastValueMark: { show: false },
      bars: [{ upColor: `${theme.up}80`, downColor: `${theme.down}80`, noChangeColor: `${theme.up}80` }],
    },
  };
}
