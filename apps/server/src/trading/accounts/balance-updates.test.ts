import { amount, type UserId } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { createBalanceUpdates } from './balance-updates.ts';

const [HEARD, ALONE] = [1 as UserId, 2 as UserId];

test.each([
  ['the pocket of pairs, where there are two', 1, 43, 'TRADING', { pocket: 'spot' }],
  ['the pocket of contracts', 1, 43, 'FUTURES', { pocket: 'futures' }],
  ['the only pocket', 2, 41, 'TRADING', {}],
] as const)(
  'a wallet that moved is read and told to whom it concerns, and not read when nobody hears: %s',
  async (...[, platform, wallet, pocket, pocketField]) => {
    const read: unknown[] = [];
    const reported: unknown[] = [];
    const updates = createBalanceUpdates({
      ledger: {
        tradingBalances: async (user, ...of) => {
          read.push([user, ...of]);
          return [{ asset: 'USDT', total: amount('3'), available: amount('2'), held: amount('1') }];
        },
      },
      publish: (user, event) => void reported.push({ user, event }),
      heard: (user) => user === HEARD,
      note: (event) => void reported.push(event),
    });
    for (const user of [HEARD, ALONE]) updates.tell({ user, platform }, ['USDT', 'BTC'], pocket);
    await updates.idle();
    expect(read).toEqual([[HEARD, platform, pocket]]);
    const rows = [
      { asset: 'USDT', total: '3', available: '2', locked: '1', ...pocketField },
      { asset: 'BTC', total: '0', available: '0', locked: '0', ...pocketField },
    ];
    expect(reported).toEqual([{ user: HEARD, event: { kind: 'balance', wallet, rows } }]);
  },
);
