import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What pages of proofs share: a test is named by its file and a part of one of its titles, and both must be there. */

/** A test that proves something: a file, and a part of one of its titles. */
export interface NamedTest {
  readonly file: string;
  readonly claim: string;
}

/** A test as a page names it: `file` "part of a title". */
const NAMED = /`([^`]+)` "([^"]+)"/g;
/** A shorter claim would be found in any file. */
const CLAIM_CHARACTERS_MIN = 10;
const TITLE = /(?:\b(?:test|it|describe)\b(?:\.\w+)*|\))\s*\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g;
const TABLED = /\bsays: (['"`])((?:\\.|(?!\1)[\s\S])*)\1/g;

/** The tests that a cell names, and what else stands in it. */
export function namedTests(cell: string): { readonly tests: readonly NamedTest[]; readonly rest: string } {
  const tests = [...cell.matchAll(NAMED)].map(([, file = '', claim = '']) => ({ file, claim }));
  return { tests, rest: cell.replace(NAMED, '') };
}

/** What a test file claims: titles of its tests and groups, and the sentences of tables of claims. */
export function claimsOf(source: string): readonly string[] {
  return [...source.matchAll(TITLE), ...source.matchAll(TABLED)].map((match) => match[2] ?? '');
}

/** What is wrong with a test that a row names. @param id the row. */
export function testProblem(id: string, { file, claim }: NamedTest, root: string): string | undefined {
  if (!/\.(test|spec)\.(ts|mjs)$/.test(file)) return `${id}: ${file} is no test file`;
  if (!existsSync(join(root, file))) return `${id}: ${file} does not exist`;
  if (claim.length < CLAIM_CHARACTERS_MIN) return `${id}: the claim "${claim}" is too short`;
  const claims = claimsOf(readFileSync(join(root, file), 'utf8'));
  return claims.some((title) => title.includes(claim)) ? undefined : `${id}: ${file} has no test "${claim}"`;
}
