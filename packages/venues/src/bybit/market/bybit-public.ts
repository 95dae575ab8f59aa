import type { Instrument } from '@crossbook/domain';
import { BuiltCandles } from '../../built-candles.ts';
import type { PublicRestOptions, VenuePublic, VenuePublicRest } from '../../venue-public.ts';
import { InstrumentTable } from '../../wire/scaled-instruments.ts';
import { BUILT_INTERVALS } from '../intervals.ts';
import type { BybitCategory } from '../urls.ts';
import { bybitContinuity } from './continuity.ts';
import { createBybitPublicRest } from './public-rest.ts';
import { createBybitPublicSocket } from './public-socket.ts';

/** What the public half of one of Bybit's categories needs from outside. */
export interface BybitPublicOptions extends PublicRestOptions {
  /** Spot and perpetuals have the same symbols on different sockets: each category is a public half of its own. */
  readonly category: BybitCategory;
  /** `wss://stream.bybit.com` or `ws://127.0.0.1:PORT`. */
  readonly socketBase: string;
}

/** A public half of Bybit. A frame about an instrument it was never told of is `malformed`: its scale is unknown. */
export interface BybitPublic extends VenuePublic {
  /** Adds instruments, or replaces what was known of them. */
  learn(instruments: readonly Instrument[]): void;
}

/**
 * Makes the public half of one category. Its books come whole on the socket (`socketSendsSnapshots`): a REST depth
 * answer counts other update ids (those of 1,000 levels) and must not be joined with the stream.
 */
export function createBybitPublic(options: BybitPublicOptions): BybitPublic {
  const instruments = new InstrumentTable(options.instruments);
  const builtCandles = new BuiltCandles(BUILT_INTERVALS);
  return {
    platform: 3,
    rest: createBybitPublicRest({ ...options, instruments, builtCandles }),
    socket: createBybitPublicSocket({ ...options, instruments, builtCandles }),
    continuity: bybitContinuity,
    socketSendsSnapshots: true,
    learn: (known) => instruments.learn(known),
  };
}

/** The public REST calls of one category alone. */
export function createBybitRest(options: Omit<BybitPublicOptions, 'socketBase'>): VenuePublicRest {
  const instruments = new InstrumentTable(options.instruments);
  return createBybitPublicRest({ ...options, instruments, builtCandles: new BuiltCandles(BUILT_INTERVALS) });
}
