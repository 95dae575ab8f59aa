import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Campaign } from './campaign.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const TEST = 'apps/server/src/storage/stores/hot-statements.fuzz.test.ts';

/** What statements of a request read of tables as a large hub has them. */
export const hotStatements: Campaign = {
  about: 'What every statement of a request reads, with a million orders and five million fills.',
  async run() {
    const run = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', TEST], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, TEST_TIER: 'campaign' },
    });
    return run.status === 0;
  },
};
