import type { PublicRestOptions, VenuePublicRest } from '../../venue-public.ts';
import { InstrumentTable } from '../../wire/scaled-instruments.ts';
import type { BinancePublic, BinancePublicOptions } from '../spot/binance-public.ts';
import { binanceFuturesContinuity } from './continuity.ts';
import { createBinanceFuturesPublicRest } from './public-rest.ts';
import { createBinanceFuturesPublicSocket } from './public-socket.ts';

/**
 * Makes the public half of Binance USD-M futures: perpetuals quoted in USDT.
 * `restBase` is `https://fapi.binance.com` or a simulator, `socketBase` `wss://fstream.binance.com` without a path.
 */
export function createBinanceFuturesPublic(options: BinancePublicOptions): BinancePublic {
  const instruments = new InstrumentTable(options.instruments);
  return {
    platform: 1,
    rest: createBinanceFuturesPublicRest({ ...options, instruments }),
    socket: createBinanceFuturesPublicSocket(options.socketBase, 'public', instruments),
    furtherSockets: [createBinanceFuturesPublicSocket(options.socketBase, 'market', instruments)],
    continuity: binanceFuturesContinuity,
    socketSendsSnapshots: false,
    learn: (known) => instruments.learn(known),
  };
}

/** The futures' public REST calls alone. */
export function createBinanceFuturesRest(options: PublicRestOptions): VenuePublicRest {
  return createBinanceFuturesPublicRest({
    ...options,
    instruments: new InstrumentTable(options.instruments),
  });
}
