import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Campaign } from './campaign.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const TEST = 'apps/server/src/storage/stores/hot-statements.fuzz.test.ts';

/** Figures and plans of the last run. */
const REPORT = join(root, 'docs/hot-statements.md');
const HEAD = `# Hot statements

What every statement of a request reads at a million orders and five million fills: rows of each table, and the generic
plan. Written by \`npm run campaign -- hot-statements\`.

`;

/** What statements of a request read of tables as a large hub has them. */
export const hotStatements: Campaign = {
  about: 'What every statement of a request reads, with a million orders and five million fills.',
  async run() {
    writeFileSync(REPORT, HEAD);
    const run = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', TEST], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, TEST_TIER: 'campaign', HOT_STATEMENTS_REPORT: REPORT },
    });
    return run.status === 0;
  },
};
