import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningChild, startChild } from '../../../../../scripts/child.ts';
import { memoryFolder } from '../../../../../tests/memory-folder.ts';
import { FULL } from '../../../../../tests/property-runs.ts';
import { holdMasterKey, knownKeys } from '../../storage/stores/keys/master-keys.ts';
import { masterKeyName } from '../../storage/stores/seal.ts';
import { openTestDatabase } from '../../storage/testing.ts';
import { TEST_PASSWORD, TestBrowser } from '../testing.ts';

/** `npm run rotate-key` beside the real server on its own PostgreSQL: two processes, one of which is killed. */

const root = join(import.meta.dirname, '../../../../..');
const EMAIL = 'ada@example.org';
let folder: string;
let data: string;
beforeAll(() => {
  folder = mkdtempSync(join(memoryFolder(), 'crossbook keys '));
  data = join(folder, 'data');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = () => ({
  ...{ PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, DATA_DIR: data },
  ...{ PORT: '0', SIMULATOR_URL: 'http://127.0.0.1:9', CAPTCHA_WORK_MAX: '100', DATABASE_URL: '' },
  NEW_DEVICE_CODE: '0',
});

type Hub = RunningChild<{ readonly url: string }>;

function startHub(): Promise<Hub> {
  const script = join(root, 'apps/server/src/main.ts');
  const args = ['--supervised', '--no-env-file'];
  return startChild({ name: 'hub', script, args, cwd: root, env: environment(), say: () => undefined });
}

/** How a command of package.json ends: its code or signal, and what it says. */
async function run(
  name: string,
  words: readonly string[],
  crashAt = '',
  more: Readonly<Record<string, string>> = {},
) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // Not by way of npm: the signal must reach the command itself.
  const script = String(scripts[name]).split(' ').at(-1) ?? '';
  const env = { ...environment(), APP_ENV: 'test', CRASH_AT: crashAt, ...more };
  const child = spawn(process.execPath, [script, ...words], { cwd: root, env });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { ended: signal ?? code, said: (await said).join('') };
}

const rotate = (crashAt?: string) => run('rotate-key', ['--reason', 'the yearly change'], crashAt);
const keyIn = (name: string) => readFileSync(join(data, name), 'utf8');

test('the key is changed though it is killed on the way; meanwhile no hub starts, and while one runs nothing begins', {
  timeout: 240_000,
}, async () => {
  expect((await run('rotate-key', [])).ended).toBe(2);
  expect(await rotate()).toMatchObject({ ended: 1, said: expect.stringMatching(/there is no database/) });
  let hub = await startHub();
  const browser = new TestBrowser(hub.ready.url);
  const flow = await browser.flowFor(EMAIL);
  const made = await browser.call('user/usernew', {
    email: EMAIL,
    flow,
    password: TEST_PASSWORD,
    agree: 'true',
  });
  expect(made.code).toBe(1);
  expect(await rotate()).toMatchObject({ ended: 1, said: expect.stringMatching(/^refused: /) });
  await hub.stop();

  const old = keyIn('master.key');
  if (FULL) {
    // Before anything is written: a hub may still start.
    expect((await rotate('both keys are there')).ended).toBe('SIGKILL');
    expect(keyIn('master.key')).toBe(old);
    await (await startHub()).stop();
  }
  expect((await rotate('begun')).ended).toBe('SIGKILL');
  const next = keyIn('master.key.next');
  await expect(startHub()).rejects.toThrow(/has begun and not ended: npm run rotate-key/);
  // The database has changed over, and the file has not.
  expect((await rotate('ended')).ended).toBe('SIGKILL');
  expect(keyIn('master.key')).toBe(old);
  await expect(startHub()).rejects.toThrow(/is sealed under the master key/);
  expect((await rotate(FULL ? 'key in place' : 'none')).ended).toBe(FULL ? 'SIGKILL' : 0);
  expect(keyIn('master.key')).toBe(next);
  const [retired = 'none'] = readdirSync(data).filter((name) => name.startsWith('master.key.retired-'));
  expect(keyIn(retired)).toBe(old);
  expect(existsSync(join(data, 'master.key.next'))).toBe(false);

  hub = await startHub();
  const again = new TestBrowser(hub.ready.url);
  expect((await again.logIn(EMAIL)).code).toBe(1);
  // A session of before has a token of the old key.
  const { cookie, stoken } = browser;
  const before = Object.assign(new TestBrowser(hub.ready.url), { cookie, stoken });
  expect((await before.call('security/userinfo', {})).code).toBe(-2);
  const verified = await run('audit', ['verify']);
  expect(verified, verified.said).toMatchObject({ ended: 0, said: expect.stringMatching(/is intact/) });
  await hub.stop();
});

test('a key of the environment is changed in a database of the operator, beside no hub', async () => {
  const database = await openTestDatabase();
  const { host, user = '', database: name, port = 5432 } = database.ownerAddress;
  const [first, second] = ['a1', 'b2'].map((two) => two.repeat(32)) as [string, string];
  const given = {
    DATABASE_URL: `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    HUB_MASTER_KEY: first,
  };
  const change = (more: Readonly<Record<string, string>>) =>
    run('rotate-key', ['--reason', 'the yearly change'], '', { ...given, ...more });
  try {
    expect((await change({})).said).toMatch(/^refused: .*HUB_MASTER_KEY_NEXT/);
    const next = { HUB_MASTER_KEY_NEXT: second };
    const hub = await holdMasterKey(database.ownerAddress, 'shared');
    expect(await change(next)).toMatchObject({ ended: 1, said: expect.stringMatching(/a hub runs/) });
    await hub?.release();
    const changed = await change(next);
    expect(changed, changed.said).toMatchObject({
      ended: 0,
      said: expect.stringMatching(/put what HUB_MASTER_KEY_NEXT says in HUB_MASTER_KEY/),
    });
    expect(changed.said).not.toMatch(new RegExp(`${first}|${second}`));
    expect(await knownKeys(database.owner)).toEqual(
      [first, second].map((key, place) => ({
        name: masterKeyName(Buffer.from(key, 'hex')),
        state: place === 0 ? 'retired' : 'current',
      })),
    );
  } finally {
    await database.close();
  }
}, 120_000);
