import type { Millis, Result } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { createOkxRest } from './okx/market/okx-public.ts';
import { type FailedRead, tellingFailures } from './telling-failures.ts';

const REST = 'https://venue';
const TIME = { status: 200, text: JSON.stringify({ code: '0', msg: '', data: [{ ts: '5' }] }) };
const ERROR = { status: 200, text: JSON.stringify({ code: '50001', msg: 'Service unavailable.', data: [] }) };

/** A reader whose exchange answers as noted, and what is noted of it. */
function setup() {
  const noted: FailedRead[] = [];
  const exchange = { answer: async () => TIME };
  const rest = createOkxRest({
    restBase: REST,
    fetchText: () => exchange.answer(),
    clock: () => 0 as Millis,
  });
  return { exchange, noted, rest: tellingFailures(rest, (read) => noted.push(read)) };
}

test('what is read is what the reader reads, and nothing is noted', async () => {
  const { rest, noted } = setup();
  expect(await rest.serverTime()).toEqual({ ok: true, value: 5 });
  expect(noted).toEqual([]);
});

test('a call that goes on failing is reported once, and again after it has worked', async () => {
  const { rest, noted, exchange } = setup();
  const failures: [() => Promise<typeof TIME>, string][] = [
    [() => Promise.reject(new Error('refused')), 'network'],
    [async () => ({ status: 503, text: '' }), 'http-status'],
    [async () => ERROR, 'venue-error'],
  ];
  for (const [answer, failure] of failures) {
    exchange.answer = answer;
    for (let times = 0; times < 3; times += 1) {
      expect(await rest.serverTime()).toEqual({ ok: false, code: failure });
    }
    expect(noted.splice(0)).toEqual([{ call: 'serverTime', failure }]);
    exchange.answer = async () => TIME;
    await rest.serverTime();
  }
});

test('each call is noted of by its own name', async () => {
  const { rest, noted, exchange } = setup();
  exchange.answer = async () => ERROR;
  const asked: readonly Promise<Result<unknown, string>>[] = [
    rest.instruments('SPOT'),
    rest.tickers('SPOT'),
    rest.serverTime(),
  ];
  for (const answer of await Promise.all(asked)) expect(answer.ok).toBe(false);
  expect(noted.map(({ call }) => call).sort()).toEqual(['instruments', 'serverTime', 'tickers']);
});
