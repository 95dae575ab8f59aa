// `npm run campaign -- <name> [args]`: proofs that take minutes to hours, with packages of their own. Dependency-free.
import { join } from 'node:path';
import { ensureInstalled, ROOT, runOnProjectNode } from './bootstrap.mjs';

ensureInstalled(ROOT, 'dependencies');
ensureInstalled(join(ROOT, 'campaign'), 'what campaigns need');
runOnProjectNode('campaign/run.ts', process.argv.slice(2));
