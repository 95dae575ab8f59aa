// `npm run bench -- <name> [--json]`: runs bench/<name>.ts on the project's Node. Dependency-free.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pinned = join(root, 'node_modules', '.bin', 'node');
const program = existsSync(pinned) ? pinned : process.execPath;
const run = spawnSync(program, [join(root, 'bench', 'run.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
