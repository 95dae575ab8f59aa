import type { Platform } from '@crossbook/domain';
import type { PublicLimits } from './arbiter/public-limits.ts';
import { BINANCE_PUBLIC_LIMITS } from './binance/limits.ts';
import { BYBIT_PUBLIC_LIMITS } from './bybit/limits.ts';
import { OKX_PUBLIC_LIMITS } from './okx/limits.ts';

/** What the public calls of every venue use of its limits. */
export const PUBLIC_LIMITS: Readonly<Record<Platform, PublicLimits>> = {
  1: BINANCE_PUBLIC_LIMITS,
  2: OKX_PUBLIC_LIMITS,
  3: BYBIT_PUBLIC_LIMITS,
};
