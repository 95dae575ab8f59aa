import type { KeptBars, RelayProfile, RelayRule } from '@crossbook/venues';

/** A page with a bar that still moves, and one whose bars have all ended. */
const CANDLES_MILLIS = 1_000;
const CLOSED_CANDLES_MILLIS = 300_000;

const UNIT_MILLIS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  // The longest month: a bound is needed, not the length.
  M: 31 * 86_400_000,
};

/**
 * The longest a bar can last, whatever the venue calls it: `1m`, `4h`, `1M` (Binance), `1H`, `1Dutc` (OKX), `60`, `D`
 * (Bybit, bare numbers are minutes).
 */
function barMillisMax(text: string): number | undefined {
  const parts = /^([0-9]{0,4})([smhHdDwWM]?)(?:utc)?$/.exec(text);
  if (parts === null || text === '') return undefined;
  const [, count = '', unit = ''] = parts;
  const length = UNIT_MILLIS[unit === '' ? 'm' : unit === 'M' ? 'M' : unit.toLowerCase()];
  return length === undefined ? undefined : Number(count === '' ? 1 : count) * length;
}

/** A page whose bars have all ended does not change any more. */
function barsMillis({ intervalField, endField }: KeptBars, query: URLSearchParams, now: number): number {
  const end = query.get(endField) ?? '';
  const length = barMillisMax(query.get(intervalField) ?? '');
  const isClosed = /^[0-9]{1,15}$/.test(end) && length !== undefined && Number(end) + length <= now;
  return isClosed ? CLOSED_CANDLES_MILLIS : CANDLES_MILLIS;
}

/** How long the answer to such a call may be given to others, ms; 0 is not at all. */
export function keepMillis({ kept, keptWhole }: RelayRule, query: URLSearchParams, now: number): number {
  if (keptWhole !== undefined && !query.has('symbol')) return keptWhole;
  return typeof kept === 'number' ? kept : barsMillis(kept, query, now);
}

/** How a path is relayed; `undefined` when it is not public market data of the venue. */
export function relayRule(relay: RelayProfile, path: string): RelayRule | undefined {
  return relay.rules.find((rule) => rule.path.test(path));
}
