import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from './child.ts';

/**
 * `npm run dev`: the simulated venues with a fixed seed, the server restarted on every change of its files, and the
 * interface with hot reload. Data of its own below `.data/dev`, so that `npm start` is left alone.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const data = resolve(root, process.env.DATA_DIR ?? '.data/dev');
const say = (text: string) => process.stdout.write(`${text}\n`);
mkdirSync(data, { recursive: true, mode: 0o700 });

const simulator = await startChild<{ readonly url: string; readonly admin: string }>({
  name: 'the simulated venues',
  script: join(root, 'packages/simulator/src/main.ts'),
  args: [
    '--port',
    '0',
    '--seed',
    process.env.SIM_SEED ?? '1',
    '--data',
    join(data, 'simulator'),
    '--supervised',
  ],
  cwd: root,
  env: process.env,
  say,
});

const server = await startChild<{ readonly url: string }>({
  name: 'the server',
  nodeArgs: ['--watch', '--watch-preserve-output'],
  script: join(root, 'apps/server/src/main.ts'),
  args: ['--supervised'],
  cwd: root,
  env: {
    ...process.env,
    ...{ DATA_DIR: data, PORT: process.env.PORT ?? '3100', LOG_LEVEL: process.env.LOG_LEVEL ?? 'debug' },
    ...{ SIMULATOR_URL: simulator.ready.url, SIMULATOR_ADMIN: simulator.ready.admin },
  },
  say,
});

const web = spawn(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), '--host', '127.0.0.1'], {
  cwd: join(root, 'apps/web'),
  env: { ...process.env, SERVER_URL: server.ready.url },
  stdio: 'inherit',
});

let ending = false;
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  web.kill('SIGTERM');
  await server.stop();
  await simulator.stop();
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end());
web.on('exit', () => void end());
