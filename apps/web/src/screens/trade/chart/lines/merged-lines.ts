import type { ChartLine } from '../chart-port.ts';

/** Lines of orders this near each other are one crowd, in pixels from the first to the last of them. */
const CROWD_PIXELS = 20;
/** Up to so many of them stay apart. */
const APART_MAX = 8;

/**
 * Lines as they are drawn: where more orders crowd than one could tell apart, one line stands for all of them, at their
 * middle, and cannot be dragged. Positions, and what is out of sight, stay as they are.
 * @param yOf pixels of a price; `undefined` out of sight.
 * @param merge the line that stands for a crowd.
 */
export function mergedLines(
  lines: readonly ChartLine[],
  yOf: (price: number) => number | undefined,
  merge: (crowd: readonly ChartLine[]) => ChartLine,
): readonly ChartLine[] {
  const seen = lines
    .filter(({ ofOrder }) => ofOrder === true)
    .flatMap((line) => {
      const y = yOf(line.price);
      return y === undefined ? [] : [{ line, y }];
    })
    .toSorted((left, right) => left.y - right.y);
  const hidden = new Set<ChartLine>();
  const merged: ChartLine[] = [];
  for (let from = 0; from < seen.length; ) {
    const top = seen[from]?.y ?? 0;
    const next = seen.findIndex(({ y }, at) => at > from && y - top > CROWD_PIXELS);
    const crowd = seen.slice(from, next < 0 ? undefined : next).map(({ line }) => line);
    from += crowd.length;
    if (crowd.length <= APART_MAX) continue;
    for (const line of crowd) hidden.add(line);
    merged.push(merge(crowd));
  }
  return merged.length === 0 ? lines : [...lines.filter((line) => !hidden.has(line)), ...merged];
}
