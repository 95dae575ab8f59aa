import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallResult } from '../../wire/api-client.ts';
import { noticesStore } from '../app/notices.ts';
import { ANSWER_AWAITED_MILLIS, sayIfUnknown } from './unknown-answer.ts';

beforeEach(() => {
  noticesStore.setState({ notices: [] });
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const OK: CallResult<number> = { ok: true, data: 1 };
const REFUSED: CallResult<number> = { ok: false, kind: 'refused', code: 3_001, message: 'no' };
const SILENT: CallResult<number> = { ok: false, kind: 'silent' };
const UNKNOWN = { tone: 'error', event: 'unknown', key: 'a', message: { id: 'order.unknown' } };
const ANSWERED = { tone: 'info', event: 'own', key: 'a', message: { id: 'order.answered' } };

test.each([
  ['an answer in time says nothing', OK, ANSWER_AWAITED_MILLIS - 1, []],
  ['a refusal in time says nothing of its own', REFUSED, 10, []],
  ['an answer that is lost is said to be unknown at once', SILENT, 10, [UNKNOWN]],
  ['one that is lost late is said once', SILENT, 30_000, [UNKNOWN]],
  ['one that comes late is said to be unknown, and then to be here', OK, 11_000, [UNKNOWN, ANSWERED]],
  ['so is a late refusal', REFUSED, 29_000, [UNKNOWN, ANSWERED]],
] as const)('%s', async (_, result, after, said) => {
  let heard = 0;
  const asked = new Promise<CallResult<number>>((resolve) => setTimeout(() => resolve(result), after));
  const waited = sayIfUnknown(asked, { key: 'a', id: 'order.unknown', onUnknown: () => (heard += 1) });
  await vi.advanceTimersByTimeAsync(Math.min(after, ANSWER_AWAITED_MILLIS));
  expect(noticesStore.getState().notices).toHaveLength(Math.min(said.length, 1));
  await vi.runAllTimersAsync();
  expect(await waited).toBe(result);
  expect(noticesStore.getState().notices).toMatchObject(said);
  expect(heard).toBe(Math.min(said.length, 1));
});
