import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  countdownsStore,
  forgetCountdowns,
  keepCountdowns,
  loadCountdowns,
  setCountdown,
} from './countdowns.ts';

const ROW = { exchange: 2, seconds: 0, offered: [60, 120], pairs: true, contracts: true, state: 'off' };
const ON = { ...ROW, seconds: 60, state: 'counting' };
/** What the hub answers, one after the other; `undefined` for no answer. */
let answers: unknown[] = [];
let asked: string[] = [];

beforeEach(() => {
  forgetCountdowns();
  [answers, asked] = [[], []];
  vi.useFakeTimers();
  vi.stubGlobal('document', { visibilityState: 'visible' });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const form = new URLSearchParams(String(init.body));
    asked.push(`${url.split('/').at(-1)} ${form.get('seconds') ?? ''}`.trim());
    const answer = answers.shift();
    if (answer === undefined) throw new TypeError('no network');
    return Response.json(answer);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const data = (value: unknown) => ({ code: 1, msg: 'OK', data: value });

test('they are read once, and again while one is on and the page is seen', async () => {
  answers = [data([ROW]), data([ROW])];
  const stop = keepCountdowns();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(asked).toEqual(['Countdowns']);
  answers = [data(ON), data([ON]), data([ON])];
  expect(await setCountdown(2, 60)).toBeUndefined();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked.slice(1)).toEqual(['SetCountdown 60', 'Countdowns', 'Countdowns']);
  expect(countdownsStore.getState().rows).toEqual([ON]);
  stop();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(asked).toHaveLength(4);
});

test('what is refused is said in the words of the hub, and what stands is read again', async () => {
  answers = [
    data([ON]),
    { code: 3042, msg: 'OKX has not said that its count has ended.', data: null },
    data([ON]),
  ];
  await loadCountdowns();
  expect(await setCountdown(2, 0)).toBe('OKX has not said that its count has ended.');
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(['Countdowns', 'SetCountdown 0', 'Countdowns']);
  expect(countdownsStore.getState().rows).toEqual([ON]);
});

test('without an answer what was read stays, and another member begins with nothing', async () => {
  answers = [data([ON])];
  await loadCountdowns();
  await loadCountdowns();
  expect(countdownsStore.getState()).toEqual({ rows: [ON], failed: true });
  forgetCountdowns();
  expect(countdownsStore.getState()).toEqual({ rows: undefined, failed: false });
});
