import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type PlayedProxy,
  playedProxy,
  TEST_PASSWORD,
  type TestBrowser,
} from '../../apps/server/src/main/testing.ts';
import { LiveReader, until } from '../../apps/server/src/stream/live-world.fixture.ts';
import { FULL } from '../property-runs.ts';
import {
  type HubProcess,
  type SimulatorProcess,
  startHubProcess,
  startSimulatorProcess,
} from '../system/hub-process.ts';

/** What strangers do at the doors of a real hub, told by what everybody else still may: come in, and stay in. */

let simulator: SimulatorProcess;
let hub: HubProcess;
let proxy: PlayedProxy;
beforeAll(async () => {
  simulator = await startSimulatorProcess();
  proxy = await playedProxy();
  hub = await startHubProcess(simulator, proxy.environment);
});
afterAll(async () => {
  await hub.stop();
  await simulator.stop();
});

const SUCCESS = 1;

async function signUp(browser: TestBrowser, email: string): Promise<number> {
  const flow = await browser.flowFor(email);
  const answer = await browser.call('user/usernew', { email, flow, password: TEST_PASSWORD, agree: 'true' });
  browser.stoken = answer.data?.token;
  return answer.code;
}

/** A live connection from a network, or the status of its refusal. */
function live(address: string): Promise<LiveReader | number> {
  const reader = new LiveReader(`${proxy.url.replace('http', 'ws')}/live/1`, { 'x-forwarded-for': address });
  return new Promise((resolve) => {
    reader.socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    reader.socket.on('open', () => resolve(reader));
  });
}

/** Logs a member in on a live connection; the answered code. */
async function logInLive(reader: LiveReader, member: TestBrowser): Promise<number | undefined> {
  const { data } = await member.call('connexbasicdata/GetWebsocketArgs', {});
  reader.send({ action: 'login', args: data });
  await until(() => reader.events.length > 0 || reader.closed !== undefined);
  return reader.events[0]?.code;
}

describe('others come in', () => {
  test('a visitor and a member open live connections while one address opens all that it can', async () => {
    const member = proxy.visitor('192.0.2.1');
    expect(await signUp(member, 'member@example.org')).toBe(SUCCESS);
    const asked = FULL ? 10_200 : 400;
    const flood: (LiveReader | number)[] = [];
    for (let begun = 0; begun < asked; begun += 100) {
      flood.push(...(await Promise.all(Array.from({ length: 100 }, () => live('203.0.113.9')))));
    }
    const inside = flood.filter((one) => typeof one !== 'number');
    // One that was let go because it was slow gives its place to the next.
    const atOnce = inside.filter(({ closed }) => closed === undefined);
    expect(inside.length).toBeGreaterThanOrEqual(100);
    expect(atOnce.length).toBeLessThanOrEqual(100);
    expect(flood.filter((one) => one === 429)).toHaveLength(asked - inside.length);
    const visitor = await live('198.51.100.1');
    const own = await live('192.0.2.1');
    if (typeof visitor === 'number' || typeof own === 'number') throw new Error('others were refused');
    expect(await logInLive(own, member)).toBe(0);
    for (const { socket } of [...inside, visitor, own]) socket.terminate();
  });

  test('an address is signed up while strangers ask for its codes and guess at them', async () => {
    const email = 'wanted@example.org';
    const strangers = Array.from({ length: FULL ? 30 : 5 }, (_none, at) =>
      proxy.visitor(`203.0.113.${at + 10}`),
    );
    for (const stranger of strangers) {
      const captcha = await stranger.captcha();
      await stranger.call('sms/sms', { target: email, purpose: 'register', captcha });
    }
    const attack = async (stranger: TestBrowser) => {
      for (let guess = 0; guess < 62; guess += 1) {
        const code = String(guess).padStart(4, '0');
        await stranger.call('user/checkcode', { target: email, purpose: 'register', code });
      }
    };
    await Promise.all(strangers.map(attack));
    expect(await signUp(proxy.visitor('192.0.2.2'), email)).toBe(SUCCESS);
  });

  test('another address is signed up while three strangers guess codes as often as they may', async () => {
    const guess = async (address: string) => {
      const stranger = proxy.visitor(address);
      for (let count = 0; count < 58; count += 1) {
        const target = `any${count}@example.org`;
        await stranger.call('user/checkcode', { target, purpose: 'register', code: '0000' });
      }
    };
    await Promise.all(['203.0.113.201', '203.0.113.202', '203.0.113.203'].map(guess));
    expect(await signUp(proxy.visitor('192.0.2.3'), 'unrelated@example.org')).toBe(SUCCESS);
  });

  test('an owner logs in while strangers try passwords at the account', async () => {
    const email = 'owner@example.org';
    const owner = proxy.visitor('192.0.2.4');
    expect(await signUp(owner, email)).toBe(SUCCESS);
    const attack = async (at: number) => {
      const stranger = proxy.visitor(`203.0.113.${at + 100}`);
      for (let tried = 0; tried < 11; tried += 1) await stranger.logIn(email, 'Wrong-horse-7');
    };
    await Promise.all(Array.from({ length: FULL ? 30 : 4 }, (_none, at) => attack(at)));
    expect(await owner.logIn(email)).toMatchObject({ code: SUCCESS, data: { token: expect.any(String) } });
  });
});
