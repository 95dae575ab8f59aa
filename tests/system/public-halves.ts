import type { PlatformSlug } from '@crossbook/domain';
import {
  createBinanceFuturesPublic,
  createBinancePublic,
  createBybitPublic,
  createOkxPublic,
  type VenuePublic,
} from '@crossbook/venues';
import { fetchText, now, type SimulatorVenue } from './simulator-venue.ts';

type Create = (simulator: SimulatorVenue) => VenuePublic;

const bases = ({ url, socketUrl }: SimulatorVenue) => ({
  ...{ restBase: url, socketBase: socketUrl, fetchText, clock: now },
});

const okx: Create = (simulator) =>
  createOkxPublic({
    ...bases(simulator),
    publicSocketUrl: `${simulator.socketUrl}/ws/v5/public`,
    businessSocketUrl: `${simulator.socketUrl}/ws/v5/business`,
  });

/** Makes the public half of each venue's two markets over a simulator. */
export const PUBLIC_HALVES: Readonly<
  Record<PlatformSlug, { readonly spot: Create; readonly perps: Create }>
> = {
  binance: {
    spot: (simulator) => createBinancePublic(bases(simulator)),
    perps: (simulator) => createBinanceFuturesPublic(bases(simulator)),
  },
  okx: { spot: okx, perps: okx },
  bybit: {
    spot: (simulator) => createBybitPublic({ ...bases(simulator), category: 'spot' }),
    perps: (simulator) => createBybitPublic({ ...bases(simulator), category: 'linear' }),
  },
};
