import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { runs } from '../../../../../../tests/property-runs.ts';
import { openTestDatabase } from '../../testing.ts';
import { bookingOf, type FillRow, orderOf } from './runs-of-fills.fixture.ts';

const database = openedOnce(openTestDatabase);

interface Happenings {
  readonly effect: 0 | 1 | 2;
  readonly moves: readonly { readonly opens: boolean; readonly size: number; readonly pause: number }[];
  readonly order: readonly number[];
  readonly parts: readonly number[];
  /** Whether several things may happen in one instant. */
  readonly alike: boolean;
  /** At an exchange whose accounts take positions along from one margin mode to the other, and back. */
  readonly switches: boolean;
}

/** What happened: sizes, and how long after the one before; of a leg no more is closed than it has. */
const happenings: fc.Arbitrary<Happenings> = fc.record({
  effect: fc.constantFrom(0 as const, 1 as const, 2 as const),
  moves: fc.array(
    fc.record({
      opens: fc.boolean(),
      size: fc.integer({ min: 1, max: 4 }),
      pause: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: 2, maxLength: 14 },
  ),
  /** In which order they are booked, how many in one statement, and by which of three that book at once. */
  order: fc.array(fc.nat(), { minLength: 14, maxLength: 14 }),
  parts: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 14, maxLength: 14 }),
  alike: fc.boolean(),
  switches: fc.boolean(),
});

interface Happened {
  readonly fills: readonly FillRow[];
  /** Second witness: what is open at the end, and the largest of each that ended, oldest first. */
  readonly open: number;
  readonly ended: readonly number[];
}

function happen({ effect, moves, alike, switches }: Omit<Happenings, 'order' | 'parts'>): Happened {
  const fills: FillRow[] = [];
  const ended: number[] = [];
  let [at, held, most] = [1, 0, 0];
  for (const { opens, size, pause } of moves) {
    const adds = opens || (effect !== 0 && held === 0);
    const quantity = effect !== 0 && !adds ? Math.min(size, held) : size;
    at += alike ? pause : pause + 1;
    const after = held + (adds ? quantity : -quantity);
    if (held !== 0 && (after === 0 || after > 0 !== held > 0)) {
      ended.push(most);
      most = 0;
    }
    held = after;
    most = Math.max(most, Math.abs(held));
    const mode = switches && size > 2 ? 'isolated' : 'cross';
    fills.push({ at, side: adds === (effect !== 2) ? 1 : 2, quantity, effect, mode });
  }
  return { fills, open: held, ended };
}

/** The fills as statements, in a strange order. */
function statements(
  fills: readonly FillRow[],
  order: readonly number[],
  parts: readonly number[],
): FillRow[][] {
  const rest = [...fills];
  const shuffled = fills
    .map((_, at) => rest.splice((order[at] ?? 0) % rest.length, 1)[0])
    .filter((fill) => fill !== undefined);
  const made: FillRow[][] = [];
  for (const part of parts) made.push(shuffled.splice(0, part));
  return made.filter(({ length }) => length > 0);
}

let user = 0;

test('in whatever order fills are booked, together or apart, by one or by three at once: the position is their sum', () =>
  fc.assert(
    fc.asyncProperty(happenings, async ({ order, parts, ...what }) => {
      user += 1;
      const { fills, open, ended } = happen(what);
      const platform = what.switches ? 3 : 1;
      const whose = { user, platform, order: await orderOf(database, user, platform) };
      const waiting = statements(fills, order, parts);
      const booker = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const { text, values } = bookingOf(whose, next);
          await database.database.query(text, values);
        }
      };
      await Promise.all([booker(), booker(), booker()]);
      const [run] = await database.owner.query<{ quantity: string; fees: string }>(
        'select quantity, fees::text from contract_runs where user_id = $1',
        [user],
      );
      expect(Number(run?.quantity)).toBe(open);
      const closed = await database.owner.query<{ max: string; fees: string }>(
        `select max_quantity as max, fees::text from closed_positions
          where user_id = $1 order by closed_at, opened_at`,
        [user],
      );
      // Of what happened in one instant nobody knows the order, so only then the ends may be others.
      if (!what.alike) expect(closed.map(({ max }) => Number(max))).toEqual(ended);
      const all = [...closed, ...(open === 0 || run === undefined ? [] : [run])];
      const fees = all.reduce((sum, one) => sum + Number(one.fees), 0);
      expect(fees).toBeCloseTo(fills.length * 0.05, 9);
    }),
    { numRuns: runs(60) },
  ));
