import { nextStanding, type Standing } from '../../calculators/tables/table-order.ts';

/** Figures that change by themselves change the order of rows at most this often. */
const REORDER_EVERY_MILLIS = 2_000;

/** Where the rows of a table stand while their figures change. */
export interface RowPlaces {
  /**
   * Tells when rows may stand otherwise, until the returned function is called.
   * @param ordered whether they are in an order that their figures change.
   */
  readonly follow: (changed: () => void, ordered: boolean) => () => void;
  /** Rows hold still while the pointer is over them: what is new comes last. */
  readonly hold: (still: boolean) => void;
  /**
   * The names of rows as they stand now.
   * @param by which column, and which way.
   * @param names as they come.
   * @param sorted the names in that order; absent: they stand as they come.
   */
  readonly stand: (
    by: string,
    names: readonly string[],
    sorted?: () => readonly string[],
  ) => readonly string[];
}

/** Makes them, for the life of a table. */
export function createRowPlaces(): RowPlaces {
  let standing: Standing | undefined;
  let beat = 0;
  let held = false;
  let announce = (): void => {};
  const next = (): void => {
    beat += 1;
    announce();
  };
  return {
    follow(changed, ordered) {
      announce = changed;
      if (!ordered) return () => {};
      const timer = setInterval(() => {
        if (!held) next();
      }, REORDER_EVERY_MILLIS);
      return () => clearInterval(timer);
    },
    hold(still) {
      held = still;
      // What came meanwhile takes its place.
      if (!still) next();
    },
    stand(by, names, sorted) {
      standing = nextStanding(standing, { by, beat, held, ...(sorted && { sorted }) }, names);
      return standing.names;
    },
  };
}
