import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBrowser } from './proofs/browser.ts';
import { runProofs } from './proofs/run-proofs.ts';
import { testStages } from './proofs/stages.ts';
import { ensureWebBuilt } from './web-build.ts';

/** The part of `npm test` that runs on the project's Node: browser, bundle, then every proof of the tier. */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const say = (text: string) => process.stdout.write(`${text}\n`);

const chromium = ensureBrowser(root, say);
await ensureWebBuilt(root, say);
const env = { ...process.env, ...(chromium === undefined ? {} : { CHROMIUM_PATH: chromium }) };
const counts = await runProofs(root, testStages(process.argv.includes('--full')), env);
process.exitCode = counts.failed === 0 ? 0 : 1;
