import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { FULL } from './tests/property-runs.ts';

/** Debian's Chromium where the machine has one; `CHROMIUM_PATH` names another; else Playwright's own. */
const MACHINE_CHROMIUM = '/usr/bin/chromium';
const named = process.env.CHROMIUM_PATH;
const executablePath =
  named !== undefined && named !== '' ? named : existsSync(MACHINE_CHROMIUM) ? MACHINE_CHROMIUM : undefined;

/** Files that open the third exchange, which is another installation: one after the other, so that a worker changes it once. */
const THREE_EXCHANGES = [
  'conditional-contracts',
  'conditional',
  'contracts',
  'near-liquidation',
  'ten-tasks',
  'third-exchange',
].map((name) => `${name}.test.ts`);
/** Its flows are shared out one by one: at the end no worker waits for the other's last file. */
const SHARED_OUT = 'pages.test.ts';
/** Its bounds are seconds: `npm test` runs it when nothing else does (scripts/proofs/stages.ts). */
const ALONE = 'first-minute.test.ts';

// Every test stands on a real installation, one for each worker: before the full tier its two cores have a third worker's
// tests beside it. Flows whose title ends in @full are left to that tier, which takes no others: `npm test` has them. Limits are generous, because a busy machine is
// slow, not wrong. A flow that fails is tried once more and named as such at the end of the run (scripts/proofs/stages.ts): a
// claim that needs it is to be mended, but it does not hide what the other claims say.
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  workers: FULL ? 2 : 1,
  ...(FULL ? { grep: /@full$/ } : { grepInvert: /@full$/ }),
  retries: 1,
  fullyParallel: false,
  forbidOnly: true,
  // In this order: the longest files first.
  projects: [
    { name: 'three', testMatch: THREE_EXCHANGES },
    { name: 'two', testIgnore: [...THREE_EXCHANGES, SHARED_OUT, ALONE] },
    { name: 'pages', testMatch: SHARED_OUT },
    { name: 'alone', testMatch: ALONE },
  ],
  reporter: 'list',
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    headless: true,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    actionTimeout: 60_000,
    navigationTimeout: 90_000,
    // A trace of every step doubles the work of a flow: only the second try draws one.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
