import type { Millis } from '@crossbook/domain';

/** Beyond this the order of entries made by two clocks says nothing. */
const DIFFERENCE_MILLIS_MAX = 1_000;

/**
 * Compares the clock of this process, which dates its log, with that of the database, which dates locks and audit entries.
 * The way there and back is not held against either.
 * @param databaseTime asks the database for its time of day.
 * @returns one sentence where they differ by more than a second.
 */
export async function clockFaults(
  clock: () => Millis,
  databaseTime: () => Promise<Millis>,
): Promise<readonly string[]> {
  const before = clock();
  const there = await databaseTime();
  const after = clock();
  const difference = there < before ? before - there : Math.max(0, there - after);
  return difference <= DIFFERENCE_MILLIS_MAX
    ? []
    : [
        `the clocks of hub and database differ by ${Math.round(difference / 1_000)} s: synchronise both (NTP)`,
      ];
}
