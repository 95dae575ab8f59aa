import { formatPercent } from '../../../i18n/format.ts';

/** Rows whose distance is not known stand behind every other, from the nearest to the farthest. */
export const NOWHERE = Number.POSITIVE_INFINITY;

function percentFrom(price: string | null, last: string | undefined): number | undefined {
  const [at, now] = [Number(price ?? Number.NaN), Number(last ?? Number.NaN)];
  return Number.isFinite(at) && now > 0 ? (at / now - 1) * 100 : undefined;
}

/** How far a price is from the last one: `−1.10%`; `–` while one of them is not known. */
export function fromMarket(price: string | null, last: string | undefined): string {
  const percent = percentFrom(price, last);
  return percent === undefined ? '–' : formatPercent(percent);
}

/** What rows are compared by in a column of such distances: the nearest is the least, whichever way it lies. */
export function distanceOrder(price: string | null, last: string | undefined): number {
  return Math.abs(percentFrom(price, last) ?? NOWHERE);
}
