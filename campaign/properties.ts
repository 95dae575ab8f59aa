import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { longProperties } from '../scripts/proofs/stages.ts';
import type { Campaign } from './campaign.ts';

/** Volume of random runs. */
export const properties: Campaign = {
  about:
    'Ten times the random runs of the full tier; PROPERTY_SEED begins elsewhere where a property names no seed.',
  async run(args) {
    const { command, env } = longProperties('properties', args);
    const run = spawnSync(process.execPath, command, {
      cwd: dirname(dirname(fileURLToPath(import.meta.url))),
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    return run.status === 0;
  },
};
