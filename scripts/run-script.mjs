// Runs a TypeScript script of ours on the project's Node: node scripts/run-script.mjs scripts/dev.ts [args]
import { ensureInstalled, ROOT, runOnProjectNode } from './bootstrap.mjs';

const [script = '', ...args] = process.argv.slice(2);
ensureInstalled(ROOT, 'dependencies');
runOnProjectNode(script, args);
