// npm start: installs what is missing, builds what is stale, starts everything, prints one URL.
import { ensureInstalled, ROOT, runOnProjectNode } from './bootstrap.mjs';

ensureInstalled(ROOT, 'dependencies');
runOnProjectNode('scripts/supervise.ts', process.argv.slice(2));
