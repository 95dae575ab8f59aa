import type { Instrument } from '@crossbook/domain';
import { BuiltCandles } from '../../built-candles.ts';
import type { PublicRestOptions, VenuePublic, VenuePublicRest } from '../../venue-public.ts';
import { InstrumentTable } from '../../wire/scaled-instruments.ts';
import { OKX_BUILT_INTERVALS } from '../intervals.ts';
import { OkxBookWitness } from './checksum.ts';
import { okxContinuity } from './continuity.ts';
import { createOkxPublicRest } from './public-rest.ts';
import { createOkxPublicSocket } from './public-socket.ts';

/** A book that does not move is repeated after about 60 s; a little more, for the way here. */
const BOOK_SILENCE_MILLIS_MAX = 65_000;

/** What OKX's public half needs from outside. */
export interface OkxPublicOptions extends PublicRestOptions {
  /** Full address of the public socket: `wss://ws.okx.com:8443/ws/v5/public`. */
  readonly publicSocketUrl: string;
  /** Full address of the business socket, which has the candles. */
  readonly businessSocketUrl: string;
}

/** OKX's public half. A frame about an instrument it was never told of is `malformed`: its scale is unknown. */
export interface OkxPublic extends VenuePublic {
  /** Adds instruments, or replaces what was known of them. */
  learn(instruments: readonly Instrument[]): void;
}

/** Makes OKX's public half, spot and perpetuals in one: pure decoding, and REST over the fetch that is handed in. */
export function createOkxPublic(options: OkxPublicOptions): OkxPublic {
  const instruments = new InstrumentTable(options.instruments);
  const builtCandles = new BuiltCandles(OKX_BUILT_INTERVALS);
  const shared = { instruments, builtCandles };
  return {
    platform: 2,
    rest: createOkxPublicRest({ ...options, ...shared }),
    socket: createOkxPublicSocket({ ...shared, url: options.publicSocketUrl, route: 'public' }),
    furtherSockets: [createOkxPublicSocket({ ...shared, url: options.businessSocketUrl, route: 'business' })],
    continuity: okxContinuity,
    bookWitness: () => new OkxBookWitness(),
    socketSendsSnapshots: true,
    bookSilenceMillisMax: BOOK_SILENCE_MILLIS_MAX,
    learn: (known) => instruments.learn(known),
  };
}

/** OKX's public REST calls alone. */
export function createOkxRest(options: PublicRestOptions): VenuePublicRest {
  const instruments = new InstrumentTable(options.instruments);
  return createOkxPublicRest({
    ...options,
    instruments,
    builtCandles: new BuiltCandles(OKX_BUILT_INTERVALS),
  });
}
