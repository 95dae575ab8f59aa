import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Campaign } from './campaign.ts';
import { MUTATED_ROOMS, type MutatedRoom } from './mutation-rooms.ts';
import { TESTS_VARIABLE, type WarmTests } from './warm-runner.ts';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);

/** Starts the PostgreSQL of a run, as the tests of the hub have it. */
const DATABASE_SETUP = 'apps/server/src/storage/testing-setup.ts';

/** Properties begin where they begin in `npm test`: what is noticed once is noticed again. */
const PROPERTY_SEED = 'tests/property-seed.ts';

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
    const [only] = names.filter((name) => name.endsWith('.ts'));
    const rooms = names.filter((name) => name !== only);
    let holds = true;
    for (const room of MUTATED_ROOMS) {
      const asked = rooms.length === 0 || rooms.includes(room.name);
      if (asked) holds = (await roomHolds(room, only)) && holds;
    }
    return holds;
  },
};

async function roomHolds(room: MutatedRoom, only: string | undefined): Promise<boolean> {
  const began = performance.now();
  const counted = (await mutantsOf(room, only)).filter(({ status }) => status !== 'Ignored');
  const minutes = (performance.now() - began) / 60_000;
  const noticed = counted.filter(({ status }) => status === 'Killed' || status === 'Timeout');
  const living = counted.filter((mutant) => !noticed.includes(mutant));
  const files = new Set(counted.map(fileOf));
  // Each entry stands for one mutant.
  const open = readSurvivors().filter(({ file }) => files.has(file) || !existsSync(join(root, file)));
  const unlisted = living.filter((mutant) => {
    const at = open.findIndex((known) => isSame(known, mutant));
    if (at >= 0) open.splice(at, 1);
    return at < 0;
  });
  // One that may live and is slow runs out of time where the machine is busy.
  const slow = counted.filter(({ status }) => status === 'Timeout');
  const stale = open.filter((known) => !slow.some((mutant) => isSame(known, mutant)));
  const score = (100 * noticed.length) / counted.length;
  console.log(
    `${room.name}: ${noticed.length} of ${counted.length} noticed, ${score.toFixed(1)} %, ${living.length - unlisted.length} survivors listed, ${minutes.toFixed(1)} min`,
  );
  for (const mutant of unlisted) console.log(`  not listed: ${describe(mutant)}`);
  for (const known of stale) console.log(`  listed, but noticed or gone: ${JSON.stringify(known)}`);
  return score >= SCORE_MIN && unlisted.length === 0 && stale.length === 0;
}

async function mutantsOf(room: MutatedRoom, only = ''): Promise<readonly Mutant[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'mutation-'));
  const stopDatabase = room.database === true ? await startDatabase() : undefined;
  try {
    const tests: WarmTests = { include: room.tests, exclude: room.without ?? [], setup: PROPERTY_SEED };
    process.env[TESTS_VARIABLE] = JSON.stringify(tests);
    const core = join(here, 'node_modules/@stryker-mutator/core/dist/src/index.js');
    const { Stryker }: { Stryker: new (options: object) => MutationTester } = await import(core);
    process.chdir(root);
    return await new Stryker({
      testRunner: 'warm',
      plugins: [join(here, 'warm-runner.ts')],
      mutate: room.sources.map((source) => source.replace(/\*\.ts$/, only === '' ? '*.ts' : only)),
      reporters: ['dots'],
      logLevel: 'warn',
      coverageAnalysis: 'perTest',
      // One is enough where others share the machine.
      concurrency: Number(process.env.MUTATION_WORKERS ?? 2),
      // What was imported for a mutant stays in memory.
      maxTestRunnerReuse: 300,
      // Beyond what its tests took before: loops without an end are noticed by this alone.
      timeoutMS: 5_000,
      tempDirName: join(scratch, 'copies'),
      // What was built holds a link, which cannot be copied.
      ignorePatterns: ['dist', 'test-results', '.data', 'docs', 'campaign'],
    }).runMutationTest();
  } finally {
    await stopDatabase?.();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Workers find it by the environment. */
async function startDatabase(): Promise<() => Promise<void>> {
  const { setup, teardown }: { setup(): Promise<void>; teardown(): Promise<void> } = await import(
    join(root, DATABASE_SETUP)
  );
  await setup();
  return teardown;
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
