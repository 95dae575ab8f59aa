import type { PlatformSlug } from '@crossbook/domain';
import type { FaultBox } from '../faults.ts';
import type { SimulatedVenue } from '../simulated-venue.ts';
import { BinanceDialect } from './binance/dialect.ts';
import { BinanceFuturesDialect } from './binance/perps/dialect.ts';
import type { BinanceLimits } from './binance/rate-limits.ts';
import { BybitDialect } from './bybit/dialect.ts';
import type { Dialect } from './dialect.ts';
import { OkxDialect } from './okx/dialect.ts';

/** What a dialect is made from; nothing else is needed. */
export interface DialectParts {
  readonly venue: SimulatedVenue;
  readonly faults: FaultBox;
  /** Random letters and digits, for ids and keys. */
  readonly randomText: (length: number) => string;
  /** Whether the venue's rate limits hold; load tests switch them off. */
  readonly limited: boolean;
  /** Other limits than Binance spot's own, for its tests. */
  readonly binanceLimits?: Partial<BinanceLimits>;
  /** Hears of a fault of ours; the client is told that the outcome is unknown. */
  readonly onFault: (fault: unknown) => void;
}

/** One dialect as the server knows it. */
export interface DialectEntry {
  /** The venue it speaks for; a process without that venue has no such dialect. */
  readonly venue: PlatformSlug;
  readonly make: (parts: DialectParts) => Dialect;
}

const BINANCE_LIMITS_OFF = {
  requestWeightPerMinuteMax: 1e12,
  ordersPer10SecondsMax: 1e12,
  ordersPerDayMax: 1e12,
  rawRequestsPer5MinutesMax: 1e12,
  connectionsPer5MinutesMax: 1e12,
  streamMessagesPerSecondMax: 1e12,
};
const BINANCE_FUTURES_LIMITS_OFF = {
  requestWeightPerMinuteMax: 1e12,
  fundingCallsPer5MinutesMax: 1e12,
  ordersPerMinuteMax: 1e12,
  ordersPer10SecondsMax: 1e12,
  connectionsPer5MinutesMax: 1e12,
  streamMessagesPerSecondMax: 1e12,
};

const BYBIT_LIMITS_OFF = {
  addressCallsPer5SecondsMax: 1e12,
  connectionsPer5MinutesMax: 1e12,
  accountCallsFactor: 1e9,
};

function binanceSpot(parts: DialectParts): Dialect {
  const { venue, faults, randomText, onFault, limited, binanceLimits } = parts;
  return new BinanceDialect({
    exchange: venue.spot,
    perps: venue.perps,
    faults,
    randomText,
    onFault,
    watch: (symbol) => venue.watch('spot', symbol),
    limits: { ...(limited ? {} : BINANCE_LIMITS_OFF), ...binanceLimits },
  });
}

function binanceFutures({ venue, faults, randomText, limited, onFault }: DialectParts): Dialect {
  const limits = limited ? {} : BINANCE_FUTURES_LIMITS_OFF;
  return new BinanceFuturesDialect({ venue, faults, randomText, limits, onFault });
}

function bybit({ venue, faults, randomText, limited, onFault }: DialectParts): Dialect {
  const limits = limited ? {} : BYBIT_LIMITS_OFF;
  return new BybitDialect({ venue, faults, randomText, limits, onFault });
}

/**
 * Every dialect, in the order in which the server asks: a path belongs to the first that owns it, so the narrow ones
 * (`/ws/v5/`, `/v5/`, `/fapi/`) stand before Binance spot's `/ws/`.
 */
export const DIALECTS: readonly DialectEntry[] = [
  { venue: 'okx', make: (parts) => new OkxDialect(parts) },
  { venue: 'bybit', make: bybit },
  { venue: 'binance', make: binanceFutures },
  { venue: 'binance', make: binanceSpot },
];
