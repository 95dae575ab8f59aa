import { formatPercent } from '../../../i18n/format.ts';

/** How far a price is from the last one: `−1.10%`; `–` while one of them is not known. */
export function fromMarket(price: string | null, last: string | undefined): string {
  const [at, now] = [Number(price ?? Number.NaN), Number(last ?? Number.NaN)];
  return Number.isFinite(at) && now > 0 ? formatPercent((at / now - 1) * 100) : '–';
}
