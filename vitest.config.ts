import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'packages/**/*.test.ts',
      'apps/**/*.test.ts',
      'scripts/**/*.test.ts',
      'tests/system/**/*.test.ts',
    ],
    // One real PostgreSQL for the run: tests ask `openTestDatabase()` for a fresh database on it.
    globalSetup: ['apps/server/src/storage/testing-setup.ts'],
    // Most of the long ones wait for fences and processes of their own: two at a time share two cores well.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
  },
});
