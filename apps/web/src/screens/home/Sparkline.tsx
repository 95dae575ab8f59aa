import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { ListedInstrument } from '../../stores/market/instruments.ts';
import { marketKey } from '../../stores/market/market.ts';
import { loadSparkline, sparklinePoints, sparklinesStore } from '../../stores/market-lists/sparklines.ts';
import { classNames } from '../../ui/class-names.ts';

const WIDTH = 72;
const HEIGHT = 20;

/** The last 24 hours of a market in a stroke; figures beside it say the same in words. */
export function Sparkline({
  instrument,
  change,
}: {
  readonly instrument: ListedInstrument;
  readonly change: number;
}) {
  const closes = useStore(sparklinesStore, (lines) => lines.get(marketKey(instrument)));
  useEffect(() => void loadSparkline(instrument), [instrument]);
  return (
    <svg
      viewBox={`-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
      className={classNames(
        'max-sm:hidden',
        change < 0 ? 'text-down' : change > 0 ? 'text-up' : 'text-faint',
      )}
    >
      <polyline
        points={sparklinePoints(closes ?? [], WIDTH, HEIGHT)}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.25"
        strokeLinejoin="round"
      />
    </svg>
  );
}
