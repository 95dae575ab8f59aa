import { globSync, readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type RegisteredTest, takeRegistered } from './test-words.ts';

/**
 * The test runner that the mutation tester drives: one warm process that imports the tests beside a mutant anew each time
 * and stops at the first that fails. vitest begins a thread for every file of every mutant, which took 0.8 s each.
 */

/** Which tests a run has, as {@link TESTS_VARIABLE} tells the processes that the mutation tester starts. */
export interface WarmTests {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly setup: string;
}

/** Environment variable with the {@link WarmTests} as JSON. */
export const TESTS_VARIABLE = 'CROSSBOOK_MUTATION_TESTS';

/** How often, and how often in a row, a test that waits is seen to wait for nothing. */
const IDLE_CHECK_MILLIS = 20;
const IDLE_CHECKS_MAX = 3;

/** What the mutation tester counts by; its names. */
interface Switch {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: unknown;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

interface MutantRun {
  readonly activeMutant: { readonly id: string; readonly fileName: string };
  readonly mutantActivation: 'static' | 'runtime';
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
}

/** A test, by the name that the mutation tester knows it by. */
interface KnownTest extends RegisteredTest {
  readonly id: string;
}

const BESIDE = import.meta.resolve('./test-words.ts');

/** Counts imports: a module of the project is loaded once in each, so that nothing is left of the mutant before. */
let generation = 0;
/** Failures outside a test's own promise, say of a timer. */
const loose: unknown[] = [];

function loadAnew(project: string): void {
  const sources = new Map<string, string>();
  registerHooks({
    resolve(specifier, context, next) {
      const ours = context.parentURL?.startsWith(project) === true;
      if (specifier === 'vitest' && ours) return { url: BESIDE, shortCircuit: true };
      const found = next(specifier, context);
      if (!found.url.startsWith(project) || found.url.includes('/node_modules/')) return found;
      return { ...found, url: `${found.url.split('?')[0]}?${generation}` };
    },
    load(url, context, next) {
      const [file = url] = url.split('?');
      if (!url.startsWith(project) || !file.endsWith('.ts')) return next(url, context);
      const source = sources.get(file) ?? stripTypeScriptTypes(readFileSync(fileURLToPath(file), 'utf8'));
      sources.set(file, source);
      return { format: 'module', source, shortCircuit: true };
    },
  });
}

async function testsOf(files: readonly string[]): Promise<readonly KnownTest[]> {
  generation += 1;
  const known: KnownTest[] = [];
  for (const file of files) {
    await import(`${pathToFileURL(join(process.cwd(), file))}?${generation}`);
    known.push(...takeRegistered().map((test, at) => ({ ...test, id: `${file}#${at}` })));
  }
  return known;
}

/** @returns why the test fails; `undefined` where it holds. */
async function failureOf(test: RegisteredTest): Promise<unknown> {
  const watch = new AbortController();
  try {
    await Promise.race([test.run(), endless(watch.signal)]);
    return loose.shift();
  } catch (error) {
    return error ?? new Error('thrown');
  } finally {
    watch.abort();
  }
}

/** What the process holds open besides its tests, counted once. */
let ownResources = 0;

/**
 * Rejects when a test can never end: it waits, and nothing is open that could wake it. The mutation tester's own limit is
 * left for loops and for what waits for sockets.
 */
async function endless(over: AbortSignal): Promise<never> {
  for (let idle = 0; idle < IDLE_CHECKS_MAX; ) {
    await new Promise((resolve) => setTimeout(resolve, IDLE_CHECK_MILLIS));
    if (over.aborted) break;
    idle = process.getActiveResourcesInfo().length <= ownResources ? idle + 1 : 0;
  }
  throw new Error('waits for nothing');
}

function warmRunner() {
  const { include, exclude, setup }: WarmTests = JSON.parse(process.env[TESTS_VARIABLE] ?? '');
  const files = globSync([...include], { exclude: [...exclude] }).sort();
  const ns: Switch = {};
  Object.assign(globalThis, { __stryker__: ns });

  return {
    capabilities: () => ({ reloadEnvironment: true }),
    async init() {
      loadAnew(`${pathToFileURL(process.cwd())}/`);
      process.on('unhandledRejection', (error) => loose.push(error));
      process.on('uncaughtException', (error) => loose.push(error));
      await import(`${pathToFileURL(join(process.cwd(), setup))}`);
      const lasting = process.getActiveResourcesInfo().filter((kind) => kind !== 'Timeout');
      ownResources = lasting.length;
    },
    async dryRun() {
      ns.mutantCoverage = { static: {}, perTest: {} };
      const tests = [];
      for (const test of await testsOf(files)) {
        ns.currentTestId = test.id;
        const began = performance.now();
        const failure = await failureOf(test);
        ns.currentTestId = undefined;
        const told = { id: test.id, name: `${test.id} ${test.name}`, timeSpentMs: performance.now() - began };
        tests.push(
          failure === undefined
            ? { ...told, status: 0 }
            : { ...told, status: 1, failureMessage: String(failure) },
        );
      }
      return { status: 'complete', tests, mutantCoverage: ns.mutantCoverage };
    },
    async mutantRun({ activeMutant, mutantActivation, testFilter, hitLimit }: MutantRun) {
      const asked = testFilter === undefined ? undefined : new Set(testFilter);
      const chosen = files.filter((file) => testFilter?.some((id) => id.startsWith(`${file}#`)) !== false);
      const stem = basename(activeMutant.fileName, '.ts');
      const beside = (file: string) => Number(!basename(file).startsWith(`${stem}.`));
      chosen.sort((left, right) => beside(left) - beside(right));
      loose.length = 0;
      Object.assign(ns, { hitCount: hitLimit === undefined ? undefined : 0, hitLimit });
      ns.activeMutant = mutantActivation === 'static' ? activeMutant.id : undefined;
      let tested = 0;
      try {
        const tests = await testsOf(chosen);
        ns.activeMutant = activeMutant.id;
        for (const test of tests) {
          if (asked?.has(test.id) === false) continue;
          tested += 1;
          const failure = await failureOf(test);
          if (isLooping(ns)) return { status: 'timeout', reason: 'a loop does not end' };
          if (failure !== undefined) return killed(test.id, failure, tested);
        }
      } catch (error) {
        takeRegistered();
        return isLooping(ns)
          ? { status: 'timeout', reason: 'a loop does not end' }
          : killed('import', error, 1);
      } finally {
        ns.activeMutant = undefined;
      }
      return { status: 'survived', nrOfTests: tested };
    },
  };
}

function isLooping({ hitCount, hitLimit }: Switch): boolean {
  return hitCount !== undefined && hitLimit !== undefined && hitCount > hitLimit;
}

function killed(id: string, failure: unknown, nrOfTests: number) {
  return { status: 'killed', killedBy: [id], failureMessage: String(failure), nrOfTests };
}

/** What the mutation tester asks of a plug-in. */
export const strykerPlugins = [{ kind: 'TestRunner', name: 'warm', factory: warmRunner }];
