import { type ChannelArg, streamMarket } from '@crossbook/contract';
import {
  type AlgoOffer,
  type Amount,
  type Instrument,
  PLATFORMS,
  type Platform,
  platformFacts,
  type SpotOrderOffer,
  type SymbolType,
  ZERO,
} from '@crossbook/domain';
import { type CandleProfile, type ContractOffer, venueProfile } from '@crossbook/venues';

/** What names a market: Binance and Bybit list `BTCUSDT` twice, as a pair and as a perpetual. */
export type MarketName = Pick<Instrument, 'platform' | 'symbolType' | 'symbol'>;
/** A market as the live connection of its platform names it: `m` is 2 for perpetuals and absent for spot. */
export type StreamName = Pick<ChannelArg, 's' | 'm'>;

/** Text that is different for every market: `1:SPOT:BTCUSDT`. */
export function marketKey({ platform, symbolType, symbol }: MarketName): string {
  return `${platform}:${symbolType}:${symbol}`;
}

/** How the live connection names a market. */
export function streamName({ symbol, symbolType }: Omit<MarketName, 'platform'>): StreamName {
  return { s: symbol, ...streamMarket(symbolType) };
}

/** The market that opens where nothing else is known: the default links of spec section 2. */
export function defaultMarket(platform: Platform, symbolType: SymbolType): MarketName {
  return { platform, symbolType, symbol: venueProfile(platform).markets[symbolType].defaultSymbol };
}

/** The market where neither exchange, kind nor symbol is said (spec section 9). */
export const FIRST_MARKET: MarketName = defaultMarket(PLATFORMS[0].platform, 'SWAP');

/** The pair that a newcomer begins with. */
export const FIRST_PAIR: MarketName = defaultMarket(FIRST_MARKET.platform, 'SPOT');

/** The bars of a market: resolutions, and how many to ask for. */
export function candlesOffered(platform: Platform, symbolType: SymbolType): CandleProfile {
  return venueProfile(platform).markets[symbolType].candles;
}

/** What the order call of a platform's spot market offers. */
export function spotOffer(platform: Platform): SpotOrderOffer {
  return venueProfile(platform).trading.spot;
}

/** How a platform's contracts are traded. */
export function contractOffer(platform: Platform): ContractOffer {
  return venueProfile(platform).trading.contracts;
}

/** What a platform offers of orders that wait for a price. */
export function algoOffer(platform: Platform, symbolType: SymbolType): AlgoOffer {
  return venueProfile(platform).trading.algos[symbolType];
}

/** What taking costs at a platform, as a fraction. */
export function takerFee(platform: Platform, symbolType: SymbolType): Amount {
  return venueProfile(platform).markets[symbolType].fees.taker;
}

/** Whether trading pairs at a platform costs no fee. */
export function isSpotFree(platform: Platform): boolean {
  const { maker, taker } = venueProfile(platform).markets.SPOT.fees;
  return maker === ZERO && taker === ZERO;
}

/** Whether a frame belongs to a market. */
export function isOfMarket(frame: StreamName, market: StreamName | undefined): boolean {
  return market !== undefined && frame.s === market.s && frame.m === market.m;
}

/** The address of a market's trade page, for a router link: `to` and `params`. */
export function tradeLink({ platform, symbolType, symbol }: MarketName) {
  const params = { exchange: platformFacts(platform).slug, symbol };
  return symbolType === 'SPOT'
    ? ({ to: '/spot/$exchange/$symbol', params } as const)
    : ({ to: '/futures/$exchange/$symbol', params } as const);
}
