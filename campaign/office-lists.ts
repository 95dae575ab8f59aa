import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Campaign } from './campaign.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const TEST = 'apps/server/src/storage/stores/office/office-lists.test.ts';
/** Times and rows read of the last run. */
const REPORT = join(root, 'docs/office-lists.md');
const ROWS = 1_000_000;

/** The lists of the back office with as many rows as a large hub has of everything. */
export const officeLists: Campaign = {
  about:
    'What every list of the back office reads, and how long a page takes, with a million rows in each table.',
  async run() {
    writeFileSync(
      REPORT,
      `# Lists of the back office

A page of 50 of each list that grows with the hub, with ${ROWS.toLocaleString('en')} rows in its table: the call as the desk answers it, 200 pages that
begin anywhere, one after another. Rows read are those of that table, at most. Written by \`npm run campaign -- office-lists\`; what is claimed
of every commit is that a page is read by an index, and no more than its rows and one
([office-lists.test.ts](../${TEST})).

| List | p50 ms | p99 ms | Rows read |
|---|---|---|---|
`,
    );
    const run = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', TEST], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, OFFICE_ROWS: String(ROWS), OFFICE_REPORT: REPORT },
    });
    return run.status === 0;
  },
};
