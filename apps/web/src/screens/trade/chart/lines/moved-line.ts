import { parseAmount } from '@crossbook/domain';
import { groupThousands } from '../../../../calculators/step-text.ts';
import { formatPercent } from '../../../../i18n/format.ts';
import type { ChartLine } from '../chart-port.ts';

/** Where a line is moved to. */
export interface MovedTo {
  /** On the tick, without separators. */
  readonly price: string;
  /** The newest price, from which the distance is said; absent: it is not said. */
  readonly last?: number | undefined;
  /** The limit behind a trigger keeps its distance. */
  readonly limitToo?: boolean;
}

/** A line at another price, as it says itself there; out of a position's line another one is pulled. */
export function movedLine(line: ChartLine, { price, last, limitToo = false }: MovedTo): ChartLine {
  const amount = parseAmount(price);
  const at = Number(price);
  const far = last === undefined ? '' : ` (${formatPercent((at / last - 1) * 100)})`;
  const said = amount === undefined ? undefined : line.at?.(amount, limitToo);
  return {
    ...{ ...line, label: `${line.label}${far}`, ...said, price: at, priceText: groupThousands(price) },
    ...(line.pulled === true
      ? { id: `${line.id} pulled`, stroke: 'dashed', below: false, pulled: false }
      : {}),
  };
}

/** What stays at the old price while a line is moved: a faint one, or the position's own. */
export function leftBehind(line: ChartLine): ChartLine {
  if (line.pulled === true) return line;
  return { ...line, id: `${line.id} before`, tone: 'faint', label: '', draggable: false };
}
