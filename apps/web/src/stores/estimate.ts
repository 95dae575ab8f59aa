import type { BalanceRow } from '@crossbook/contract';
import { type Amount, mulDown, parseAmount, parseSignedAmount, plus, ZERO } from '@crossbook/domain';

/**
 * What some wallets are worth in USDT at last prices: an estimate for the eye, exact arithmetic all the same.
 * @param priceOf last price of an asset in USDT as a decimal string; `undefined` where none is known.
 * @returns the sum, and the assets that had no price and are not in it.
 */
export function estimateUsdt(
  rows: readonly BalanceRow[],
  priceOf: (asset: string) => string | undefined,
): { readonly total: Amount; readonly unpriced: readonly string[] } {
  let total = ZERO;
  const unpriced: string[] = [];
  for (const row of rows) {
    const held = parseSignedAmount(row.total) ?? ZERO;
    if (held <= 0n) continue;
    const price = row.asset === 'USDT' ? parseAmount('1') : parseAmount(priceOf(row.asset) ?? '');
    if (price === undefined) unpriced.push(row.asset);
    else total = plus(total, mulDown(held, price));
  }
  return { total, unpriced };
}
