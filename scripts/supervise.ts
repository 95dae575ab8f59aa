import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { type RunningChild, startChild } from './child.ts';
import { ensureWebBuilt } from './web-build.ts';

/**
 * The supervisor behind `npm start`: builds the interface when it is stale, starts the simulated venues and the server,
 * starts again what dies, and ends everything on Ctrl-C. PostgreSQL is started by the server, which owns its data.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const environment: Readonly<Record<string, string | undefined>> = { ...dotEnv(), ...process.env };
const dataDirectory = resolve(root, environment.DATA_DIR ?? '.data');
const runFile = join(dataDirectory, 'running.json');
/** The same for every start of the simulator, so that the server's admin address outlives its crashes. */
const simulatorToken = environment.SIM_ADMIN_TOKEN || randomBytes(24).toString('base64url');
/** A process that dies more often than this within the window is not started again. */
const RESTARTS_MAX = 5;
const RESTART_WINDOW_MILLIS = 60_000;

/** What `running.json` says of this start; rewritten whenever a process is started again. */
const running: { pid: number; url?: string; simulator?: number; server?: number } = { pid: process.pid };

interface SimulatorReady {
  readonly url: string;
  readonly admin: string;
}

interface ServerReady {
  readonly url: string;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function dotEnv(): Record<string, string | undefined> {
  const file = join(root, '.env');
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
}

/** Whether a process is a living supervisor: a process id may be a zombie's, or long since another program's. */
function isSupervisor(pid: number): boolean {
  const table = `/proc/${pid}`;
  if (existsSync('/proc/self/stat')) {
    try {
      const stat = readFileSync(`${table}/stat`, 'utf8');
      const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
      return state !== 'Z' && readFileSync(`${table}/cmdline`, 'utf8').includes('supervise.ts');
    } catch {
      return false;
    }
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}

/** The URL of a supervisor that is already running on this data directory. */
function runningUrl(): string | undefined {
  if (!existsSync(runFile)) return undefined;
  try {
    const { pid, url } = JSON.parse(readFileSync(runFile, 'utf8'));
    return typeof pid === 'number' && pid !== process.pid && isSupervisor(pid) ? String(url) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether any platform is simulated: the default with paper money. An empty variable counts as unset. */
function needsSimulator(): boolean {
  const usual = environment.MONEY === 'live' ? 'live' : 'simulator';
  return [1, 2, 3].some((platform) => (environment[`VENUE_${platform}_MODE`] || usual) === 'simulator');
}

function startSimulator(port: string): Promise<RunningChild<SimulatorReady>> {
  const flags = ['--port', port, '--seed', environment.SIM_SEED ?? '1'];
  const folder = join(dataDirectory, 'simulator');
  return startChild<SimulatorReady>({
    name: 'the simulated venues',
    script: join(root, 'packages/simulator/src/main.ts'),
    args: [...flags, '--data', folder, '--supervised'],
    cwd: root,
    env: { ...environment, SIM_ADMIN_TOKEN: simulatorToken },
    say: (text) => logTo('simulator.log', text),
  });
}

function startServer(
  simulator: SimulatorReady | undefined,
  port: string | undefined,
): Promise<RunningChild<ServerReady>> {
  const simulated =
    simulator === undefined ? {} : { SIMULATOR_URL: simulator.url, SIMULATOR_ADMIN: simulator.admin };
  return startChild<ServerReady>({
    name: 'the server',
    script: join(root, 'apps/server/src/main.ts'),
    args: ['--supervised'],
    cwd: root,
    env: {
      ...environment,
      ...simulated,
      ...(port === undefined ? {} : { PORT: port }),
      DATA_DIR: dataDirectory,
    },
    say: (text) => logTo('server.log', text),
  });
}

function logTo(file: string, text: string): void {
  writeFileSync(join(dataDirectory, file), `${text}\n`, { flag: 'a', mode: 0o600 });
  if (environment.VERBOSE === '1') process.stderr.write(`${text}\n`);
}

/** Writes down where everything is, once there is something to open. */
function writeRunning(): void {
  if (running.url !== undefined) writeFileSync(runFile, JSON.stringify(running), { mode: 0o600 });
}

/** Keeps a process running: starts it again when it dies, on the same port, so that the others find it again. */
function keep<Ready>(
  part: 'simulator' | 'server',
  first: RunningChild<Ready>,
  again: (ready: Ready) => Promise<RunningChild<Ready>>,
) {
  const name = `The ${part}`;
  let current = first;
  let stopping = false;
  const deaths: number[] = [];
  const watch = (child: RunningChild<Ready>): void => {
    const { pid } = child.process;
    if (pid !== undefined) running[part] = pid;
    writeRunning();
    void child.ended.then(async (how) => {
      if (stopping) return;
      const now = Date.now();
      deaths.push(now);
      while ((deaths[0] ?? now) < now - RESTART_WINDOW_MILLIS) deaths.shift();
      if (deaths.length > RESTARTS_MAX) {
        say(
          `${name} died ${deaths.length} times in a minute (${how}); see the logs in ${dataDirectory}. Stopping.`,
        );
        process.exitCode = 1;
        process.kill(process.pid, 'SIGTERM');
        return;
      }
      say(`${name} ended (${how}); starting it again`);
      try {
        current = await again(child.ready);
        if (stopping) await current.stop();
        else watch(current);
      } catch (error) {
        say(String((error as Error).message));
        process.exitCode = 1;
        process.kill(process.pid, 'SIGTERM');
      }
    });
  };
  watch(first);
  return {
    stop() {
      stopping = true;
      return current.stop();
    },
  };
}

function portOf(url: string): string {
  return new URL(url).port;
}

async function main(): Promise<void> {
  const there = runningUrl();
  if (there !== undefined) {
    say(`Crossbook is already running at ${byName(there)}`);
    return;
  }
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const started = performance.now();
  const parts: { stop(): Promise<void> }[] = [];
  let ending = false;
  const end = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    say('\nStopping ...');
    for (const part of parts.reverse()) await part.stop();
    rmSync(runFile, { force: true });
    process.exit(process.exitCode ?? 0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());

  let simulator: RunningChild<SimulatorReady> | undefined;
  const built = ensureWebBuilt(root, say);
  built.catch(() => undefined);
  if (needsSimulator()) {
    say('Starting the simulated venues ...');
    simulator = await startSimulator(environment.SIM_PORT ?? '0');
    parts.push(keep('simulator', simulator, (ready) => startSimulator(portOf(ready.url))));
  }
  // The server serves the build that is there when it starts: on data that exists it would be faster than a new one.
  await built;
  say('Starting the database and the server ...');
  const server = await startServer(simulator?.ready, environment.PORT);
  parts.push(keep('server', server, (ready) => startServer(simulator?.ready, portOf(ready.url))));
  running.url = server.ready.url;
  writeRunning();
  announce(server.ready.url, simulator !== undefined, (performance.now() - started) / 1_000);
}

/** The address as members open it: browsers have passkeys for a name, and none for a number. */
function byName(url: string): string {
  return url.replace('//127.0.0.1:', '//localhost:');
}

function announce(url: string, simulated: boolean, seconds: number): void {
  say('');
  say(`  Crossbook is ready after ${seconds.toFixed(1)} s:  ${byName(url)}`);
  say('');
  if (simulated) {
    say(
      '  Simulated: the exchanges (Binance, OKX, Bybit), their prices, order flow and all funds. Nothing is real money.',
    );
    say('  Codes and mails: the outbox page of the interface. Nothing calls out to the network.');
  }
  say(`  Data: ${dataDirectory}   Stop: Ctrl-C`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
  process.kill(process.pid, 'SIGTERM');
});
