import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const START_MILLIS_MAX = 60_000;

/** Starts a simulator on a free port as a child; it ends when this process does. */
export async function startSimulator(args = [], env = {}) {
  const command = ['scripts/simulator.mjs', '--port', '0', '--supervised', ...args];
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let progress = '';
  child.stderr.on('data', (data) => {
    progress += data;
  });
  const deadline = setTimeout(() => child.kill('SIGKILL'), START_MILLIS_MAX);
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), once(child, 'exit')]);
  clearTimeout(deadline);
  if (typeof first[0] !== 'string') throw new Error(`the simulator did not start:\n${progress}`);
  const { url, admin } = JSON.parse(first[0]);
  return {
    url,
    admin: (method, call, body) => askAdmin(`${admin}/${call}`, method, body),
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
      return child.exitCode;
    },
  };
}

async function askAdmin(address, method, body) {
  const response = await fetch(address, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${address}: ${JSON.stringify(answer)}`);
  return answer;
}

/**
 * Waits for a condition, looking again as long as it takes within the bound: seldom enough that a fast machine stays below
 * every limit of calls in a second, of which some are ten.
 */
export async function until(what, condition, millisMax = 60_000) {
  const end = Date.now() + millisMax;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`did not happen in ${millisMax} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}
