import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One proof: a command, and how its claims are counted. */
export interface Proof {
  readonly name: string;
  /** Arguments for the project's Node. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Which runner writes the report; a command without tests counts as one claim. */
  readonly runner: Runner;
  /** The proof of the same stage, standing before it, that it begins after. */
  readonly after?: string;
}

/** Proofs that run at the same time; a stage begins when all of the one before have ended. */
export type Stage = readonly Proof[];

/** The runners whose reports are read; `none` writes none. */
export type Runner = 'vitest' | 'playwright' | 'node' | 'none';

const BIN = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  knip: 'node_modules/knip/bin/knip.js',
  playwright: 'node_modules/@playwright/test/cli.js',
  sizeLimit: 'node_modules/size-limit/bin.js',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
} as const;

/** What the type checker found out is kept, so that it judges only what changed since. */
function types(project: string): readonly string[] {
  const kept = `node_modules/.cache/types/${project.replaceAll('/', '-')}.tsbuildinfo`;
  return [BIN.tsc, '-p', project, '--incremental', '--tsBuildInfoFile', kept];
}

/** What was read of each file is kept until its moment or size changes, of each folder until its moment does. */
const KEPT_READING = ['--cache', '--cache-location', 'node_modules/.cache/knip'];

/** Style and boundaries, types, dead code: what `npm run check` adds the quick tests to. */
const STATIC_STAGE: Stage = [
  { name: 'style and import fences', command: [BIN.biome, 'check', '.'] },
  { name: 'types (server side)', command: types('tsconfig.node.json') },
  { name: 'types (browser side)', command: types('apps/web/tsconfig.json') },
  { name: 'types (browser tests)', command: types('tests/e2e/tsconfig.json') },
  { name: 'dead code', command: [BIN.knip, '--treat-config-hints-as-errors', ...KEPT_READING] },
].map((proof) => ({ ...proof, runner: 'none' }));

const QUICK_PROOF: Proof = {
  name: 'quick tests',
  command: vitest('unit', 'page'),
  runner: 'vitest',
};

/** Tests of these projects (vitest.config.ts). */
function vitest(...projects: readonly string[]): readonly string[] {
  return [BIN.vitest, 'run', ...projects.flatMap((project) => ['--project', project])];
}

/** Tests that use a core all the time. */
const WORKING = vitest('unit', 'page', 'integration', 'long');

/** Tests of processes wait for deadlines half of their time: a third worker uses it. */
const PROCESSES_AT_ONCE = '--maxWorkers=3';

const BROWSER_PROOF: Proof = {
  name: 'flows in the browser',
  command: [BIN.playwright, 'test'],
  runner: 'playwright',
};

/**
 * The stranger's first minute, whose bounds are seconds: nothing runs beside it, or it would say how busy the machine is.
 * The flows beside other proofs are all the rest (playwright.config.ts).
 */
const ALONE = '--project=alone';
const BESIDE_OTHERS = ['three', 'two', 'pages'].map((name) => `--project=${name}`);
const FIRST_MINUTE_PROOF: Proof = {
  ...BROWSER_PROOF,
  name: 'first minute',
  command: [...BROWSER_PROOF.command, ALONE],
};

/** The fast tier. What needs a database, processes or many seconds is left to `npm test` (vitest.config.ts). */
export function checkStages(): readonly Stage[] {
  return [STATIC_STAGE, [QUICK_PROOF]];
}

/** Where tests lie. */
const TEST_FOLDERS = '{apps,packages,scripts,tests}';

/** What asks which tier runs: `FULL` and `runs` of tests/property-runs.ts, or the variable itself. */
const ASKS_FOR_TIER = /property-runs\.ts'|\bTEST_TIER\b/;

function filesThat(asks: RegExp): readonly string[] {
  const root = dirname(dirname(import.meta.dirname));
  return globSync(`${TEST_FOLDERS}/**/*.{ts,tsx,mjs}`, {
    cwd: root,
    exclude: (name) => name.endsWith('node_modules'),
  })
    .filter((file) => asks.test(readFileSync(join(root, file), 'utf8')))
    .sort();
}

/**
 * Files below the project that ask which tier runs. The full tier takes the tests among them, whatever their names, but for
 * the long matrices: a row or a number of runs that only it has is nowhere else.
 */
export function filesAskingForTier(): readonly string[] {
  return filesThat(ASKS_FOR_TIER);
}

/** Tests with attacks that `npm run campaign -- threats` tries in the size of their threat. */
export function filesWithAttacks(): readonly string[] {
  return filesThat(/from '[^']*attack-sizes\.ts'/).filter((file) => file.endsWith('.test.ts'));
}

/**
 * Whose rows, all of them, start and kill processes for more than half an hour: `npm run campaign -- matrices` takes them. The
 * full tier takes a file among them where it says by `MATRIX` which rows are too many for that tier.
 */
export const MATRICES: readonly string[] = [
  'tests/hostile/others-come-in.test.ts',
  'tests/hostile/venue-budgets.test.ts',
  'tests/system/algo-crashes.test.ts',
  'tests/system/amend-money.fuzz.test.ts',
  'tests/system/attached-crashes.test.ts',
  'tests/system/contract-calls.test.ts',
  'tests/system/contract-crashes.test.ts',
  'tests/system/order-matrix.test.ts',
];

/**
 * It starts processes all the time, and takes both cores for that: flows beside it would find a hub that is too busy to take
 * an order in its time.
 */
const STARTING = 'tests/system/contract-crashes.test.ts';

/** What says which of its rows the full tier has. */
const KNOWS_MATRIX = /\bMATRIX\b/;

/** The matrices of which the full tier has no row. */
export function campaignsAlone(): readonly string[] {
  const root = dirname(dirname(import.meta.dirname));
  return MATRICES.filter((file) => !KNOWS_MATRIX.test(readFileSync(join(root, file), 'utf8')));
}

/** Tests that the full tier has more to ask of; flows in the browser say it by their titles (playwright.config.ts). */
function fullTests(): readonly string[] {
  const alone = campaignsAlone();
  return filesAskingForTier().filter((file) => file.endsWith('.test.ts') && !alone.includes(file));
}

/**
 * Properties with more runs than `npm test` has, in the full tier or in the campaign that has more again.
 * @param files those that are meant; all of them where there is none.
 */
export function longProperties(tier: 'full' | 'properties', files: readonly string[] = []) {
  const meant = files.length > 0 ? files : fullTests();
  const proof = { name: 'long properties', command: [...WORKING, ...meant], env: { TEST_TIER: tier } };
  return { ...proof, runner: 'vitest' } as const satisfies Proof;
}

/**
 * `npm test`, and with `full` everything that CI proves besides (docs/decisions/0007). What cannot be built or read ends
 * the run; everything else runs side by side, so that what waits leaves its time to what works, but for what counts seconds.
 */
export function testStages(full: boolean): readonly Stage[] {
  if (full) {
    const env = { TEST_TIER: 'full' };
    const screens: Proof = { ...BROWSER_PROOF, name: 'every screen in the browser', env };
    const matrices = (name: string, files: readonly string[]): Proof => ({
      ...QUICK_PROOF,
      ...{ name, command: [...vitest('processes'), ...files, PROCESSES_AT_ONCE], env },
    });
    return [
      [
        screens,
        matrices(
          'full matrices',
          fullTests().filter((file) => file !== STARTING),
        ),
        longProperties('full'),
        { ...matrices('processes killed by calls', [STARTING]), after: screens.name },
      ],
    ];
  }
  const env = { TEST_TIER: 'test' };
  const working: Proof = {
    ...QUICK_PROOF,
    name: 'quick, integration and property tests',
    command: WORKING,
    env,
  };
  const processes: Proof = {
    ...QUICK_PROOF,
    name: 'tests of processes and of waiting',
    command: [...vitest('processes'), PROCESSES_AT_ONCE],
    env,
  };
  return [
    [...STATIC_STAGE, { name: 'size budgets', command: [BIN.sizeLimit], runner: 'none' }],
    [
      { ...BROWSER_PROOF, command: [...BROWSER_PROOF.command, ...BESIDE_OTHERS], env },
      processes,
      working,
      {
        name: 'outside clients against the simulator',
        command: ['tests/clients/run.mjs'],
        runner: 'node',
        env,
        after: processes.name,
      },
    ],
    [{ ...FIRST_MINUTE_PROOF, env }],
  ];
}

/** The command and environment with which a proof writes its report to a file. */
export function withReport(proof: Proof, file: string): Pick<Required<Proof>, 'command' | 'env'> {
  const { command, env = {} } = proof;
  switch (proof.runner) {
    case 'vitest':
      return {
        command: [...command, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
        env,
      };
    case 'playwright':
      return {
        command: [...command, '--reporter=list,json'],
        env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
      };
    case 'node':
      return { command, env: { ...env, REPORT_FILE: file } };
    case 'none':
      return { command, env };
  }
}
