import type { BootConfig } from '@crossbook/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bootStore } from '../app/boot.ts';
import { setClock } from '../app/clock.ts';
import { noticesStore } from '../app/notices.ts';
import { beginSession, endSession } from '../member/session.ts';
import { balancesStore } from './balances.ts';
import { equityStore, keepEquity, loadEquity } from './equity.ts';

const READ = {
  ...{ equity: '72100', missing: [], time: 5 },
  day: { start: '70000', netTransfers: '0', change: '2100', changeRate: '0.03' },
};

let asked: string[];
let answer: () => Promise<object>;
let time = 1_000;

beforeEach(() => {
  asked = [];
  answer = async () => ({ code: 1, msg: 'OK', data: READ });
  vi.stubGlobal('fetch', async (input: string) => {
    asked.push(String(input).replace(/^.*\/api\//, ''));
    return new Response(JSON.stringify(await answer()));
  });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  setClock({ now: () => time, randomBytes: () => new Uint8Array(10) });
  const config = { hosts: { own: '' }, tenant: 'crossbook', environment: 'test' } as BootConfig;
  bootStore.setState({ status: 'ready', config }, true);
  beginSession({ token: 'a token', tid: 100_001 });
});
afterEach(() => {
  endSession();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('what was read stays with its time while reading fails, silently, and goes with the session', async () => {
  await loadEquity();
  expect(equityStore.getState()).toEqual({ equity: READ, at: 1_000, failing: false });
  time = 9_000;
  answer = async () => Promise.reject(new TypeError('no network'));
  await loadEquity();
  expect(equityStore.getState()).toEqual({ equity: READ, at: 1_000, failing: true });
  expect(noticesStore.getState().notices).toEqual([]);
  endSession();
  expect(equityStore.getState()).toEqual({ equity: undefined, at: undefined, failing: false });
});

test("an answer that comes late is neither another member's nor older than what is shown", async () => {
  let release: (body: object) => void = () => undefined;
  const late = () => {
    answer = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    return loadEquity();
  };
  const older = late();
  await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 20_000 });
  answer = async () => ({ code: 1, msg: 'OK', data: READ });
  await loadEquity();
  release({ code: 1, msg: 'OK', data: { ...READ, equity: '1' } });
  await older;
  expect(equityStore.getState().equity).toEqual(READ);

  const foreign = late();
  await vi.waitFor(() => expect(asked).toHaveLength(3), { timeout: 20_000 });
  beginSession({ token: 'another', tid: 100_002 });
  release({ code: 1, msg: 'OK', data: READ });
  await foreign;
  expect(equityStore.getState().equity).toBeUndefined();
});

test('it is read at once, every 10 s, and once after a burst of balance events, until it is released', async () => {
  vi.useFakeTimers();
  const release = keepEquity();
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveLength(2);
  for (let event = 0; event < 5; event += 1) balancesStore.setState({ wallets: {} });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toHaveLength(3);
  balancesStore.setState({ wallets: {} });
  release();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(3);
});
