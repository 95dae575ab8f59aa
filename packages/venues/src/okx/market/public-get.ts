import type { Result } from '@crossbook/domain';
import type { MarketDataFailure } from '../../venue-public.ts';

/** One GET; `read` answers `undefined` for any shape that is not the documented one. Never throws. */
export type PublicGet = <Value>(
  path: string,
  parameters: Readonly<Record<string, string | number>>,
  read: (answer: unknown) => Value | undefined,
) => Promise<Result<Value, MarketDataFailure>>;
