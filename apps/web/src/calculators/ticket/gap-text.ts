import type { Amount } from '@crossbook/domain';

/** How far a price lies from the market, for reading, with its sign: ` (−1.1%)`; nothing where either is not known. */
export function gapText(price: Amount | undefined, market: Amount | undefined): string {
  if (price === undefined || market === undefined || market === 0n) return '';
  const gap = Number((price * 10_000n) / market) / 100 - 100;
  return ` (${gap < 0 ? '−' : '+'}${Math.abs(gap).toFixed(1)}%)`;
}
