import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ACCOUNT_BUDGETS } from '../budgets.ts';
import { SECURITY_EVENTS } from '../security-mails.ts';

test('docs/security.md states the budgets that are in force', () => {
  const page = readFileSync(new URL('../../../../../docs/security.md', import.meta.url), 'utf8');
  const row = /^\| ([a-zA-Z]+) \| (\d+) \| (\d+) \| (\w+) \| ([\w-]+) \|$/gm;
  const stated = [...page.matchAll(row)].map(([, name, uses, minutes, keyedBy, atLimit]) => [
    name,
    { keyedBy, atLimit, usesMax: Number(uses), windowMillis: Number(minutes) * 60_000 },
  ]);
  expect(Object.fromEntries(stated)).toEqual(ACCOUNT_BUDGETS);
});

/** Budgets that others can use up and that refuse all the same: none of them keeps a member from anything. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  adminCodesPerPassword: 'password',
  demos: 'strangers',
  signUpTexts: 'strangers',
};

test('no budget that somebody else can use up refuses a member', () => {
  const refusing = Object.entries(ACCOUNT_BUDGETS).filter(([, { atLimit }]) => atLimit === 'refuse');
  expect(refusing.length).toBeGreaterThan(0);
  for (const [name, { keyedBy }] of refusing) expect(keyedBy, name).toBe(EXCEPTIONS[name] ?? 'sender');
});

test('each event that there is a mail for is mailed by some act', () => {
  const folder = new URL('..', import.meta.url);
  const acts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^security-mails\.ts$/.test(file))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n');
  expect(SECURITY_EVENTS.length).toBeGreaterThan(20);
  expect(SECURITY_EVENTS.filter((event) => !acts.includes(`'${event}'`))).toEqual([]);
});
