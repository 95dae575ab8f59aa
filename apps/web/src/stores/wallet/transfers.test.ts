import type { TransferRow } from '@crossbook/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noticesStore } from '../app/notices.ts';
import { applyTransfer, getTestFunds, transfer } from './transfers.ts';

const INPUT = { platformType: 43, direction: 1, asset: 'USDT', amount: '10' } as const;

/** What the own service answers, by call; nothing else is asked. */
let answers: Record<string, object>;
/** The id that the browser gave its request. */
let asked: string;

beforeEach(() => {
  noticesStore.setState({ notices: [] });
  answers = {};
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const name = Object.keys(answers).find((call) => url.endsWith(call));
    if (name === undefined) return new Response('', { status: 503 });
    asked = new URLSearchParams(String(init.body)).get('clientId') ?? '';
    return Response.json(answers[name]);
  });
});
afterEach(() => vi.unstubAllGlobals());

function refusedRow(transferId: string): TransferRow {
  const { platformType, direction, asset, amount } = INPUT;
  const times = { createdAt: 0, updatedAt: 0, expectedAt: null };
  const request = { platformType, direction, tinstType: 1, asset, amount } as const;
  return { transferId, ...request, state: 'refused', reason: 'no', ...times };
}

/** Notices of one key replace each other on the page. */
const shown = () => new Set(noticesStore.getState().notices.map(({ key, serial }) => key ?? serial)).size;

test('a refused transfer is one notice, told by the answer and by the event', async () => {
  answers = { UniversalTransfer: { code: 4007, msg: 'not made: no', data: null } };
  await transfer(INPUT);
  expect(noticesStore.getState().notices).toMatchObject([{ message: { text: 'not made: no' } }]);
  applyTransfer(refusedRow(asked));
  expect(shown()).toBe(1);
});

test('a refusal of the call itself is told once, however often it is tried', async () => {
  answers = { UniversalTransfer: { code: 4003, msg: 'too little', data: null } };
  await transfer(INPUT);
  await transfer(INPUT);
  expect(shown()).toBe(1);
});

test('test funds that went no further are told as received, and once why they stayed', async () => {
  const notMoved = { transferId: 'onward', code: 4007, msg: 'not made: no' };
  const data = { asset: 'USDT', amount: '50000', state: 'done', transfer: null, notMoved };
  answers = { TestFunds: { code: 1, msg: 'OK', data } };
  await getTestFunds(43, '10');
  applyTransfer(refusedRow('onward'));
  expect(shown()).toBe(2);
  expect(noticesStore.getState().notices).toMatchObject([
    { tone: 'success', message: { id: 'testFunds.done' } },
    { message: { text: 'not made: no' } },
    { message: { id: 'transfer.refused' } },
  ]);
});
