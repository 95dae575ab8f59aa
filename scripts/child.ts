import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How a process of the tree is started. */
export interface ChildPlan {
  readonly name: string;
  readonly script: string;
  /** Arguments of Node itself, such as `--watch`. */
  readonly nodeArgs?: readonly string[];
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Gets everything the process says besides its ready line. */
  readonly say: (text: string) => void;
}

/** A running process that has told us it is ready. */
export interface RunningChild<Ready> {
  readonly ready: Ready;
  readonly process: ChildProcess;
  /** Resolves with a sentence when the process has ended. */
  readonly ended: Promise<string>;
  /** Asks it to end, and ends it by force when it does not. */
  stop(): Promise<void>;
}

/** How long a process may take to end in order. */
const STOP_MILLIS_MAX = 15_000;

/**
 * Starts a process and waits for its ready line, one JSON object on standard output. The child ends by itself when our
 * end of its standard input closes, so nothing is left behind even when we are killed.
 * @throws Error when it ends before it is ready, with what it said last.
 */
export async function startChild<Ready>(plan: ChildPlan): Promise<RunningChild<Ready>> {
  const child = spawn(process.execPath, [...(plan.nodeArgs ?? []), plan.script, ...plan.args], {
    cwd: plan.cwd,
    env: plan.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C reaches the whole group of a terminal; the children wait for us to end them in order.
    detached: true,
  });
  child.stdin.on('error', () => undefined);
  const said: string[] = [];
  const hear = (text: string): void => {
    said.push(text);
    if (said.length > 40) said.shift();
    plan.say(text);
  };
  createInterface({ input: child.stderr }).on('line', hear);
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  const lines = createInterface({ input: child.stdout });
  const ready = new Promise<Ready>((resolve) => {
    lines.on('line', (line) => {
      const found = readyLine<Ready>(line);
      if (found === undefined) hear(line);
      else resolve(found);
    });
  });
  const failed = ended.then((how): never => {
    throw new Error(`${plan.name} did not start (${how}):\n${said.join('\n')}`);
  });
  // Once it is ready, its end is no longer a failed start.
  failed.catch(() => undefined);
  return {
    ready: await Promise.race([ready, failed]),
    process: child,
    ended,
    stop: () => stopChild(child, ended),
  };
}

function readyLine<Ready>(line: string): Ready | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(line);
    return typeof value.url === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const forced = setTimeout(() => child.kill('SIGKILL'), STOP_MILLIS_MAX);
  await ended;
  clearTimeout(forced);
}
