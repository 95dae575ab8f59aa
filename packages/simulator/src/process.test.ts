import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { memoryFolder } from '../../../tests/memory-folder.ts';
import { parseFlags } from './flags.ts';

const script = fileURLToPath(new URL('../../../scripts/simulator.mjs', import.meta.url));
const running = new Set<ChildProcess>();

afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  running.clear();
});

interface Run {
  readonly child: ChildProcess;
  readonly firstLine: Promise<string | undefined>;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

function run(args: readonly string[], env: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, ...env } });
  running.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (data) => {
    stdout += String(data);
  });
  child.stderr?.on('data', (data) => {
    stderr += String(data);
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> });
  const line = once(lines, 'line').then(([text]) => String(text));
  return { child, firstLine: Promise.race([line, ended.then(() => undefined)]), ended };
}

async function ready(started: Run): Promise<{ url: string; admin: string }> {
  const line = await started.firstLine;
  if (line === undefined) throw new Error((await started.ended).stderr);
  return JSON.parse(line);
}

describe('flags', () => {
  test('defaults and values', () => {
    expect(parseFlags([], {})).toEqual({
      ok: true,
      value: { port: 9100, seed: 1, data: undefined, supervised: false, limits: true, replay: undefined },
    });
    const given = ['--port=0', '--seed', '5', '--data', '/x', '--supervised'];
    const env = { SIM_REPLAY: 'a.csv', SIM_REPLAY_START: '2025-06-01', SIM_LIMITS: 'off' };
    expect(parseFlags(given, env)).toEqual({
      ok: true,
      value: {
        port: 0,
        seed: 5,
        data: '/x',
        supervised: true,
        limits: false,
        replay: { path: 'a.csv', startAt: '2025-06-01' },
      },
    });
  });

  test.each([
    [['--port', '70000'], {}, '--port must be a whole number from 0 to 65535; given was 70000'],
    [['--port'], {}, '--port must be a whole number from 0 to 65535; given was nothing'],
    [['--seed', '-1'], {}, '--seed must be a whole number from 0 to 2147483647; given was -1'],
    [['--data'], {}, '--data must name a directory; given was nothing'],
    [['--prot', '1'], {}, '--prot is no flag of the simulator'],
    [[], { SIM_LIMITS: 'maybe' }, 'SIM_LIMITS must be on or off; given was maybe'],
  ])('%o %o is refused with a sentence', (args, env, sentence) => {
    expect(parseFlags(args, env)).toEqual({ ok: false, code: sentence });
  });
});

describe('the process', () => {
  test('prints one JSON line when ready, and ends in order on SIGTERM', async () => {
    const started = run(['--port', '0', '--seed', '3']);
    const { url, admin } = await ready(started);
    expect((await fetch(`${url}/api/v3/ping`)).status).toBe(200);
    expect((await fetch(`${admin}/health`)).status).toBe(200);
    started.child.kill('SIGTERM');
    const { code, stdout } = await started.ended;
    expect(code).toBe(0);
    expect(stdout.trim().split('\n').length).toBe(1);
  }, 60_000);

  test('a supervised simulator ends when its starter is gone', async () => {
    const started = run(['--port', '0', '--supervised']);
    await ready(started);
    started.child.stdin?.end();
    expect((await started.ended).code).toBe(0);
  }, 60_000);

  test.each([
    ['a bad flag', ['--port', 'x'], {}, 2, '--port must be a whole number'],
    [
      'a recording that is not there',
      ['--port', '0'],
      { SIM_REPLAY: '/nowhere/BTCUSDT.csv' },
      1,
      'BTCUSDT.csv',
    ],
  ])(
    '%s ends it with a sentence and no JSON',
    async (...[, args, env, wanted, sentence]) => {
      const { code, stdout, stderr } = await run(args, env as Record<string, string>).ended;
      expect([code, stdout]).toEqual([wanted, '']);
      expect(stderr).toContain(sentence);
    },
    60_000,
  );

  test('a taken port ends it with a sentence', async () => {
    const first = run(['--port', '0']);
    const { port } = new URL((await ready(first)).url);
    const { code, stderr } = await run(['--port', port]).ended;
    expect(code).toBe(1);
    expect(stderr).toContain(`port ${port} is taken; choose another with --port`);
  }, 60_000);

  test('every venue keeps its own members: after kill -9 they, their keys and their funds are there again', async () => {
    const data = mkdtempSync(join(memoryFolder(), 'crossbook-sim-'));
    try {
      const post = async (base: string, call: string, body: object) =>
        (await fetch(`${base}/${call}`, { method: 'POST', body: JSON.stringify(body) })).json();
      const first = run(['--port', '0', '--data', data]);
      const before = await ready(first);
      for (const venue of ['okx', 'bybit']) {
        await post(before.admin, 'master', { venue });
        const credit = { label: 'master', asset: 'USDT', amount: '5', creditId: 'one', venue };
        expect(await post(before.admin, 'credit', credit)).toMatchObject({ applied: true });
      }
      first.child.kill('SIGKILL');
      await first.ended;
      const second = run(['--port', '0', '--data', data]);
      const after = await ready(second);
      for (const venue of ['okx', 'bybit']) {
        expect(await post(after.admin, 'balances', { label: 'master', venue })).toMatchObject({
          balances: [{ asset: 'USDT', free: '5', locked: '0' }],
        });
      }
      expect(await post(after.admin, 'balances', { label: 'master' })).toMatchObject({
        error: expect.any(String),
      });
      const files = readdirSync(data).sort();
      expect(files).toEqual(expect.arrayContaining(['bybit', 'exchange', 'market', 'okx']));
      second.child.kill('SIGTERM');
      expect((await second.ended).code).toBe(0);
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  }, 90_000);

  test('after kill -9 keys, balances and orders are there again', async () => {
    const data = mkdtempSync(join(memoryFolder(), 'crossbook-sim-'));
    try {
      const first = run(['--port', '0', '--data', data]);
      const before = await ready(first);
      const post = (base: string, call: string, body: object) =>
        fetch(`${base}/${call}`, { method: 'POST', body: JSON.stringify(body) }).then((answer) =>
          answer.json(),
        );
      await post(before.admin, 'keys', { label: 'keeper' });
      await post(before.admin, 'credit', { label: 'keeper', asset: 'USDT', amount: '77', creditId: 'one' });
      first.child.kill('SIGKILL');
      await first.ended;
      const second = run(['--port', '0', '--data', data]);
      const after = await ready(second);
      expect(await post(after.admin, 'balances', { label: 'keeper' })).toMatchObject({
        balances: [{ asset: 'USDT', free: '77', locked: '0' }],
      });
      const credit = { label: 'keeper', asset: 'USDT', amount: '77', creditId: 'one' };
      expect(await post(after.admin, 'credit', credit)).toMatchObject({ applied: false });
      second.child.kill('SIGTERM');
      await second.ended;
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  }, 90_000);
});
