import type { Millis, Platform, SymbolType } from '@crossbook/domain';
import {
  createBinanceFuturesPublic,
  createBinancePublic,
  createBybitPublic,
  createOkxPublic,
  type FetchText,
  type VenuePublic,
} from '@crossbook/venues';
import {
  createBinanceTrading,
  createBybitTrading,
  createOkxTrading,
  type OpenTextSocket,
  type SendHttp,
  type Timers,
  type VenueArbiter,
  type VenueTrading,
} from '@crossbook/venues/trading';
import type { VenueConfig } from '../../config-venues.ts';

/** What the trading halves need from outside. */
export interface TradingPorts {
  readonly clock: () => Millis;
  /** Uniform in [0, 1), for jitter only. */
  readonly random: () => number;
  readonly timers: Timers;
  readonly sendHttp: SendHttp;
  readonly openSocket: OpenTextSocket;
  readonly arbiter: VenueArbiter;
}

/** What the public halves need from outside. */
export interface PublicPorts {
  readonly fetchText: FetchText;
  readonly clock: () => Millis;
}

/** How one venue is connected: the one place that knows which connector belongs to which platform. */
export interface VenueConnections {
  /** The public half of one market. */
  publicHalf(venue: VenueConfig, symbolType: SymbolType, ports: PublicPorts): VenuePublic;
  /** The trading half: pairs, and contracts where the connector takes their orders. */
  tradingHalf(venue: VenueConfig, ports: TradingPorts): VenueTrading;
}

const BINANCE: VenueConnections = {
  publicHalf({ restBases, streamBases }, symbolType, ports) {
    const create = symbolType === 'SPOT' ? createBinancePublic : createBinanceFuturesPublic;
    const bases = { restBase: restBases[symbolType], socketBase: streamBases[symbolType] };
    return create({ ...bases, ...ports });
  },
  tradingHalf: ({ restBases, streamBases, tradeBase }, ports) =>
    createBinanceTrading({
      ...{ restBase: restBases.SPOT, wsApiUrl: tradeBase },
      futures: { restBase: restBases.SWAP, socketBase: streamBases.SWAP },
      ...ports,
    }),
};

const OKX: VenueConnections = {
  publicHalf({ restBases, streamBases }, symbolType, ports) {
    const sockets = `${streamBases[symbolType]}/ws/v5`;
    return createOkxPublic({
      restBase: restBases[symbolType],
      publicSocketUrl: `${sockets}/public`,
      businessSocketUrl: `${sockets}/business`,
      ...ports,
    });
  },
  tradingHalf: ({ restBases, tradeBase }, ports) =>
    createOkxTrading({
      restBase: restBases.SPOT,
      privateSocketUrl: `${tradeBase}/ws/v5/private`,
      businessSocketUrl: `${tradeBase}/ws/v5/business`,
      contracts: true,
      ...ports,
    }),
};

const BYBIT: VenueConnections = {
  publicHalf: ({ restBases, streamBases }, symbolType, ports) =>
    createBybitPublic({
      category: symbolType === 'SPOT' ? 'spot' : 'linear',
      restBase: restBases[symbolType],
      socketBase: streamBases[symbolType],
      ...ports,
    }),
  tradingHalf: ({ restBases, tradeBase }, ports) =>
    createBybitTrading({ restBase: restBases.SPOT, socketBase: tradeBase, contracts: true, ...ports }),
};

/** Every venue's connectors; a new venue is a new entry. */
export const VENUE_CONNECTIONS: Readonly<Record<Platform, VenueConnections>> = {
  1: BINANCE,
  2: OKX,
  3: BYBIT,
};
