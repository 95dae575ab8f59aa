import type { Instrument, Millis } from '@crossbook/domain';
import type { FetchText, VenuePublic } from '../../venue-public.ts';
import { InstrumentTable } from '../../wire/scaled-instruments.ts';
import { binanceSpotContinuity } from './continuity.ts';
import { createBinancePublicRest } from './public-rest.ts';
import { createBinancePublicSocket } from './public-socket.ts';

/** What Binance spot's public half needs from outside. */
export interface BinancePublicOptions {
  /** `https://api.binance.com`, a simulator, or an own-origin relay such as `/md/binance`. */
  readonly restBase: string;
  /** `wss://stream.binance.com:9443` or `ws://127.0.0.1:PORT`. */
  readonly socketBase: string;
  readonly fetchText: FetchText;
  readonly clock: () => Millis;
  /** Instruments already known, where `rest.instruments` is not called first (the browser has them from the hub). */
  readonly instruments?: readonly Instrument[];
}

/** Binance spot's public half. A frame about an instrument it was never told of is `malformed`: its scale is unknown. */
export interface BinancePublic extends VenuePublic {
  /** Adds instruments, or replaces what was known of them. */
  learn(instruments: readonly Instrument[]): void;
}

/** Makes Binance spot's public half: pure decoding, and REST over the fetch that is handed in. */
export function createBinancePublic(options: BinancePublicOptions): BinancePublic {
  const instruments = new InstrumentTable();
  instruments.learn(options.instruments ?? []);
  return {
    platform: 1,
    rest: createBinancePublicRest({ ...options, instruments }),
    socket: createBinancePublicSocket(options.socketBase, instruments),
    continuity: binanceSpotContinuity,
    socketSendsSnapshots: false,
    learn: (known) => instruments.learn(known),
  };
}
