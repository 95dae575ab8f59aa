import type { Millis } from '@crossbook/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../postgres/database.ts';
import { openTestDatabase, type TestDatabase } from '../testing.ts';
import { createAuditChain } from './audit-chain.ts';
import { auditFile, verifyAuditFile } from './audit-file.ts';
import { appendAudit } from './audit-log.ts';

const KEYS = { current: new Uint8Array(32).fill(7) };
const ROWS = 6;

let db: TestDatabase;
let whole: string;
beforeAll(async () => {
  db = await openTestDatabase();
  const client = { query: (text: string, values: never[]) => db.database.query(text, values) };
  for (let row = 0; row < ROWS; row += 1)
    await appendAudit(client as never, {
      ...{ at: (1_800_000_000_000 + row) as Millis, actor: { kind: 'member', id: '100001' } },
      ...{ call: 'a/call', outcome: 'ok', reason: `quote " line\n=1+1 ${row}`, details: { list: [row] } },
    });
  await createAuditChain(db.database, KEYS).seal();
  whole = await section(0);
});
afterAll(() => db.close());

async function section(after: number, from: Database = db.database): Promise<string> {
  const client = {
    query: async (text: string, values: never[]) => ({ rows: await from.query(text, values) }),
  };
  return new TextDecoder().decode((await auditFile(client as never, after)).bytes);
}

const lines = (): string[] => whole.trimEnd().split('\n');
const joined = (given: readonly string[]): string => `${given.join('\n')}\n`;
const edited = (line: number, change: (fields: Record<string, unknown>) => object): string =>
  joined(lines().map((text, at) => (at === line ? JSON.stringify(change(JSON.parse(text))) : text)));

describe('the audit log as a file', () => {
  test('is proved by its keys alone, from its beginning, from any place, and section after section', async () => {
    const end = { seq: ROWS, hash: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(verifyAuditFile(whole, KEYS)).toEqual({ after: 0, head: end });
    expect(verifyAuditFile(await section(2), KEYS)).toEqual({ after: 2, head: end });
    const head = joined(lines().slice(0, 3)).replace(`"places":${ROWS}`, '"places":2');
    expect(verifyAuditFile(head + (await section(2)), KEYS)).toEqual({ after: 0, head: end });
    expect(verifyAuditFile(await section(ROWS), KEYS)).toEqual({ after: ROWS, head: end });
    expect(verifyAuditFile(whole, { current: new Uint8Array(32) }).broken?.line).toBe(2);
  });

  test.each<[string, number, () => string]>([
    ['a word', 3, () => edited(2, (row) => ({ ...row, reason: 'another' }))],
    ['a hash', 2, () => edited(1, (row) => ({ ...row, hash: '0'.repeat(64) }))],
    ['a time', 4, () => edited(3, (row) => ({ ...row, at: '1' }))],
    ['the row that is named', 4, () => edited(3, (row) => ({ ...row, entry: '99' }))],
    ['a row hidden', 4, () => edited(3, (row) => ({ ...row, id: null, reason: null }))],
    ['a place', 3, () => edited(2, (row) => ({ ...row, seq: '9' }))],
    ['what a place is made of', 3, () => edited(2, () => ({ list: [] }))],
    ['where it begins', 1, () => edited(0, (head) => ({ ...head, after: { seq: 0, hash: lines()[0] } }))],
    ['fewer places said', 7, () => edited(0, (head) => ({ ...head, places: ROWS - 1 }))],
    ['a line taken out', 3, () => joined(lines().filter((_line, at) => at !== 2))],
    ['a line twice', 4, () => joined(lines().flatMap((line, at) => (at === 2 ? [line, line] : [line])))],
    ['lines cut off', 5, () => joined(lines().slice(0, 4))],
    ['no line at all', 1, () => ''],
    ['half a line', 8, () => `${whole}{"seq"`],
    ['the same section twice', 8, () => whole + whole],
    ['a list in place of a section', 1, () => '[]\n'],
    ['numbers that are none', 1, () => edited(0, (head) => ({ ...head, places: '6' }))],
  ])('%s: it shows at its line', (_what, line, file) => {
    expect(verifyAuditFile(file(), KEYS).broken?.line).toBe(line);
  });
});
