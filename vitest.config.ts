import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { THREATS } from './tests/attack-sizes.ts';
import { FULL } from './tests/property-runs.ts';

/** What starts processes of its own or waits for real time: left to `npm test`, where the browser runs beside it. */
const PROCESSES = [
  'tests/system/**/*.test.ts',
  'tests/hostile/**/*.test.ts',
  'apps/server/src/main.test.ts',
  'apps/server/src/main/**/*.test.ts',
  'apps/server/src/storage/{postgres,ledger}/{embedded-postgres,kept-postgres,database-tls,ledger-crash}.test.ts',
  'apps/server/src/storage/open-storage.test.ts',
  'packages/simulator/src/process.test.ts',
  'packages/simulator/src/journal/{kill,contract-kill,waiting-kill,full-disk}.test.ts',
];

/** What asks for a real PostgreSQL: whatever imports a way to one. */
const ON_DATABASE = globSync('apps/server/src/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  /from '[^']*\/(?:testing|[a-z]+-world\.fixture)\.ts'/.test(
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  ),
);

/** That, and what takes seconds: left to `npm test`. */
const INTEGRATION = [
  ...ON_DATABASE,
  'apps/server/src/accounts/factors/passwords.test.ts',
  'packages/simulator/src/{replay-wire,perps/downtime}.test.ts',
  'packages/simulator/src/market/{agents,fair-price,perp-stats,replay}.test.ts',
  'scripts/recording/replay.test.ts',
];

/** Properties with many runs, and markets that are played for days: left to `npm test` as well. */
const LONG = [
  '{packages,apps,scripts}/**/*.fuzz.test.ts',
  'packages/simulator/src/market/{candles,crowd}.test.ts',
];

/** Modules of the browser keep its state; each test begins with a page that was just opened. */
const PAGE = ['apps/web/src/{stores,screens,wire}/**/*.test.ts'];

/** One real PostgreSQL for the run: tests ask `openTestDatabase()` for a fresh database on it. */
const DATABASE = ['apps/server/src/storage/testing-setup.ts'];

/**
 * What tests of processes are tried once more for: a wait that ran out on a busy machine. A figure, an answer or a code that
 * is wrong fails at once (docs/decisions/0018).
 */
const RAN_OUT = /^(?:Test timed out in \d+ms|Hook timed out in \d+ms|still )/;

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...PROCESSES, ...LONG, ...INTEGRATION, ...PAGE],
          // These leave nothing behind: what they import is loaded once for all that one worker runs.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'page', include: PAGE } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: INTEGRATION,
          exclude: [...PROCESSES, ...LONG],
          globalSetup: DATABASE,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: LONG,
          testTimeout: THREATS ? 3_600_000 : 900_000,
          globalSetup: DATABASE,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: PROCESSES,
          globalSetup: DATABASE,
          isolate: false,
          retry: { count: 1, condition: RAN_OUT },
        },
      },
    ],
    setupFiles: ['tests/property-seed.ts'],
    // Most of the long ones wait for deadlines and processes of their own: two at a time share two cores well.
    maxWorkers: 2,
    // In the full tier a property has ten times as many runs, in the campaign an attack a thousand times.
    testTimeout: THREATS ? 3_600_000 : FULL ? 900_000 : 180_000,
    hookTimeout: 120_000,
    // A busy machine is slow, not wrong.
    expect: { poll: { timeout: 30_000 } },
    teardownTimeout: 60_000,
  },
});
