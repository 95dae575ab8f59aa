import type { Instrument } from '@crossbook/domain';
import type { PublicRestOptions, VenuePublic, VenuePublicRest } from '../../venue-public.ts';
import { InstrumentTable } from '../../wire/scaled-instruments.ts';
import { binanceSpotContinuity } from './continuity.ts';
import { createBinancePublicRest } from './public-rest.ts';
import { createBinancePublicSocket } from './public-socket.ts';

/** What Binance spot's public half needs from outside. */
export interface BinancePublicOptions extends PublicRestOptions {
  /** `wss://stream.binance.com:9443` or `ws://127.0.0.1:PORT`. */
  readonly socketBase: string;
}

/** Binance spot's public half. A frame about an instrument it was never told of is `malformed`: its scale is unknown. */
export interface BinancePublic extends VenuePublic {
  /** Adds instruments, or replaces what was known of them. */
  learn(instruments: readonly Instrument[]): void;
}

/** Makes Binance spot's public half: pure decoding, and REST over the fetch that is handed in. */
export function createBinancePublic(options: BinancePublicOptions): BinancePublic {
  const instruments = new InstrumentTable(options.instruments);
  return {
    platform: 1,
    rest: createBinancePublicRest({ ...options, instruments }),
    socket: createBinancePublicSocket(options.socketBase, instruments),
    continuity: binanceSpotContinuity,
    socketSendsSnapshots: false,
    learn: (known) => instruments.learn(known),
  };
}

/** Binance spot's public REST calls alone. */
export function createBinanceRest(options: PublicRestOptions): VenuePublicRest {
  return createBinancePublicRest({ ...options, instruments: new InstrumentTable(options.instruments) });
}
