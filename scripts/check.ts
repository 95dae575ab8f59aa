import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProofs } from './proofs/run-proofs.ts';
import { checkStages } from './proofs/stages.ts';

/** `npm run check`: style, fences, types, dead code and unit tests; what to run before every commit. */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const counts = await runProofs(root, checkStages(), process.env);
process.exitCode = counts.failed === 0 ? 0 : 1;
