import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetOpening, keepOpening, loadOpening, openingStore } from './opening.ts';

/** What the hub answers, one after the other; `undefined` for no answer. */
let answers: unknown[] = [];
const asked: (string | null)[] = [];

beforeEach(() => {
  forgetOpening();
  asked.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal('document', { visibilityState: 'visible' });
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    asked.push(new URLSearchParams(String(init.body)).get('platformType'));
    const data = answers.shift();
    if (data === undefined) throw new TypeError('no network');
    return Response.json({ code: 1, msg: 'OK', data });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('what stops opening is kept by platform, and stays where the hub does not answer', async () => {
  const differ = { stopped: 'books-differ', differs: { of: 'USDT', amount: '1' } };
  answers = [differ, { stopped: 'nothing' }];
  await loadOpening(1);
  await loadOpening(2);
  await loadOpening(1);
  expect(openingStore.getState()).toEqual({ 1: differ, 2: { stopped: 'nothing' } });
  expect(asked).toEqual(['43', '41', '43']);
  forgetOpening();
  expect(openingStore.getState()).toEqual({});
});

test('it is asked for at once and again every 5 s while the page is seen, until the ticket goes', async () => {
  answers = Array.from({ length: 9 }, () => ({ stopped: 'nothing' }));
  const stop = keepOpening(3);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual(['42', '42', '42']);
  vi.stubGlobal('document', { visibilityState: 'hidden' });
  await vi.advanceTimersByTimeAsync(10_000);
  vi.stubGlobal('document', { visibilityState: 'visible' });
  stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveLength(3);
});
