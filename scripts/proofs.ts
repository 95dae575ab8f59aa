/** One proof: a command, and how its claims are counted. */
export interface Proof {
  readonly name: string;
  /** Arguments for the project's Node. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Which runner writes the report; a command without tests counts as one claim. */
  readonly runner: Runner;
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

/** Style and boundaries, types, dead code: what `npm run check` adds the quick tests to. */
const STATIC_STAGE: Stage = [
  { name: 'style and import fences', command: [BIN.biome, 'check', '.'] },
  { name: 'types (server side)', command: types('tsconfig.node.json') },
  { name: 'types (browser side)', command: types('apps/web/tsconfig.json') },
  { name: 'types (browser tests)', command: types('tests/e2e/tsconfig.json') },
  { name: 'dead code', command: [BIN.knip, '--treat-config-hints-as-errors'] },
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

const BROWSER_PROOF: Proof = {
  name: 'flows in the browser',
  command: [BIN.playwright, 'test'],
  runner: 'playwright',
};

/** The fast tier. What needs a database, processes or many seconds is left to `npm test` (vitest.config.ts). */
export function checkStages(): readonly Stage[] {
  return [STATIC_STAGE, [QUICK_PROOF]];
}

/**
 * `npm test`, and with `full` everything that CI proves (docs/decisions/0007). What mostly waits for processes of its
 * own runs beside what works: two suites that work would take each other's time on two cores.
 */
export function testStages(full: boolean): readonly Stage[] {
  if (full) {
    const env = { TEST_TIER: 'full' };
    const command = [BIN.vitest, 'run', '.fuzz.'];
    return [
      [
        { ...QUICK_PROOF, name: 'long properties', command, env },
        { ...BROWSER_PROOF, name: 'every screen in the browser', env },
      ],
    ];
  }
  const env = { TEST_TIER: 'test' };
  const clients: Proof = {
    name: 'outside clients against the simulator',
    command: ['tests/clients/run.mjs'],
    runner: 'node',
    env,
  };
  const working = vitest('unit', 'page', 'integration', 'long');
  const processes = vitest('processes');
  return [
    [...STATIC_STAGE, { name: 'size budgets', command: [BIN.sizeLimit], runner: 'none' }],
    [{ ...QUICK_PROOF, name: 'quick, integration and property tests', command: working, env }, clients],
    [
      { ...QUICK_PROOF, name: 'tests of processes and of waiting', command: processes, env },
      { ...BROWSER_PROOF, env },
    ],
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
