// npm test and npm run test:full: set-up of their own (a browser and the outside clients included), then every proof.
import { join } from 'node:path';
import { ensureInstalled, ROOT, runOnProjectNode } from './bootstrap.mjs';

ensureInstalled(ROOT, 'dependencies');
ensureInstalled(join(ROOT, 'tests', 'clients'), 'outside clients for the conformance tests');
runOnProjectNode('scripts/test-run.ts', process.argv.slice(2));
