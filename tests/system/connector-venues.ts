import type { Amount, Instrument, PlatformSlug } from '@crossbook/domain';
import { amount, ORDER_TYPE, orderIdOfVenueClientId, plus, TIME_IN_FORCE } from '@crossbook/domain';
import {
  createBinanceTrading,
  createBybitTrading,
  createOkxTrading,
  type VenueCredentials,
  type VenueOrderRequest,
  type VenueTrading,
} from '@crossbook/venues/trading';
import type { tradingOptions } from './simulator-venue.ts';

/** A market that stands still, as orders are put against it. */
export interface StillMarket {
  readonly btc: Instrument;
  readonly bid: Amount;
  /** At which a buy takes, also once the best offers are gone: a hundredth above them. */
  readonly taking: Amount;
}

/** A part of an order, and the venue's own code of its refusal. */
type RefusedOrder = readonly [part: Partial<VenueOrderRequest>, venueCode: string];

/** What the tests of trading connectors must know of a venue; every claim is the same at all of them. */
export interface TradingVenue {
  readonly name: string;
  readonly slug: PlatformSlug;
  /** `off` where waiting means asking faster than the venue allows: its limiter has tests of its own. */
  readonly limits: 'on' | 'off';
  readonly symbol: string;
  /** `socketBase`: `ws://` and the host; of a port where nobody listens, everything goes by REST. */
  create(options: ReturnType<typeof tradingOptions>, socketBase: string): VenueTrading;
  readonly socket: {
    readonly name: string;
    /** Orders go over it only while the account's private stream is followed. */
    readonly followedFirst: boolean;
    /** A logged-on socket speaks for its key: a wrong secret shows by REST alone. */
    readonly signsEachRequest: boolean;
    /** Requests besides placements that never go by REST once it is open. */
    readonly neverByRest?: RegExp;
  };
  /** Method and path of a placement by REST. */
  readonly placing: string;
  /** Names of its calls at the simulator, for faults. */
  readonly calls: { readonly place: string; readonly amend: string; readonly transfer: string };
  /** Orders on pairs are not changed but replaced. */
  readonly replaces: boolean;
  /** The answer to a placement tells what became of the order; elsewhere it is a receipt. */
  readonly answersTell: boolean;
  /** Events of fills tell the order's state besides. */
  readonly fillsTellState: boolean;
  readonly free: boolean;
  refusals(market: StillMarket): readonly RefusedOrder[];
  readonly wrongKeys: readonly (readonly [Partial<VenueCredentials>, venueCode: string])[];
  /** Why each private stream of a key that nobody has is closed. */
  readonly refusedStreams: readonly string[];
  readonly transfers: {
    /** A transfer of more than there is; absent where the venue's answer leaves it unclear. */
    readonly overdrawnCode?: string;
    /** What becomes of the same transfer sent again: nothing moves twice. */
    readonly again: 'done' | 'unknown';
    /** The venue's id of a transfer, where it is made from ours. */
    idOf?(clientId: string): string | undefined;
  };
}

const NOT_EXPRESSIBLE: RefusedOrder = [{ type: ORDER_TYPE.MARKET }, 'LOCAL_NOT_EXPRESSIBLE'];
const sized = (price: Amount, quantity: string) => ({ price, quantity: amount(quantity) });
const strange = ({ btc, bid }: StillMarket, symbol: string) => ({
  ...{ instrument: { ...btc, symbol }, ...sized(bid, '1') },
});
const offGrid = ({ bid }: StillMarket) => sized(plus(bid, 1n as Amount), '0.01');

const BINANCE: TradingVenue = {
  name: 'Binance',
  slug: 'binance',
  limits: 'on',
  symbol: 'BTCUSDT',
  create: (options, base) =>
    createBinanceTrading({
      ...{ ...options, wsApiUrl: `${base}/ws-api/v3` },
      futures: { restBase: options.restBase, socketBase: base },
    }),
  socket: {
    name: 'the WebSocket API',
    followedFirst: false,
    signsEachRequest: true,
    neverByRest: /\/api\/v3\/(?!time)/,
  },
  placing: 'POST /api/v3/order',
  calls: { place: 'order.place', amend: 'order.cancelReplace', transfer: 'broker.transfer' },
  replaces: true,
  answersTell: true,
  fillsTellState: true,
  free: false,
  refusals: (market) => [
    [{ ...sized(market.taking, '0.01'), timeInForce: TIME_IN_FORCE.POST_ONLY }, '-2010'],
    [offGrid(market), '-1111'],
    [sized(market.bid, '0.00001'), '-1013'],
    [sized(market.bid, '50'), '-2010'],
    NOT_EXPRESSIBLE,
    [strange(market, 'NOSUCHUSDT'), '-1121'],
  ],
  wrongKeys: [
    [{ secret: 'wrong' }, '-1022'],
    [{ apiKey: 'x'.repeat(64) }, '-2015'],
  ],
  refusedStreams: ['subscription refused: -2015', 'no listen key: venue answered -2015'],
  transfers: { overdrawnCode: '-9000', again: 'done' },
};

const OKX: TradingVenue = {
  name: 'OKX',
  slug: 'okx',
  limits: 'off',
  symbol: 'BTC-USDT',
  create: (options, base) =>
    createOkxTrading({
      ...{ ...options, contracts: true },
      privateSocketUrl: `${base}/ws/v5/private`,
      businessSocketUrl: `${base}/ws/v5/business`,
    }),
  socket: {
    name: 'the private socket',
    followedFirst: true,
    signsEachRequest: false,
  },
  placing: 'POST /api/v5/trade/order',
  calls: { place: 'order.place', amend: 'order.amend', transfer: 'transfer.place' },
  replaces: false,
  answersTell: false,
  fillsTellState: true,
  free: false,
  refusals: (market) => [
    [offGrid(market), '51000'],
    [sized(market.bid, '0.000000001'), '51121'],
    [sized(market.bid, '0.000001'), '51020'],
    [sized(market.bid, '50'), '51008'],
    NOT_EXPRESSIBLE,
    [strange(market, 'NO-SUCH'), '51001'],
  ],
  wrongKeys: [
    [{ secret: 'wrong' }, '50113'],
    [{ passphrase: 'wrong' }, '50105'],
    [{ apiKey: 'x'.repeat(36) }, '50111'],
  ],
  refusedStreams: ['log-on or subscription refused: 60005'],
  transfers: { again: 'done' },
};

const BYBIT: TradingVenue = {
  name: 'Bybit',
  slug: 'bybit',
  limits: 'on',
  symbol: 'BTCUSDT',
  create: (options, socketBase) => createBybitTrading({ ...options, socketBase, contracts: true }),
  socket: {
    name: 'the trade socket',
    followedFirst: false,
    signsEachRequest: false,
  },
  placing: 'POST /v5/order/create',
  calls: { place: 'order.create', amend: 'order.amend', transfer: 'transfer.universal' },
  replaces: false,
  answersTell: false,
  fillsTellState: false,
  free: true,
  refusals: (market) => [
    [offGrid(market), '170134'],
    [sized(market.bid, '0.0000001'), '170137'],
    [sized(market.bid, '0.000001'), '170140'],
    [sized(market.bid, '50'), '170131'],
    NOT_EXPRESSIBLE,
    [strange(market, 'NOSUCHUSDT'), '170121'],
  ],
  wrongKeys: [
    [{ secret: 'wrong' }, '10004'],
    [{ apiKey: 'x'.repeat(18) }, '10003'],
  ],
  refusedStreams: ['log-on refused'],
  transfers: { overdrawnCode: '131212', again: 'unknown', idOf: orderIdOfVenueClientId },
};

/** The venues one can trade at. */
export const TRADING_VENUES: readonly TradingVenue[] = [BINANCE, OKX, BYBIT];
