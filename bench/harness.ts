/** One measured number; `ratio` = value / the figure named by `against`, both from the same run. */
export interface Figure {
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  readonly against?: string;
  readonly ratio?: number;
}

/** What a bench file exports as `bench`. */
export interface Bench {
  /** One sentence: what is measured against what. */
  readonly about: string;
  run(report: Reporter): Promise<readonly Figure[]>;
}

/** Says in words what is going on; silent with `--json`. */
export type Reporter = (line: string) => void;

/** One way of doing the job; each round returns one value in the same unit. */
export interface Contender {
  readonly name: string;
  readonly unit: string;
  round(): Promise<number>;
}

/** The middle value; of an even count the lower middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted[(sorted.length - 1) >> 1];
  if (middle === undefined) throw new Error('a median of nothing');
  return middle;
}

/** The value below which the share `q` (0 to 1) of all values lies. */
export function quantile(values: Float64Array, q: number): number {
  const sorted = values.slice().sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/**
 * Runs the contenders in turn, round after round, the order rotated each time, so that a busy neighbour hurts all
 * alike.
 * @returns the median of each contender by name.
 */
export async function interleave(
  contenders: readonly Contender[],
  rounds: number,
  report: Reporter,
): Promise<ReadonlyMap<string, number>> {
  const values = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const contender = contenders[(round + turn) % contenders.length];
      if (contender === undefined) continue;
      const value = await contender.round();
      values.get(contender.name)?.push(value);
      report(`round ${round + 1}/${rounds}  ${contender.name}: ${Math.round(value)} ${contender.unit}`);
    }
  }
  return new Map([...values].map(([name, list]) => [name, median(list)]));
}

/** A figure compared with another of the same run. */
export function compared(figure: Figure, against: string, reference: number): Figure {
  return { ...figure, against, ratio: Number((figure.value / reference).toFixed(3)) };
}
