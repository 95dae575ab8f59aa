import type { UserId } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type AccountOwner, eachOwner } from '../../../trading/account-pages.ts';
import { openTestDatabase } from '../../testing.ts';
import { createContractStore } from './contract-store.ts';

/** Which accounts have something open on contracts, as the start, the full hour and the comparison ask for it. */

const db = openedOnce(openTestDatabase);

const owner = (user: number, platform: 1 | 2 | 3): AccountOwner => ({ user: user as UserId, platform });

/** A row for each contract that was ever traded: flat ones stay. */
async function run(user: number, platform: number, symbol: string, quantity: number): Promise<void> {
  await db.owner.query(
    `insert into contract_runs (user_id, platform, symbol, effect, margin_mode, position_id, quantity, max_quantity,
        entry_quantity, entry_value, exit_quantity, exit_value, realised_pnl, fees, funding, leverage, opened_at)
      values ($1, $2, $3, 0, 'cross', gen_random_uuid(), $4, 1, 1, 1, 0, 0, 0, 0, 0, 20, 1)`,
    [user, platform, symbol, quantity],
  );
}

async function order(user: number, symbolType: 'SPOT' | 'SWAP', settled: boolean): Promise<void> {
  await db.owner.query(
    `insert into orders (id, user_id, platform, symbol_type, symbol, base, quote, side, order_type, time_in_force, price,
        quantity, send_type, send_time_in_force, send_price, payload_hash, hold_id, hold_asset, hold_amount, status, settled,
        created_at, updated_at, margin_mode, leverage)
      values (gen_random_uuid(), $1, 1, $2, 'BTCUSDT', 'BTC', 'USDT', 1, 1, 1, 50000, 1, 1, 1, 50000, 'x',
        gen_random_uuid(), 'USDT', 50000, 2, $3, 1, 1, $4, $5)`,
    [user, symbolType, settled, ...(symbolType === 'SWAP' ? ['cross', 20] : [null, null])],
  );
}

test('come page by page, each once and in order; who is flat and whose orders are settled is none of them', async () => {
  for (const [user, platform, symbol, quantity] of [
    ...[[5, 1, 'BTCUSDT', 2] as const, [5, 1, 'ETHUSDT', -1] as const, [5, 3, 'BTCUSDT', 1] as const],
    ...[[2, 2, 'BTC-USDT-SWAP', -3] as const, [3, 1, 'BTCUSDT', 0] as const, [9, 1, 'BTCUSDT', 1] as const],
  ])
    await run(user, platform, symbol, quantity);
  await order(5, 'SWAP', false);
  await order(4, 'SWAP', false);
  await order(6, 'SWAP', true);
  await order(7, 'SPOT', false);
  const contracts = createContractStore(db.database);
  const all = [
    { ...owner(2, 2), holds: true },
    { ...owner(4, 1), holds: false },
    { ...owner(5, 1), holds: true },
    { ...owner(5, 3), holds: true },
    { ...owner(9, 1), holds: true },
  ];
  for (const limit of [1, 2, 100]) {
    const seen = [];
    for await (const one of eachOwner((after) => contracts.exposed(limit, after))) seen.push(one);
    expect(seen).toEqual(all);
  }
  expect(await contracts.exposed(2, owner(4, 1))).toEqual(all.slice(2, 4));
  const asked = [owner(9, 1), owner(3, 1), owner(5, 2), owner(4, 1), owner(7, 1), owner(6, 1)];
  expect(new Set(await contracts.exposedAmong(asked))).toEqual(new Set([owner(9, 1), owner(4, 1)]));
});
