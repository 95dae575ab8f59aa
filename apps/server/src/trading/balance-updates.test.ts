import { amount, type Platform, type UserId } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { createBalanceUpdates } from './balance-updates.ts';

const [HEARD, ALONE] = [1 as UserId, 2 as UserId];

test('a wallet that moved is read and told to whom it concerns, and not read at all when nobody hears', async () => {
  const read: UserId[] = [];
  const reported: unknown[] = [];
  const updates = createBalanceUpdates({
    ledger: {
      tradingBalances: async (user) => {
        read.push(user);
        return [{ asset: 'USDT', total: amount('3'), available: amount('2'), held: amount('1') }];
      },
    },
    publish: (user, event) => void reported.push({ user, event }),
    heard: (user) => user === HEARD,
    note: (event) => void reported.push(event),
  });
  for (const user of [HEARD, ALONE]) updates.tell({ user, platform: 1 as Platform }, ['USDT', 'BTC']);
  await updates.idle();
  expect(read).toEqual([HEARD]);
  const rows = [
    { asset: 'USDT', total: '3', available: '2', locked: '1' },
    { asset: 'BTC', total: '0', available: '0', locked: '0' },
  ];
  expect(reported).toEqual([{ user: HEARD, event: { kind: 'balance', wallet: 43, rows } }]);
});
