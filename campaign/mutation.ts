import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Campaign } from './campaign.ts';
import { MUTATED_ROOMS, type MutatedRoom } from './mutation-rooms.ts';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);

/** Starts the PostgreSQL of a run, as the tests of the hub have it. */
const DATABASE_SETUP = 'apps/server/src/storage/testing-setup.ts';

/** As in vitest.config.ts: the first run of all tests is watched, which is slow. */
const TEST_MILLIS_MAX = 60_000;

/** The least share of mutants, in per cent, that tests must notice. */
const SCORE_MIN = 95;

/** One change of one place, and what the tests made of it: a part of what the mutation tester reports. */
interface Mutant {
  readonly fileName: string;
  readonly location: { readonly start: { readonly line: number } };
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
}

interface MutationTester {
  runMutationTest(): Promise<readonly Mutant[]>;
}

/** A mutant that may live, because no behaviour differs or none that matters. */
interface Survivor {
  readonly file: string;
  /** The mutated line as it stands, without its indentation; it may move. */
  readonly line: string;
  readonly replacement: string;
  readonly reason: string;
}

/** Changes every operator, condition and literal of the rooms one at a time; a test must fail each time. */
export const mutation: Campaign = {
  about: `Mutation of ${MUTATED_ROOMS.map(({ name }) => name).join(', ')}: at least ${SCORE_MIN} % must be noticed, the rest is listed with its reason.`,
  async run(names) {
    let holds = true;
    for (const room of MUTATED_ROOMS) {
      if (names.length === 0 || names.includes(room.name)) holds = (await roomHolds(room)) && holds;
    }
    return holds;
  },
};

async function roomHolds(room: MutatedRoom): Promise<boolean> {
  const counted = (await mutantsOf(room)).filter(({ status }) => status !== 'Ignored');
  const noticed = counted.filter(({ status }) => status === 'Killed' || status === 'Timeout');
  const living = counted.filter((mutant) => !noticed.includes(mutant));
  const listed = readSurvivors();
  const unlisted = living.filter((mutant) => !listed.some((known) => isSame(known, mutant)));
  const score = (100 * noticed.length) / counted.length;
  console.log(
    `${room.name}: ${noticed.length} of ${counted.length} noticed, ${score.toFixed(1)} %, ${living.length - unlisted.length} survivors listed`,
  );
  for (const mutant of unlisted) console.log(`  not listed: ${describe(mutant)}`);
  return score >= SCORE_MIN && unlisted.length === 0;
}

async function mutantsOf(room: MutatedRoom): Promise<readonly Mutant[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'mutation-'));
  try {
    const configFile = join(scratch, 'vitest.config.mjs');
    const globalSetup = room.database === true ? [join(root, DATABASE_SETUP)] : [];
    const { tests: include, without: exclude = [] } = room;
    const test = { include, exclude, globalSetup, testTimeout: TEST_MILLIS_MAX };
    writeFileSync(configFile, `export default ${JSON.stringify({ test })};\n`);
    const core = join(here, 'node_modules/@stryker-mutator/core/dist/src/index.js');
    const { Stryker }: { Stryker: new (options: object) => MutationTester } = await import(core);
    process.chdir(root);
    return await new Stryker({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      mutate: room.sources,
      reporters: ['dots'],
      logLevel: 'warn',
      coverageAnalysis: 'perTest',
      concurrency: 2,
      // Beyond what a test took before: a busy machine notices nothing.
      timeoutMS: 15_000,
      tempDirName: join(scratch, 'copies'),
      // What was built holds a link, which cannot be copied.
      ignorePatterns: ['dist', 'test-results', '.data'],
      vitest: { configFile },
    }).runMutationTest();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function readSurvivors(): readonly Survivor[] {
  const file = join(here, 'survivors.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

function isSame(known: Survivor, mutant: Mutant): boolean {
  return (
    known.file === fileOf(mutant) && known.line === lineOf(mutant) && known.replacement === mutant.replacement
  );
}

function fileOf(mutant: Mutant): string {
  return relative(root, mutant.fileName);
}

function lineOf({ fileName, location }: Mutant): string {
  return (readFileSync(fileName, 'utf8').split('\n')[location.start.line - 1] ?? '').trim();
}

function describe(mutant: Mutant): string {
  const { replacement, status, mutatorName } = mutant;
  return JSON.stringify({ file: fileOf(mutant), line: lineOf(mutant), replacement, status, mutatorName });
}
