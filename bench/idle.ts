import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunningChild, startChild } from '../scripts/child.ts';
import { type Bench, compared, type Figure, type Reporter } from './harness.ts';

const SETTLE_SECONDS = 10;
const MEASURED_SECONDS = 30;
/** Ticks of a second in which Linux counts the time of processes. */
const TICKS_PER_SECOND = 100;
/** What an idle start may take (issue 3): a quarter of one core. */
const ALLOWED_CORES = 0.25;

const root = dirname(dirname(fileURLToPath(import.meta.url)));

interface Ready {
  readonly url: string;
  readonly admin?: string;
}

interface Process {
  readonly parent: number;
  readonly ticks: number;
}

/** Every process of the machine: its parent, and the processor time that it and its ended children have used. */
function processes(): ReadonlyMap<number, Process> {
  const found = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // After the command in brackets: state, parent, …, utime (12th), stime, cutime, cstime.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
      found.set(Number(name), { parent: Number(fields[1]), ticks });
    } catch {
      // It has ended since the folder was read.
    }
  }
  return found;
}

/** Processor seconds of a process and everything below it. */
function secondsOf(pid: number, without: readonly number[] = []): number {
  const all = processes();
  const below = (id: number): number =>
    [...all].reduce(
      (sum, [child, { parent }]) => (parent === id && !without.includes(child) ? sum + below(child) : sum),
      all.get(id)?.ticks ?? 0,
    );
  return below(pid) / TICKS_PER_SECOND;
}

/** The processes that a process started. */
function childrenOf(pid: number): readonly number[] {
  return [...processes()].flatMap(([child, { parent }]) => (parent === pid ? [child] : []));
}

/** One open tab: follows what a trade page of BTC on platform 1 follows, and counts what it hears. */
async function openTab(url: string): Promise<{ readonly heard: Map<string, number>; close(): void }> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/live/1`);
  const heard = new Map<string, number>();
  socket.addEventListener('message', ({ data }) => {
    const text = String(data);
    const channel = text.startsWith('{') ? String(JSON.parse(text).ch ?? 'event') : text;
    heard.set(channel, (heard.get(channel) ?? 0) + 1);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('the live connection was refused')));
  });
  const s = 'BTCUSDT';
  const args = [
    { ch: 'book', s },
    { ch: 'trades', s },
    { ch: 'ticker', s },
    { ch: 'candle', s, i: '1m' },
  ];
  socket.send(JSON.stringify({ action: 'subscribe', args: [...args, { ch: 'bbo', s: 'BTC' }] }));
  const pings = setInterval(() => socket.send('ping'), 10_000);
  return {
    heard,
    close() {
      clearInterval(pings);
      socket.close();
    },
  };
}

function wait(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}

interface Tree {
  readonly simulator: RunningChild<Ready>;
  readonly server: RunningChild<Ready>;
}

async function startAll(folder: string): Promise<Tree> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, SIM_ADMIN_TOKEN: randomBytes(24).toString('base64url'), DATA_DIR: folder };
  const plan = { cwd: root, env, say: () => undefined };
  const simulator = await startChild<Ready>({
    ...{ ...plan, name: 'the simulated venues', script: join(root, 'packages/simulator/src/main.ts') },
    args: ['--port', '0', '--seed', '1', '--data', join(folder, 'simulator'), '--supervised'],
  });
  const { url, admin } = simulator.ready;
  const server = await startChild<Ready>({
    ...{ ...plan, name: 'the server', script: join(root, 'apps/server/src/main.ts') },
    args: ['--supervised', '--no-env-file'],
    env: { ...env, PORT: '0', SIMULATOR_URL: url, SIMULATOR_ADMIN: admin },
  });
  return { simulator, server };
}

async function measure(tree: Tree, report: Reporter): Promise<readonly Figure[]> {
  const simulator = tree.simulator.process.pid ?? 0;
  const server = tree.server.process.pid ?? 0;
  // The server starts its database: that is all that stands below it.
  const databases = childrenOf(server);
  const parts: Readonly<Record<string, () => number>> = {
    simulator: () => secondsOf(simulator),
    server: () => secondsOf(server, databases),
    PostgreSQL: () => databases.reduce((sum, pid) => sum + secondsOf(pid), 0),
  };
  const read = () => new Map(Object.entries(parts).map(([name, seconds]) => [name, seconds()]));
  const tab = await openTab(tree.server.ready.url);
  report(`one tab is open; ${SETTLE_SECONDS} s to settle, ${MEASURED_SECONDS} s measured`);
  await wait(SETTLE_SECONDS);
  tab.heard.clear();
  const before = read();
  await wait(MEASURED_SECONDS);
  const after = read();
  const heard = [...tab.heard].map(([channel, count]) => `${channel} ${count}`).join(', ');
  report(`the tab heard: ${heard}`);
  tab.close();
  const cores = [...after].map(
    ([name, seconds]) => [name, (seconds - (before.get(name) ?? 0)) / MEASURED_SECONDS] as const,
  );
  const figure = (name: string, value: number): Figure =>
    compared({ figure: name, value, unit: 'cores' }, 'a quarter of a core', ALLOWED_CORES);
  const all = cores.reduce((sum, [, value]) => sum + value, 0);
  return [...cores.map(([name, value]) => figure(name, value)), figure('all processes together', all)];
}

/** What the default start takes of the processor while nobody does anything but look. */
export const bench: Bench = {
  about: 'Processor time of simulator, server and database with every market listed and one tab open.',
  async run(report) {
    if (!existsSync('/proc/self/stat')) throw new Error('this bench reads /proc, which only Linux has');
    const folder = mkdtempSync(join(tmpdir(), 'crossbook-idle-'));
    let tree: Tree | undefined;
    try {
      tree = await startAll(folder);
      return await measure(tree, report);
    } finally {
      await tree?.server.stop();
      await tree?.simulator.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
