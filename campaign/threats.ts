import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesWithAttacks } from '../scripts/proofs/stages.ts';
import type { Campaign } from './campaign.ts';

/** The attacks of docs/threats.md whose full size takes minutes. */
export const threats: Campaign = {
  about: 'Attacks in the size that the table of threats has, of which `npm test` tries a few.',
  async run(args) {
    const files = args.length > 0 ? args : filesWithAttacks();
    const run = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...files], {
      cwd: dirname(dirname(fileURLToPath(import.meta.url))),
      stdio: 'inherit',
      env: { ...process.env, TEST_TIER: 'threats' },
    });
    return run.status === 0;
  },
};
