import { expect, test } from 'vitest';
import { openedForEach } from '../../../../../../tests/opened.ts';
import { openTestDatabase } from '../../testing.ts';

const db = openedForEach(openTestDatabase);

const OF_ALL = 1_000;
const HOUR = 3_600_000;

/** A code whose hash is `right`, and how it is checked. */
async function code(n: number) {
  const id = `01930000-0000-7000-8000-00000000000${n}`;
  await db.owner.query(
    `insert into verification_codes (id, target, purpose, hash, tries_left, created_at, expires_at, asker)
     values ($1, $2, 'register', 'right', 5, 0, ${HOUR}, 'asker')`,
    [id, `${n}@example.org`],
  );
  return (hash: 'right' | 'wrong', client: { query(text: string, values: unknown[]): Promise<unknown> }) =>
    client.query('select check_code($1, $2, 1, $3, 10, $4, $5, $6, $4) as came', [
      ...[id, hash, `target ${n}`, HOUR, 'all', OF_ALL],
    ]) as Promise<{ readonly rows: readonly { readonly came: string }[] }>;
}
const spend = (used: number) =>
  db.owner.query(`insert into budgets (key, used, window_ends_at) values ('all', ${used}, ${HOUR})
    on conflict (key) do update set used = excluded.used`);
const somebodyWaits = async () => (await db.owner.query(`select from pg_locks where not granted`)).length > 0;
const used = async () =>
  (await db.owner.query<{ used: number }>(`select used from budgets where key = 'all'`))[0]?.used;

test("of everybody's guesses the last is compared alone: one that is under way with it compares nothing, right or wrong", async () => {
  for (const hash of ['right', 'wrong'] as const) {
    await db.owner.query('truncate budgets, verification_codes cascade');
    await spend(OF_ALL - 1);
    const [one, other] = [await code(1), await code(2)];
    const [first, second] = [await db.owner.pool.connect(), await db.owner.pool.connect()];
    try {
      await first.query('begin');
      expect((await one('wrong', first)).rows).toEqual([{ came: 'wrong' }]);
      let answered = false;
      const waiting = other(hash, second).finally(() => {
        answered = true;
      });
      while (!answered && !(await somebodyWaits()));
      await first.query('commit');
      expect((await waiting).rows).toEqual([{ came: 'longer' }]);
    } finally {
      first.release();
      second.release();
    }
    expect(await used()).toBe(OF_ALL);
  }
});

test('a right code gives back what was taken for it, near the end of the budget as far from it', async () => {
  for (const before of [0, OF_ALL - 101, OF_ALL - 100, OF_ALL - 1]) {
    await db.owner.query('truncate budgets, verification_codes cascade');
    await spend(before);
    const check = await code(1);
    expect((await check('right', db.owner.pool)).rows).toEqual([{ came: 'right' }]);
    expect(await used()).toBe(before);
    await db.owner.query('update verification_codes set verified_at = null');
    expect((await check('wrong', db.owner.pool)).rows).toEqual([{ came: 'wrong' }]);
    expect(await used()).toBe(before + 1);
  }
});
