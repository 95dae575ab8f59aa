import { type Amount, decimalsOf, formatAmountFixed, parseSignedAmount } from '@crossbook/domain';

/** Numbers and times as people read them. Figures of money stay decimal strings: grouping never goes through a float. */

const dateTimes = new Map<string, Intl.DateTimeFormat>();

// Spelt out: with `timeStyle` Japanese and Korean write hours of one digit.
const DAY_PARTS = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
const TIME_PARTS = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;

/** Date and time to the second in the browser's zone: `2026-11-20, 16:07:52`, or the locale's order. */
export function formatDateTime(millis: number, locale: string): string {
  let format = dateTimes.get(locale);
  if (format === undefined) {
    // English alone does not say whose order of day and month; Canada's is ISO's.
    const region = locale === 'en' ? 'en-CA' : locale;
    format = new Intl.DateTimeFormat(region, { ...DAY_PARTS, ...TIME_PARTS });
    dateTimes.set(locale, format);
  }
  return format.format(millis);
}

/** A time in a narrow column: `11-22 03:24:26`, with its year where that is not the present one. */
export function formatShortTime(millis: number, now: number): string {
  const at = new Date(millis);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  const year = at.getFullYear() === new Date(now).getFullYear() ? '' : `${at.getFullYear()}-`;
  return `${year}${day} ${time}`;
}

/** A moment to the millisecond: `12:04:11.310`, with its day where that is not the present one. */
export function formatExactTime(millis: number, now: number): string {
  const [said, today] = [formatShortTime(millis, now), formatShortTime(now, now)];
  const clock = said.slice(0, -8) === today.slice(0, -8) ? said.slice(-8) : said;
  return `${clock}.${String(millis % 1_000).padStart(3, '0')}`;
}

/** Puts commas into the whole part of a decimal string: `65000.10` becomes `65,000.10`. */
export function groupDigits(decimal: string): string {
  const dot = decimal.indexOf('.');
  const whole = dot < 0 ? decimal : decimal.slice(0, dot);
  const grouped = whole.replace(/\B(?=(?:[0-9]{3})+$)/g, ',');
  return dot < 0 ? grouped : grouped + decimal.slice(dot);
}

/** A venue's figure with as many decimals as its step has: Binance sends `78421.89000000` for a tick of 0.01. */
export function formatToStep(decimal: string, step: Amount): string {
  const value = parseSignedAmount(decimal);
  return value === undefined ? decimal : groupDigits(formatAmountFixed(value, decimalsOf(step)));
}

const ABBREVIATIONS = [
  { from: 1e12, letter: 'T' },
  { from: 1e9, letter: 'B' },
  { from: 1e6, letter: 'M' },
  { from: 1e3, letter: 'K' },
] as const;

/** A volume in short: K 1e3, M 1e6, B 1e9, T 1e12 (spec section 9), 2 decimals. */
export function formatShort(value: number): string {
  const step = ABBREVIATIONS.find(({ from }) => Math.abs(value) >= from);
  return step === undefined ? value.toFixed(2) : `${(value / step.from).toFixed(2)}${step.letter}`;
}

/** A percent with its sign and 2 decimals (spec section 9): `+1.25%`, `−0.40%`; `0.00%` has none. */
export function formatPercent(percent: number): string {
  const size = Math.abs(percent).toFixed(2);
  if (Number(size) === 0) return '0.00%';
  return `${percent > 0 ? '+' : '−'}${size}%`;
}
