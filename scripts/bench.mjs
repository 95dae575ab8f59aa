// `npm run bench -- <name> [--json]`: runs bench/<name>.ts on the project's Node; peers have packages of their own. Dependency-free.
import { join } from 'node:path';
import { ensureInstalled, ROOT, runOnProjectNode } from './bootstrap.mjs';

/** Benches that are held against what others wrote. */
const WITH_PEERS = new Set(['matching']);

const args = process.argv.slice(2);
ensureInstalled(ROOT, 'dependencies');
if (args.some((word) => WITH_PEERS.has(word)))
  ensureInstalled(join(ROOT, 'bench'), 'what figures are held against');
runOnProjectNode('bench/run.ts', args);
