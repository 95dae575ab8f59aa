import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completenessProblems, mapProblems, parseMap, parseSpec, specFile, withMissing } from './spec-map.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const map = readFileSync(join(root, 'docs/spec-map.md'), 'utf8');
const spec = specFile(root, process.env);

describe('docs/spec-map.md', () => {
  test('is sound: ids are unique, statuses known, and what is done is proven by tests that exist', () => {
    expect(mapProblems(map, root)).toEqual([]);
    expect(parseMap(map).rows.length).toBeGreaterThan(200);
  });

  test.skipIf(!existsSync(spec))(
    'has every sentence of the specification in its words (skipped where SPEC_FILE, by default ../shared/spec.md, is absent)',
    () => expect(completenessProblems(map, readFileSync(spec, 'utf8'))).toEqual([]),
  );
});

const SPEC = `# Specification

It trades. It is fast.

## 1. Screens
They show:
- A header: logo. Log out asks ("Are you sure?").
  - Server time.
  - Server time.

### Calls (all GET)
| Route | Purpose |
|---|---|
| / | home |

## 4. States
**Order codes**: 0 or 1. Others: not shown.

**Session**
- "It is not valid." and more.
`;

test('a specification is cut into sentences, items and rows, each with its place', () => {
  expect(parseSpec(SPEC).map(({ group, text }) => [group, text])).toEqual([
    ['S0', 'It trades.'],
    ['S0', 'It is fast.'],
    ['S1', 'They show:'],
    ['S1', 'A header: logo.'],
    ['S1', 'Log out asks ("Are you sure?").'],
    ['S1', 'Server time.'],
    ['S1', 'Server time.'],
    ['S1.calls', '/ | home'],
    ['S4.order-codes', 'Order codes: 0 or 1.'],
    ['S4.order-codes', 'Others: not shown.'],
    ['S4.session', '"It is not valid." and more.'],
  ]);
});

describe('adding what is missing', () => {
  const full = withMissing('# Map\n', SPEC);

  test('an empty map becomes complete, and a complete one stays as it is', () => {
    expect(completenessProblems(full, SPEC)).toEqual([]);
    expect(mapProblems(full, root)).toEqual([]);
    expect(withMissing(full, SPEC)).toBe(full);
  });

  test('a lost row comes back in its place, and every other line is kept', () => {
    const lines = full.replace('| planned | It is fast. |', '| odd | It is fast. |').split('\n');
    for (const lost of lines.filter((line) => /^\| S/.test(line) && !line.includes('| odd |'))) {
      const without = lines.filter((line) => line !== lost);
      const mended = withMissing(without.join('\n'), SPEC).split('\n');
      const added = mended.filter((line) => line.includes('| planned |') && !without.includes(line));
      expect(added).toHaveLength(1);
      expect(mended.filter((line) => line !== added[0])).toEqual(without);
      const words = (line: string | undefined) => line?.split('|').slice(3);
      expect(words(mended[lines.indexOf(lost)])).toEqual(words(lost));
    }
  });

  test('a new sentence takes a number nobody had', () => {
    const longer = SPEC.replace('It trades.', 'It trades. It sleeps.');
    const added = parseMap(withMissing(full, longer)).rows.find((row) => row.text === 'It sleeps.');
    expect(added?.id).toBe('S0.3');
    expect(completenessProblems(withMissing(full, longer), longer)).toEqual([]);
  });
});

describe('a map is refused', () => {
  let house: string;
  beforeAll(() => {
    house = mkdtempSync(join(tmpdir(), 'spec map '));
    mkdirSync(join(house, 'apps'));
    writeFileSync(
      join(house, 'apps/a.test.ts'),
      "test('a claim that is proven', () => {});\n// a mere remark\n",
    );
    writeFileSync(join(house, 'apps/a.ts'), "test('a claim that is proven', () => {});\n");
  });
  afterAll(() => rmSync(house, { recursive: true, force: true }));

  const row = (fields: string) => `| S1.1 | ${fields} |`;
  const proof = (file: string, claim: string) => row(`done | It trades. | \`${file}\` "${claim}"`);

  test('but not one whose done rows name tests that exist', () => {
    expect(mapProblems(proof('apps/a.test.ts', 'claim that is proven'), house)).toEqual([]);
  });

  test.each([
    ['a done row without a test', row('done | It trades. | '), 'done without a test'],
    ['a status nobody knows', row('almost | It trades. | '), 'unknown status "almost"'],
    ['no status', row(' | It trades. | '), 'unknown status ""'],
    [
      'a planned row with a test',
      proof('apps/a.test.ts', 'claim that').replace('done', 'planned'),
      'yet with',
    ],
    ['an id that is there twice', `${row('planned | A. | ')}\n${row('planned | B. | ')}`, 'there twice'],
    ['a test file that is not there', proof('apps/b.test.ts', 'a claim that'), 'does not exist'],
    ['a file that holds no tests', proof('apps/a.ts', 'a claim that'), 'is no test file'],
    ['a test that is not there', proof('apps/a.test.ts', 'a claim nobody made'), 'has no test'],
    ['words that are no title', proof('apps/a.test.ts', 'a mere remark'), 'has no test'],
    ['a claim so short that it is everywhere', proof('apps/a.test.ts', 'a claim'), 'too short'],
    ['a proof that is mere prose', row('done | It trades. | see the tests'), 'not a readable row'],
    ['a row of other columns', '| S1.1 | done |', 'not a readable row'],
    ['an id of another form', '| S1.Calls.x | planned | It trades. | |', 'not a readable row'],
  ])('with %s', (_, text, problem) => {
    expect(mapProblems(text, house)).toEqual([expect.stringContaining(problem)]);
  });

  test.each([
    ['a sentence missing', (text: string) => text.replace(/^.*It is fast.*$/m, ''), ['not in the map: S0']],
    ['other words', (text: string) => text.replace('fast', 'quick'), ['not in the map', 'not in the spec']],
    ['one of two equal ones', (text: string) => text.replace(/^.*S1\.5.*$/m, ''), ['not in the map: S1']],
    ['a sentence in another place', (text: string) => text.replace('S0.2', 'S1.9'), ['not in', 'not in']],
  ])('against its specification with %s', (_, damage, problems) => {
    const damaged = damage(withMissing('# Map\n', SPEC));
    expect(completenessProblems(damaged, SPEC)).toEqual(
      problems.map((text) => expect.stringContaining(text)),
    );
  });
});
