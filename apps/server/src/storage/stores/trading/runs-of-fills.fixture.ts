import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '../../testing.ts';

/** A fill of a contract, in whole coins at a price of 100; its fee is a twentieth of a coin's hundredth. */
export interface FillRow {
  readonly at: number;
  readonly side: 1 | 2;
  readonly quantity: number;
  readonly effect: 0 | 1 | 2;
  /** Cross where absent. */
  readonly mode?: 'cross' | 'isolated';
  /** The number that the database gave it before it was written; by default the next one. */
  readonly sequence?: number;
}

/** An order that fills refer to. */
export async function orderOf(database: TestDatabase, user: number, platform = 1): Promise<string> {
  const id = randomUUID();
  await database.owner.query(
    `insert into orders (id, user_id, platform, symbol_type, symbol, base, quote, side, order_type, time_in_force, quantity,
        send_type, send_time_in_force, effect, margin_mode, leverage, payload_hash, hold_id, hold_asset, hold_amount, status,
        settled, created_at, updated_at)
      values ($1, $2, $3, 'SWAP', 'BTCUSDT', 'BTC', 'USDT', 1, 2, 1, 1000, 2, 1, 0, 'cross', 10, 'x', $1, 'USDT', 0, 4,
        true, 1, 1)`,
    [id, user, platform],
  );
  return id;
}

/** One statement that books some fills of an order. */
export function bookingOf(
  {
    user,
    order,
    platform = 1,
  }: { readonly user: number; readonly order: string; readonly platform?: number },
  fills: readonly FillRow[],
): { readonly text: string; readonly values: readonly string[] } {
  const rows = fills.map(({ at, side, quantity, effect, sequence, mode = 'cross' }) => ({
    ...{ platform, symbol_type: 'SWAP', symbol: 'BTCUSDT', trade_id: randomUUID(), order_id: order },
    ...{ user_id: user, side, price: '100', quantity, quote_quantity: quantity * 100, maker: false },
    ...{ fee: '0.05', fee_asset: 'USDT', filled_at: at, effect, margin_mode: mode, realised_pnl: '1' },
    ...{ cause: 'trade', sequence },
  }));
  const numbered = fills.every(({ sequence }) => sequence !== undefined);
  const columns = `platform, symbol_type, symbol, trade_id, order_id, user_id, side, price, quantity, quote_quantity, fee,
    fee_asset, maker, filled_at, effect, margin_mode, realised_pnl, cause${numbered ? ', sequence' : ''}`;
  return {
    text: `insert into fills (${columns}) ${numbered ? 'overriding system value' : ''}
      select ${columns} from jsonb_populate_recordset(null::fills, $1)`,
    values: [JSON.stringify(rows)],
  };
}
