import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type NamedTest, namedTests, testProblem } from './claims/test-claims.ts';

/**
 * Holds docs/spec-map.md against the specification: every sentence, list item and table row has an id and a status, and
 * what is called done names the tests that prove it. `node scripts/spec-map.ts` checks, `--update` adds what is missing.
 */

/** One thing the specification says. */
export interface SpecUnit {
  /** Where it stands: section number, and a slug of the nearest sub-heading or label. */
  readonly group: string;
  /** What a reader sees above its table in the map. */
  readonly heading: string;
  readonly text: string;
}

/** One row of the map. */
export interface MapRow {
  readonly id: string;
  readonly status: string;
  readonly text: string;
  readonly proofs: readonly NamedTest[];
  /** Counted from 0. */
  readonly line: number;
}

const STATUSES = ['planned', 'done'];
const ROW = /^\| (S\d+(?:\.[a-z0-9-]+)?)\.(\d+) \| (\S*) \| (.*?) \| ?(.*?) ?\|$/;
const TABLE_HEAD = ['| id | status | sentence | proof |', '|---|---|---|---|'];
const SENTENCE_END = /(?<=[.!?]["')]?)\s+(?=[A-Z"(/])/;

function plain(text: string): string {
  return text.replaceAll('**', '').replace(/\s+/g, ' ').trim();
}

function slug(text: string): string {
  return plain(text)
    .replace(/\(.*\)/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

interface Place {
  readonly section: string;
  readonly title: string;
  readonly label: string;
}

/** Where the next lines stand, if this line says so: a heading, a label alone, or a paragraph that begins with one. */
function nextPlace(line: string, place: Place): Place | undefined {
  const section = /^## (\d+)\. (.*)$/.exec(line);
  if (section !== null) return { section: section[1] ?? '', title: section[2] ?? '', label: '' };
  const label = /^### (.*)$/.exec(line) ?? /^\*\*([^*]+)\*\*(?:$|:)/.exec(line);
  return label === null ? undefined : { ...place, label: label[1] ?? '' };
}

/** Reads the units out of the specification, in its order. A table's head is no unit; a row is one, whatever it holds. */
export function parseSpec(markdown: string): readonly SpecUnit[] {
  const units: SpecUnit[] = [];
  let place: Place = { section: '0', title: 'The product', label: '' };
  const lines = markdown.split('\n').map((line) => line.trimEnd());
  lines.forEach((line, index) => {
    const moved = nextPlace(line, place);
    place = moved ?? place;
    const bare = line.startsWith('#') || /^\*\*[^*]+\*\*$/.test(line) || /^\|[-| ]+\|$/.test(line);
    if (line === '' || bare || /^\|[-| ]+\|$/.test(lines[index + 1] ?? '')) return;
    const group = `S${place.section}${place.label === '' ? '' : `.${slug(place.label)}`}`;
    const heading = `${place.section}. ${place.title}${place.label === '' ? '' : `: ${place.label}`}`;
    for (const text of unitTexts(line)) units.push({ group, heading, text });
  });
  return units;
}

function unitTexts(line: string): readonly string[] {
  if (line.startsWith('|')) {
    const cells = line.split('|').slice(1, -1);
    return [cells.map(plain).join(' | ')];
  }
  return plain(line.replace(/^\s*- /, '')).split(SENTENCE_END);
}

/** Reads the rows of the map. A line that begins like a row and cannot be read is a problem of its own. */
export function parseMap(markdown: string): {
  readonly rows: readonly MapRow[];
  readonly unread: readonly string[];
} {
  const rows: MapRow[] = [];
  const unread: string[] = [];
  markdown.split('\n').forEach((raw, line) => {
    if (!/^\|\s*S\d/.test(raw)) return;
    const [, group, number, status = '', text = '', proof = ''] = ROW.exec(raw) ?? [];
    const { tests, rest } = namedTests(proof);
    if (group === undefined || rest.replaceAll(';', '').trim() !== '') unread.push(raw);
    else
      rows.push({ id: `${group}.${number}`, status, text: text.replaceAll('\\|', '|'), proofs: tests, line });
  });
  return { rows, unread };
}

function groupOf(row: MapRow): string {
  return row.id.slice(0, row.id.lastIndexOf('.'));
}

/** Tells units of the same words apart by their turn. */
function keyed<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item> {
  const turns = new Map<string, number>();
  return new Map(
    items.map((item) => {
      const key = keyOf(item);
      const turn = (turns.get(key) ?? 0) + 1;
      turns.set(key, turn);
      return [`${turn} ${key}`, item];
    }),
  );
}

const unitKey = (unit: SpecUnit): string => `${unit.group} ${unit.text}`;
const rowKey = (row: MapRow): string => `${groupOf(row)} ${row.text}`;

/**
 * Judges the map alone: rows readable, ids unique, statuses known, `done` proven by tests that exist, `planned` without.
 * @returns one sentence per problem.
 */
export function mapProblems(markdown: string, root: string): readonly string[] {
  const { rows, unread } = parseMap(markdown);
  const problems = unread.map((row) => `not a readable row: ${row}`);
  const seen = new Set<string>();
  for (const row of rows) {
    if (seen.has(row.id)) problems.push(`${row.id}: the id is there twice`);
    seen.add(row.id);
    if (!STATUSES.includes(row.status)) problems.push(`${row.id}: unknown status "${row.status}"`);
    if (row.status === 'done' && row.proofs.length === 0) problems.push(`${row.id}: done without a test`);
    if (row.status === 'planned' && row.proofs.length > 0)
      problems.push(`${row.id}: planned, yet with a test`);
    for (const proof of row.proofs) problems.push(...[testProblem(row.id, proof, root) ?? []].flat());
  }
  return problems;
}

/** Judges the map against the specification: nothing missing, nothing else, the same words. */
export function completenessProblems(markdown: string, spec: string): readonly string[] {
  const rows = keyed(parseMap(markdown).rows, rowKey);
  const units = keyed(parseSpec(spec), unitKey);
  const missing = [...units].filter(([key]) => !rows.has(key));
  const foreign = [...rows].filter(([key]) => !units.has(key));
  return [
    ...missing.map(([, unit]) => `not in the map: ${unit.group}: ${unit.text}`),
    ...foreign.map(([, row]) => `not in the specification: ${row.id}: ${row.text}`),
  ];
}

/** Adds missing units as planned, each behind the one before it; every other line stays as it is. */
export function withMissing(markdown: string, spec: string): string {
  const lines = markdown.trimEnd().split('\n');
  let before: { readonly line: number; readonly group: string } = { line: lines.length - 1, group: '' };
  for (const [key, unit] of keyed(parseSpec(spec), unitKey)) {
    const { rows } = parseMap(lines.join('\n'));
    const known = keyed(rows, rowKey).get(key);
    if (known !== undefined) {
      before = { line: known.line, group: unit.group };
      continue;
    }
    const kin = rows.filter((row) => groupOf(row) === unit.group);
    const number = Math.max(0, ...kin.map((row) => Number(row.id.slice(row.id.lastIndexOf('.') + 1)))) + 1;
    const row = `| ${unit.group}.${number} | planned | ${unit.text.replaceAll('|', '\\|')} | |`;
    const title = `## ${unit.heading}`;
    const fresh = !lines.includes(title);
    const top = lines.indexOf(title) + 2 + TABLE_HEAD.length;
    const at = unit.group === before.group || fresh ? before.line + 1 : top;
    const added = fresh ? ['', title, '', ...TABLE_HEAD, row] : [row];
    lines.splice(at, 0, ...added);
    before = { line: at + added.length - 1, group: unit.group };
  }
  return `${lines.join('\n')}\n`;
}

/** Where the specification is: `SPEC_FILE`, or beside the project. */
export function specFile(root: string, env: Readonly<Record<string, string | undefined>>): string {
  return resolve(root, env.SPEC_FILE ?? '../shared/spec.md');
}

/** `N done, M planned`. */
export function summary(markdown: string): string {
  const { rows } = parseMap(markdown);
  const done = rows.filter((row) => row.status === 'done').length;
  return `${done} done, ${rows.length - done} planned`;
}

function main(): number {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const mapFile = join(root, 'docs/spec-map.md');
  const file = specFile(root, process.env);
  const spec = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (process.argv.includes('--update') && spec !== undefined) {
    writeFileSync(mapFile, withMissing(readFileSync(mapFile, 'utf8'), spec));
  }
  const map = readFileSync(mapFile, 'utf8');
  const problems = [
    ...mapProblems(map, root),
    ...(spec === undefined ? [] : completenessProblems(map, spec)),
  ];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (spec === undefined) process.stderr.write('no specification here: completeness not checked\n');
  process.stdout.write(`${summary(map)}\n`);
  return problems.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = main();
