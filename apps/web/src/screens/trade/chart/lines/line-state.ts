import type { Text } from '../../../../i18n/i18n.ts';
import type { ChartLine } from '../chart-port.ts';
import { leftBehind, type MovedTo, movedLine } from './moved-line.ts';

/** Lines whose change is on its way, by id with the price asked for, those of which nobody knows what became, and those just refused. */
export interface LineMoves {
  readonly moving: ReadonlyMap<string, MovedTo>;
  readonly unknown: ReadonlyMap<string, MovedTo>;
  readonly refused: ReadonlyMap<string, MovedTo>;
  /** The line that a finger moves, or let go: it is sent only on a second word. */
  readonly tuned: TunedMove | undefined;
}

/** Where a finger has a line, and what brings it to the very price. */
export interface TunedMove {
  readonly id: string;
  readonly price: string;
  /** Where the finger is, or was, pixels from the left of the bars. */
  readonly x: number;
  /** The finger is still on it. */
  readonly held: boolean;
  /** @param ticks how many up, below 0 down. */
  readonly step: (ticks: number) => void;
  readonly confirm: () => void;
  readonly leave: () => void;
}

/**
 * A line as its change stands: both prices while that is on its way or not yet sent, both striped while nobody knows which one
 * the exchange has, red and on its way back where it was refused. @param text says in words what the colours say.
 */
export function withMove(line: ChartLine, moves: LineMoves, text: Text): readonly ChartLine[] {
  const { moving, unknown, refused, tuned } = moves;
  // While the finger is on it the chart itself draws where it is.
  if (tuned?.id === line.id && !tuned.held) {
    // It can be taken again; what was pulled out of a position is pulled anew.
    const moved = movedLine(line, { price: tuned.price });
    return [leftBehind(line), { ...moved, draggable: line.pulled !== true }];
  }
  const to = moving.get(line.id);
  if (to !== undefined) {
    const moved = movedLine(line, to);
    const label = `${moved.label} …${line.bare === true ? ` · ${text('trade.chart.bare')}` : ''}`;
    return [leftBehind(line), { ...moved, label, tone: 'faint', draggable: false }];
  }
  const asked = line.asked === undefined ? unknown.get(line.id) : { price: line.asked };
  if (asked !== undefined) {
    const moved = movedLine(line, asked);
    const label = `${moved.label} · ${text('trade.chart.unknown')}`;
    return [
      { ...leftBehind(line), striped: line.pulled !== true },
      { ...moved, label, striped: true, draggable: false },
    ];
  }
  const from = line.pulled === true ? undefined : refused.get(line.id);
  if (from === undefined) return [line];
  const label = `${line.label} · ${text('trade.chart.refused')}`;
  return [{ ...line, label, tone: 'danger', glidesFrom: Number(from.price) }];
}
