import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginSession, refuseToken, renewSession, sessionStore, whileRenewing } from './session.ts';

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
