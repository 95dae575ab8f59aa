import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MATRICES } from '../scripts/proofs/stages.ts';
import type { Campaign } from './campaign.ts';

/** Every row of the tests that start and kill processes. */
export const matrices: Campaign = {
  about: 'Every crash point, call and attack at every exchange, of which `npm test` takes some.',
  async run(args) {
    const files = args.length > 0 ? args : MATRICES;
    const command = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'processes', ...files];
    const run = spawnSync(process.execPath, command, {
      cwd: dirname(dirname(fileURLToPath(import.meta.url))),
      stdio: 'inherit',
      env: { ...process.env, TEST_TIER: 'matrices' },
    });
    return run.status === 0;
  },
};
