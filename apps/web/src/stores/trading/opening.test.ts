import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noticesStore } from '../app/notices.ts';
import { forgetOpening, keepOpening, loadOpening, openingStore, pairsOf } from './opening.ts';

/** What the hub answers, one after the other; `undefined` for no answer. */
let answers: unknown[] = [];
const asked: (string | null)[] = [];
let types: (string | null)[] = [];

beforeEach(() => {
  forgetOpening();
  noticesStore.setState({ notices: [] });
  asked.length = 0;
  types = [];
  vi.useFakeTimers();
  vi.stubGlobal('document', { visibilityState: 'visible' });
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    const form = new URLSearchParams(String(init.body));
    asked.push(form.get('platformType'));
    types.push(form.get('tinstType'));
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

test('books that differ are said when they begin to, until it is put away, and again only once they agreed', async () => {
  const differ = { stopped: 'books-differ', differs: { of: 'BTC', amount: '0.5' } };
  answers = [{ stopped: 'nothing' }, differ, differ, { stopped: 'nothing' }, differ];
  const said = () => noticesStore.getState().notices.length;
  const counts: number[] = [];
  for (let asks = 0; asks < 5; asks += 1) {
    await loadOpening(2);
    counts.push(said());
  }
  expect(counts).toEqual([0, 1, 1, 1, 2]);
  expect(noticesStore.getState().notices.at(-1)).toMatchObject({
    ...{ tone: 'error', event: 'unknown', key: 'books 2' },
    message: { id: 'contract.booksDiffer', values: { venue: 'OKX', of: 'BTC', amount: '0.5', type: 'SWAP' } },
  });
});

test('what stops pairs is asked for and kept apart from what stops contracts', async () => {
  const differ = { stopped: 'books-differ', differs: { of: 'USDT', amount: '1' } };
  answers = [{ stopped: 'kyc-required' }, differ];
  await loadOpening(1);
  await loadOpening(1, 'SPOT');
  expect(types).toEqual([null, '1']);
  expect(openingStore.getState()).toEqual({ 1: { stopped: 'kyc-required' }, [pairsOf(1)]: differ });
  expect(noticesStore.getState().notices.at(-1)?.message).toMatchObject({ values: { type: 'SPOT' } });
});
