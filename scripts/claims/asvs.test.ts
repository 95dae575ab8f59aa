import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asvsProblems, asvsSummary, type Levels } from './asvs.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const page = readFileSync(join(root, 'docs/asvs.md'), 'utf8');
const levels: Levels = JSON.parse(readFileSync(join(root, 'scripts/claims/asvs-levels.json'), 'utf8'));

describe('docs/asvs.md', () => {
  test('has every requirement of level 1 and 2 once, with evidence that exists', () => {
    expect([levels['1'].length, levels['2'].length]).toEqual([70, 183]);
    expect(asvsProblems(page, levels, root)).toEqual([]);
  });

  test('states its own counts', () => {
    expect(page).toContain(asvsSummary(page));
  });
});

describe('a page is refused', () => {
  let house: string;
  beforeAll(() => {
    house = mkdtempSync(join(tmpdir(), 'asvs '));
    mkdirSync(join(house, 'apps'));
    writeFileSync(join(house, 'apps/a.test.ts'), "test('a claim that is proven', () => {});\n");
    writeFileSync(join(house, 'apps/a.ts'), 'export {};\n');
  });
  afterAll(() => rmSync(house, { recursive: true, force: true }));

  const LEVELS: Levels = { '1': ['1.1.1'], '2': ['1.1.2'] };
  /** One that is signed. */
  const FORCED: Levels = { '1': ['1.1.1', '6.2.1'], '2': [] };
  const TEXT = 'something that is asked for';
  const PROVEN = '`apps/a.ts`; `apps/a.test.ts` "claim that is proven"';
  const row = (id: string, level: string, rest: string) => `| ${id} | ${level} | ${rest} |`;
  const first = row('1.1.1', '1', `${TEXT} | met | ${PROVEN}`);
  const second = (rest: string) => `${first}\n${row('1.1.2', '2', rest)}`;
  const forced = (why: string) => `${first}\n${row('6.2.1', '1', `${TEXT} | deviates | ${why}`)}`;
  const SIGNED = 'Why: the specification says so. Instead: a budget. Signed: founders, 2026-11-22.';

  test('but not one whose rows all hold', () => {
    for (const rest of [`met | ${PROVEN} and prose`, 'open | nobody has done it yet']) {
      expect(asvsProblems(second(`${TEXT} | ${rest}`), LEVELS, house), rest).toEqual([]);
    }
    expect(asvsProblems(forced(SIGNED), FORCED, house)).toEqual([]);
    expect(asvsSummary(second(`${TEXT} | n/a | no such thing here`))).toBe(
      '1 met, 0 deviate, 0 open of 1 applicable; 1 do not apply',
    );
  });

  test.each([
    ['a requirement missing', first, '1.1.2: is not there'],
    ['a requirement there twice', `${second(`${TEXT} | met | ${PROVEN}`)}\n${first}`, 'there twice'],
    [
      'an id of another standard',
      second(`${TEXT} | met | ${PROVEN}`).replace('1.1.2', '1.1.9'),
      'no requirement',
    ],
    ['another level', second(`${TEXT} | met | ${PROVEN}`).replace('| 2 |', '| 1 |'), 'is of level 2'],
    ['a state nobody knows', second(`${TEXT} | nearly | ${PROVEN}`), 'unknown state "nearly"'],
    ['met without a test', second(`${TEXT} | met | \`apps/a.ts\``), 'met without a test'],
    ['met by tests alone', second(`${TEXT} | met | \`apps/a.test.ts\` "claim that is"`), 'without a file'],
    ['a file that is gone', second(`${TEXT} | met | \`apps/b.ts\`; ${PROVEN}`), 'apps/b.ts does not exist'],
    ['a test that is gone', second(`${TEXT} | met | ${PROVEN.replace('proven', 'lost')}`), 'has no test'],
    ['a test in no test file', second(`${TEXT} | met | \`apps/a.ts\` "a claim that"`), 'is no test file'],
    ['a ninth deviation', second(`${TEXT} | deviates | ${SIGNED}`), 'nobody has signed'],
    ['a deviation without its compensation', forced(SIGNED.slice(0, 50)), 'a deviation says'],
    ['open without a reason', second(`${TEXT} | open | later`), 'open without a reason'],
    ['n/a without a reason', second(`${TEXT} | n/a | `), 'n/a without a reason'],
    ['a row that says nothing', second(`short | met | ${PROVEN}`), 'says nothing of what is asked'],
    ['a row of other columns', `${first}\n| 1.1.2 | met |`, 'not a readable row'],
  ])('with %s', (_, text, problem) => {
    expect(asvsProblems(text, text.includes('6.2.1') ? FORCED : LEVELS, house)).toContainEqual(
      expect.stringContaining(problem),
    );
  });
});
