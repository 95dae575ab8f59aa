import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryFolder } from '../../../tests/memory-folder.ts';
import { TEST_PASSWORD, TestBrowser } from './main/testing.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(memoryFolder(), 'crossbook main '));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Started {
  readonly child: ChildProcess;
  /** The first line of standard output; empty when the process ended without one. */
  readonly line: string;
  readonly said: () => string;
}

/** Runs the real process until it is ready or ends. */
async function start(environment: Readonly<Record<string, string>>): Promise<Started> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'main.ts'), '--supervised', '--no-env-file'],
    {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        DATA_DIR: join(folder, 'data with spaces'),
        SIMULATOR_URL: 'http://127.0.0.1:9',
        CAPTCHA_WORK_MAX: '100',
        ...environment,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  const line = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes('\n')) resolve(text.split('\n', 1)[0] ?? '');
    });
    child.once('close', () => resolve(text));
  });
  return { child, line, said: () => said };
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

function urlOf(started: Started): string {
  const ready: unknown = JSON.parse(started.line);
  expect(ready).toEqual({ ready: true, url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
  return (ready as { url: string }).url;
}

describe('the server process', { timeout: 180_000 }, () => {
  test('a member and their session survive kill -9 and an orderly stop; it ends with its starter', async () => {
    const first = await start({ PORT: '0' });
    const browser = new TestBrowser(urlOf(first));
    const email = 'ada@example.org';
    const signedUp = await browser.call('user/usernew', {
      email,
      flow: await browser.flowFor(email),
      password: TEST_PASSWORD,
      agree: 'true',
    });
    expect(signedUp.code).toBe(1);
    first.child.kill('SIGKILL');
    await ended(first.child);

    const second = await start({ PORT: '0' });
    const again = new TestBrowser(urlOf(second));
    again.cookie = browser.cookie;
    again.stoken = signedUp.data?.token;
    expect((await again.call('security/userinfo', {})).data?.email).toBe(email);
    second.child.kill('SIGTERM');
    expect(await ended(second.child)).toBe(0);

    const third = await start({ PORT: '0' });
    const returned = new TestBrowser(urlOf(third));
    expect((await returned.logIn(email)).code).toBe(1);
    third.child.stdin?.end();
    expect(await ended(third.child)).toBe(0);
    expect(third.said()).toContain('the starter is gone');
  });

  test('the lines of its log go to another machine as well', async () => {
    let kept = '';
    const sink = createHttpServer((request, response) => {
      request.on('data', (part) => {
        kept += String(part);
      });
      request.on('end', () => response.end());
    });
    await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
    const { port } = sink.address() as AddressInfo;
    const started = await start({ PORT: '0', LOG_SINK_URL: `http://127.0.0.1:${port}/` });
    urlOf(started);
    started.child.kill('SIGTERM');
    expect(await ended(started.child)).toBe(0);
    sink.close();
    const written = started.said().split('\n');
    const lines = written.filter((line) => line.startsWith('{'));
    expect(lines.length).toBeGreaterThan(0);
    expect(kept.split('\n').filter((line) => line !== '')).toEqual(lines);
  });

  test('a taken PORT that was asked for is an error that names it; the default moves on', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const address = blocker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const refused = await start({ PORT: String(port) });
    expect(refused.line).toBe('');
    expect(await ended(refused.child)).toBe(1);
    expect(refused.said()).toContain(`PORT ${port} is taken`);
    expect(refused.said()).not.toContain('    at ');
    await new Promise((resolve) => blocker.close(resolve));

    const one = await start({});
    const two = await start({ DATA_DIR: join(folder, 'other') });
    expect(urlOf(two)).not.toBe(urlOf(one));
    for (const { child } of [one, two]) {
      child.kill('SIGINT');
      expect(await ended(child)).toBe(0);
    }
  });

  test.each([
    [{ PORT: 'abc' }, 'PORT is "abc"'],
    [{ ROLE: 'market' }, 'ROLE is "market"'],
    [{ MONEY: 'live' }, 'SMTP_URL is'],
    [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' }, 'DATABASE_URL does not lead'],
    [
      {
        MONEY: 'live',
        VENUE_1_MODE: 'live',
        VENUE_1_MASTER_KEY: 'k',
        VENUE_1_MASTER_SECRET: 's',
        PLATFORM_2: 'coming-soon',
        SMTP_URL: 'smtp://127.0.0.1:9',
        LOG_SINK_URL: 'stderr',
      },
      'MONEY=paper',
    ],
  ])('%j stops the start and says why', async (environment, reason) => {
    const refused = await start(environment as Record<string, string>);
    expect(refused.line).toBe('');
    expect(await ended(refused.child)).toBe(1);
    expect(refused.said()).toContain(reason);
  });
});
