import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ensureWebBuilt } from '../../scripts/web-build.ts';
import { memoryFolder } from '../memory-folder.ts';
import { until } from './hub-process.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const start = join(root, 'scripts/start.mjs');
const ORDINARY_USER = 65_534;

interface Run {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly ended: Promise<number | null>;
}

const runs: Run[] = [];
const folders: string[] = [];

function dataFolder(): string {
  const folder = mkdtempSync(join(memoryFolder(), 'crossbook start '));
  folders.push(folder);
  return folder;
}

function run(environment: Readonly<Record<string, string>>, user: { uid?: number; gid?: number } = {}): Run {
  const child = spawn(process.execPath, [start], {
    cwd: root,
    env: { ...process.env, PORT: '0', ADDRESS_LIMIT_FACTOR: '100', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      said += chunk;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
  const made = { child, said: () => said, ended };
  runs.push(made);
  return made;
}

async function readyUrl(started: Run): Promise<string> {
  const text = await until(
    async () => started.said(),
    (said) => /ready after .*http/.test(said),
    90_000,
  );
  return /ready after [^h]*(http:\S+)/.exec(text)?.[1] ?? '';
}

/** Every process below one, as the process table stands now. */
function descendants(pid: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^[0-9]+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It ended while we were looking.
    }
  }
  const found = [pid];
  for (const above of found) for (const [child, parent] of parents) if (parent === above) found.push(child);
  return found.slice(1);
}

function alive(pids: readonly number[]): readonly number[] {
  return pids.filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return !/^Z/.test(stat.slice(stat.lastIndexOf(')') + 2));
    } catch {
      return false;
    }
  });
}

const gone = (pids: readonly number[]) =>
  until(
    async () => alive(pids),
    (left) => left.length === 0,
    30_000,
  );

beforeAll(() => ensureWebBuilt(root, () => undefined));
afterEach(async () => {
  for (const started of runs.splice(0)) {
    started.child.kill('SIGINT');
    await started.ended;
  }
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('npm start', () => {
  test('says each step and one URL, and serves the interface there; a second start on the same data says where; after kill -9 a start works at once, and Ctrl-C leaves no process', async () => {
    const environment = { DATA_DIR: dataFolder() };
    const started = run(environment);
    const url = await readyUrl(started);
    expect(started.said()).toContain('Starting the simulated venues');
    expect(started.said()).toContain('Simulated: the exchange');
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<div id="root"');

    const second = run(environment);
    expect(await second.ended).toBe(0);
    expect(second.said()).toContain(`already running at ${url}`);

    const killed = descendants(started.child.pid ?? 0);
    for (const pid of [started.child.pid ?? 0, ...killed.slice(0, 1)]) process.kill(pid, 'SIGKILL');
    await gone(killed);
    const again = run(environment);
    await readyUrl(again);
    const pids = descendants(again.child.pid ?? 0);
    expect(pids.length).toBeGreaterThan(5);
    again.child.kill('SIGINT');
    expect(await again.ended).toBe(0);
    await gone(pids);
  });

  test('a taken port is named, with what to do', async () => {
    const taken: Server = createServer();
    await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
    const address = taken.address();
    const port = String(typeof address === 'object' && address !== null ? address.port : 0);
    const started = run({ DATA_DIR: dataFolder(), PORT: port });
    expect(await started.ended).toBe(1);
    expect(started.said()).toMatch(new RegExp(`PORT.*${port}|${port}.*PORT`));
    taken.close();
  });

  test('a wrong variable is named, with what was given and what is allowed', async () => {
    const started = run({ DATA_DIR: dataFolder(), MONEY: 'monopoly' });
    expect(await started.ended).toBe(1);
    expect(started.said()).toContain('MONEY is "monopoly"; allowed: paper or live');
  });

  test('works as an ordinary user', async (context) => {
    const readable = spawnSync(
      process.execPath,
      ['-e', `require('fs').readFileSync(${JSON.stringify(start)})`],
      {
        uid: ORDINARY_USER,
        gid: ORDINARY_USER,
      },
    );
    if (process.getuid?.() !== 0) context.skip('these tests run as an ordinary user already');
    if (readable.status !== 0) context.skip('an ordinary user may not read this checkout');
    const folder = dataFolder();
    chownSync(folder, ORDINARY_USER, ORDINARY_USER);
    const user = { uid: ORDINARY_USER, gid: ORDINARY_USER };
    const started = run({ DATA_DIR: join(folder, 'data'), HOME: folder }, user);
    const url = await readyUrl(started);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(existsSync(join(folder, 'data', 'postgres'))).toBe(true);
  });
});
