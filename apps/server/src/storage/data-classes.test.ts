import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SecurityWorld } from '../accounts/security-world.fixture.ts';

/** docs/data-classes.md held against the schema, and what it calls sealed or hashed against rows. */

interface ListedTable {
  readonly name: string;
  readonly kind: string;
  /** What is done to a column of another class, by its name. */
  readonly columns: ReadonlyMap<string, string>;
}

const page = readFileSync(
  fileURLToPath(new URL('../../../../docs/data-classes.md', import.meta.url)),
  'utf8',
);
const KINDS = ['secret', 'identity', 'trade', 'office', 'public', 'technical'];

const listed: readonly ListedTable[] = [
  ...page.matchAll(/^\| (?!table \|)([a-z_]+) \| (\w+) \| ?([^|]*?) ?\| [^|]+ \|$/gm),
].map(([, name = '', kind = '', columns = '']) => ({
  ...{ name, kind },
  columns: new Map(
    columns
      .split('; ')
      .filter((part) => part !== '')
      .map((part) => part.split(': ') as [string, string]),
  ),
}));

/** Columns with such names are told apart one by one, unless their whole table is about persons. */
const TELLING =
  /hash|secret|^key$|_key$|token|cookie|salt|sealed|^answer$|anti_phishing|credential|^body$|^mail$|^fields$/;
const OF_PERSONS = /email|mobile|address|user_agent|nickname|country|^subject$|recipient|browser/;

let world: SecurityWorld;
let schema: ReadonlyMap<string, readonly string[]>;
const owner = () => world.hub.database.owner;

beforeAll(async () => {
  world = await SecurityWorld.start({ NEW_DEVICE_CODE: '1' });
  const rows = await owner().query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where t.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1, c.ordinal_position`,
  );
  const found = new Map<string, string[]>();
  for (const { table, column } of rows) found.set(table, [...(found.get(table) ?? []), column]);
  schema = found;
});
afterAll(() => world.hub.close());

describe('the list of classes', () => {
  test('has every table of the schema once, and no other', () => {
    expect(listed.map(({ name }) => name).sort()).toEqual([...schema.keys()].sort());
    expect(listed.filter(({ kind }) => !KINDS.includes(kind))).toEqual([]);
    // Each class says what is done to it.
    for (const kind of KINDS) expect(page).toMatch(new RegExp(`^\\| \`${kind}\` \\|`, 'm'));
  });

  test('names only columns that are there, and every one whose name speaks of a secret or a person', () => {
    for (const { name, kind, columns } of listed) {
      const there = schema.get(name) ?? [];
      for (const column of columns.keys()) expect(there, `${name}.${column}`).toContain(column);
      const unnamed = there.filter((column) => !columns.has(column));
      expect(
        unnamed.filter((column) => TELLING.test(column)),
        name,
      ).toEqual([]);
      if (kind !== 'identity')
        expect(
          unnamed.filter((column) => OF_PERSONS.test(column)),
          name,
        ).toEqual([]);
    }
  });
});

const SEALED = /^v[12]\.[A-Za-z0-9._-]{20,}$/;
const HASHED = /^(?:[0-9a-f]{64}|[A-Za-z0-9_-]{43}|\$argon2id\$v=19\$.+)$/;

test('what is called sealed or hashed is so in the rows of a hub that was used, and no secret lies in clear', async () => {
  const email = 'classes@example.org';
  const password = 'Correct-horse-7';
  const browser = await world.hub.member(email);
  await world.bindMobile(browser, '+819012340000');
  const { secret, codes } = await world.authenticator(browser);
  const word = 'kingfisher';
  const grant = await world.grant(browser, secret);
  await browser.call('security/modifyuserinfo', { antiPhishing: word, grant });
  const other = world.hub.visitor();
  await world.ticket(other, email);
  const link = await world.freezeToken(email);
  const code = await world.flow(world.hub.visitor(), email, 'recover');

  const secrets = [
    password,
    secret,
    word,
    link,
    grant,
    browser.cookie,
    browser.device,
    ...codes.map((one) => one.replaceAll(/[- ]/g, '')),
  ];
  let seen = 0;
  for (const { name, columns } of listed) {
    const rows = await owner().query<Record<string, unknown>>(`select * from ${name}`);
    const mails = name === 'outbox_mails';
    const text = JSON.stringify(rows);
    // The outbox of paper money is where members read their mails.
    for (const known of secrets)
      if (known !== undefined && !mails) expect(text.includes(known), name).toBe(false);
    expect(mails || !text.includes(code.split('.')[1] ?? 'none')).toBe(true);
    for (const [column, treatment] of columns) {
      for (const row of rows) {
        const value = row[column];
        if (typeof value !== 'string') continue;
        if (treatment.endsWith(' sealed')) expect(value, `${name}.${column}`).toMatch(SEALED);
        if (treatment.endsWith(' hashed')) expect(value, `${name}.${column}`).toMatch(HASHED);
        seen += 1;
      }
    }
  }
  expect(seen).toBeGreaterThan(20);
});
