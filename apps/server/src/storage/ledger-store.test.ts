import { amount, type UserId } from '@crossbook/domain';
import { type AccountRef, holdId, transferId } from '@crossbook/ledger';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PostgresLedgerStore } from './ledger-store.ts';
import { openTestDatabase, type TestDatabase } from './testing.ts';

const user = 7 as UserId;
const outside: AccountRef = { class: 'EXTERNAL', counterparty: 'venue:1', asset: 'USDT' };
const funding: AccountRef = { class: 'FUNDING', user, asset: 'USDT' };
const trading: AccountRef = { class: 'TRADING', user, platform: 1, asset: 'USDT' };

describe('ledger store', () => {
  let db: TestDatabase;
  let ledger: PostgresLedgerStore;
  beforeAll(async () => {
    db = await openTestDatabase();
    ledger = db.openLedger();
  });
  afterAll(() => db.close());

  test('first', async () => {
    const fund = {
      commands: [
        {
          do: 'post',
          id: transferId('a', 1),
          from: outside,
          to: funding,
          amount: amount('100'),
          kind: 'test-funds',
        },
      ],
    } as const;
    expect(await ledger.commit(fund)).toEqual({ ok: true, value: { replayed: false } });
    expect(await ledger.commit(fund)).toEqual({ ok: true, value: { replayed: true } });
    const rows = await ledger.fundingBalances(user);
    expect(rows).toEqual([{ asset: 'USDT', total: amount('100'), available: amount('100'), held: 0n }]);
    expect(
      await ledger.commit({
        commands: [
          {
            do: 'post',
            id: transferId('a', 2),
            from: funding,
            to: trading,
            amount: amount('60'),
            kind: 'universal-transfer',
          },
          { do: 'hold', id: holdId('h', 1), account: trading, amount: amount('50'), kind: 'order-hold' },
          {
            do: 'post-held',
            id: transferId('f', 1),
            hold: holdId('h', 1),
            to: outside,
            amount: amount('20.5'),
            kind: 'fill',
          },
          { do: 'release', hold: holdId('h', 1) },
        ],
      }),
    ).toEqual({ ok: true, value: { replayed: false } });
    expect(await ledger.tradingBalances(user, 1)).toEqual([
      { asset: 'USDT', total: amount('39.5'), available: amount('39.5'), held: 0n },
    ]);
    expect(
      await ledger.commit({
        commands: [
          {
            do: 'post',
            id: transferId('a', 3),
            from: funding,
            to: trading,
            amount: amount('60'),
            kind: 'universal-transfer',
          },
        ],
      }),
    ).toEqual({ ok: false, code: 'insufficient-funds' });
    console.log(await ledger.statement(trading, 10));
  });
});
