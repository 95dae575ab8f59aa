import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  beginSession,
  endSession,
  refuseToken,
  renewSession,
  rereadSession,
  sessionStore,
  whileRenewing,
} from './session.ts';

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  });
  beginSession({ token: 'first', tid: 7 });
});
afterEach(() => vi.unstubAllGlobals());

test('a refused token ends the session, here and for other tabs', () => {
  refuseToken();
  expect(sessionStore.getState()).toMatchObject({ token: undefined, tid: undefined });
  expect(kept.size).toBe(0);
});

test('a token that another tab has renewed is taken over instead', () => {
  kept.set('token', 'second');
  refuseToken();
  expect(sessionStore.getState()).toMatchObject({ token: 'second', tid: 7 });
  expect(kept.get('token')).toBe('second');
});

test('while this tab changes a credential nothing ends; after it a refusal does again', async () => {
  await whileRenewing(async () => {
    refuseToken();
    renewSession('third');
  });
  expect(sessionStore.getState()).toMatchObject({ token: 'third', tid: 7 });
  await expect(whileRenewing(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  refuseToken();
  expect(sessionStore.getState().token).toBeUndefined();
});

test.each([
  ['before the answer', () => void kept.set('token', 'second')],
  [
    'after it',
    () =>
      queueMicrotask(() => {
        kept.set('token', 'second');
        rereadSession();
      }),
  ],
])(
  'an act refused because another tab renewed the session is run again under its token, stored %s',
  async (_, otherTab) => {
    const tokens: (string | undefined)[] = [];
    const answer = await whileRenewing(async () => {
      tokens.push(sessionStore.getState().token);
      if (tokens.length > 1) return { ok: true };
      otherTab();
      return { ok: false, code: -2 };
    });
    expect(tokens).toEqual(['first', 'second']);
    expect(answer).toEqual({ ok: true });
  },
);

test('an act refused because the session is over is not run again', async () => {
  const act = vi.fn(async () => {
    endSession();
    return { ok: false, code: -2 };
  });
  expect(await whileRenewing(act)).toEqual({ ok: false, code: -2 });
  expect(act).toHaveBeenCalledOnce();
});
