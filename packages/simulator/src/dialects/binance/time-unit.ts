/** In which unit spot tells times: `X-MBX-TIME-UNIT` of a request, `timeUnit` of a socket's address (rest-api.md, 2026). */
export type TimeUnit = 'MILLISECOND' | 'MICROSECOND';

/** Reads a unit, in capitals or small letters; milliseconds when absent, `undefined` for anything else. */
export function timeUnitOf(text: string | null | undefined): TimeUnit | undefined {
  switch (text ?? 'MILLISECOND') {
    case 'MILLISECOND':
    case 'millisecond':
      return 'MILLISECOND';
    case 'MICROSECOND':
    case 'microsecond':
      return 'MICROSECOND';
    default:
      return undefined;
  }
}

/** Fields that hold a time, of answers and of events; ids under the same names stay far below any time. */
const TIME_FIELDS: ReadonlySet<string> = new Set([
  ...['serverTime', 'time', 'updateTime', 'workingTime', 'transactTime', 'transactionTime'],
  ...['openTime', 'closeTime', 'retryAfter', 'connectedSince', 'E', 'T', 't', 'O', 'C', 'W'],
]);
/** In a balance event `u` is a time, in a book's an update id. */
const BALANCE_EVENT = 'outboundAccountPosition';
/** Smaller numbers are no times of this century in milliseconds. */
const TIME_MIN = 1e12;
/** Where the rows of klines have times. */
const KLINE_LENGTH = 12;
const KLINE_CLOSE = 6;

function inMicros(value: unknown): unknown {
  return typeof value === 'number' && value >= TIME_MIN ? value * 1_000 : value;
}

/** The last moment of a bar or a day: one microsecond before the next (data.binance.vision, klines of spot since 2025-01-01). */
function lastMicro(value: unknown): unknown {
  return typeof value === 'number' && value >= TIME_MIN && value % 1_000 === 999
    ? value * 1_000 + 999
    : inMicros(value);
}

function withMicros(value: unknown): unknown {
  if (Array.isArray(value)) {
    const kline = value.length === KLINE_LENGTH && typeof value[0] === 'number';
    return value.map((one, at) =>
      kline && at === 0 ? inMicros(one) : kline && at === KLINE_CLOSE ? lastMicro(one) : withMicros(one),
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  // The bar of a stream says its length in `i`, and its last moment in `T`.
  const ends = 'i' in value && 't' in value && typeof value.i === 'string' ? 'T' : 'closeTime';
  const fields = Object.entries(value).map(([name, one]) => {
    if (!TIME_FIELDS.has(name) || typeof one !== 'number') return [name, withMicros(one)];
    return [name, name === ends ? lastMicro(one) : inMicros(one)];
  });
  const copy: Record<string, unknown> = Object.fromEntries(fields);
  return copy.e === BALANCE_EVENT ? { ...copy, u: inMicros(copy.u) } : copy;
}

/** An answer or an event, its times in a unit. */
export function inTimeUnit(value: unknown, unit: TimeUnit): unknown {
  return unit === 'MICROSECOND' ? withMicros(value) : value;
}

/** The same of one that is already text. */
export function textInTimeUnit(text: string, unit: TimeUnit): string {
  return unit === 'MICROSECOND' ? JSON.stringify(withMicros(JSON.parse(text))) : text;
}
