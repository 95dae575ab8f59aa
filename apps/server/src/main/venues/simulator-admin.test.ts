import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { amount, type OrderId } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { paperCustody, paperFaucet, simulatorMaster } from './simulator-admin.ts';

/** An admin API as a test plays it; every call is remembered. */
let server: Server;
let admin: string;
const calls: { call: string; body: unknown }[] = [];
let answer: { status: number; text: string } | 'reset';

beforeEach(async () => {
  calls.length = 0;
  answer = { status: 200, text: '{"applied":true}' };
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      calls.push({ call: request.url ?? '', body: JSON.parse(text) });
      if (answer === 'reset') response.destroy();
      else response.writeHead(answer.status).end(answer.text);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  admin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sim/token`;
});
afterEach(() => new Promise((closed) => server.close(closed)));

const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
const move = { platform: 2, asset: 'USDT', amount: amount('12.5'), transfer: ID } as const;

describe('paper money in the custody of simulated venues', () => {
  test('is brought to the platform and taken home under ids of the transfer, exactly its amount', async () => {
    const custody = paperCustody(admin, 1);
    expect([await custody.provide(move), await custody.collect(move)]).toEqual(['moved', 'done']);
    const common = { asset: 'USDT', amount: '12.5' };
    expect(calls).toEqual([
      {
        call: '/sim/token/custody/move',
        body: { from: 'binance', to: 'okx', ...common, moveId: `${ID}-out` },
      },
      {
        call: '/sim/token/custody/move',
        body: { from: 'okx', to: 'binance', ...common, moveId: `${ID}-home` },
      },
    ]);
  });

  test('is at its home already, and nothing is asked', async () => {
    const custody = paperCustody(admin, 1);
    const home = { ...move, platform: 1 } as const;
    expect([await custody.provide(home), await custody.collect(home), calls]).toEqual(['there', 'done', []]);
  });

  test.each<[string, typeof answer, string]>([
    ['too little there', { status: 409, text: '{"error":"…","code":"INSUFFICIENT_BALANCE"}' }, 'short'],
    ['an id of another move', { status: 409, text: '{"error":"…","code":"ID_REUSED"}' }, 'unknown'],
    ['an old simulator', { status: 404, text: '{"error":"no admin call"}' }, 'unknown'],
    ['a fault there', { status: 500, text: 'oh' }, 'unknown'],
    ['a good status without a readable answer', { status: 200, text: '' }, 'unknown'],
    ['a lost answer', 'reset', 'unknown'],
  ])('%s: what it means is never guessed', async (_case, given, provided) => {
    answer = given;
    const custody = paperCustody(admin, 1);
    expect([await custody.provide(move), await custody.collect(move)]).toEqual([provided, 'unknown']);
  });
});

test('the faucet and the master are those of the venue', async () => {
  answer = { status: 200, text: '{"apiKey":"a","secret":"b","passphrase":"c"}' };
  expect(await simulatorMaster(admin, 2)).toEqual({ apiKey: 'a', secret: 'b', passphrase: 'c' });
  expect(await paperFaucet(admin).credit(3, 'USDT', amount('5'), 'id')).toBe('done');
  expect(calls).toEqual([
    { call: '/sim/token/master', body: { venue: 'okx' } },
    {
      call: '/sim/token/credit',
      body: { venue: 'bybit', label: 'master', asset: 'USDT', amount: '5', creditId: 'id' },
    },
  ]);
  answer = { status: 200, text: '{"apiKey":"a","secret":"b"}' };
  expect(await simulatorMaster(admin, 1)).toEqual({ apiKey: 'a', secret: 'b' });
  answer = { status: 200, text: '{}' };
  await expect(simulatorMaster(admin, 1)).rejects.toThrow(/no master key/);
});
