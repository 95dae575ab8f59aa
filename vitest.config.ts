import { defineConfig } from 'vitest/config';

/** What starts processes of its own or waits for real time: left to `npm test`, where the browser runs beside it. */
const PROCESSES = [
  'tests/system/**/*.test.ts',
  'tests/hostile/**/*.test.ts',
  'apps/server/src/main.test.ts',
  'apps/server/src/main/**/*.test.ts',
  'apps/server/src/storage/{postgres,ledger}/{embedded-postgres,kept-postgres,ledger-crash}.test.ts',
  'apps/server/src/storage/open-storage.test.ts',
  'packages/simulator/src/process.test.ts',
  'packages/simulator/src/journal/{kill,full-disk}.test.ts',
];

/** Properties with many runs, and markets that are played for days: left to `npm test` as well. */
const LONG = [
  '{packages,apps,scripts}/**/*.fuzz.test.ts',
  'packages/simulator/src/market/{candles,crowd}.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...PROCESSES, ...LONG],
        },
      },
      // The full tier plays twenty times as many stories.
      { extends: true, test: { name: 'long', include: LONG, testTimeout: 300_000 } },
      { extends: true, test: { name: 'processes', include: PROCESSES } },
    ],
    // One real PostgreSQL for the run: tests ask `openTestDatabase()` for a fresh database on it.
    globalSetup: ['apps/server/src/storage/testing-setup.ts'],
    // Most of the long ones wait for deadlines and processes of their own: two at a time share two cores well.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
  },
});
