import type { CandleInterval, PlatformSlug, SymbolType } from '@crossbook/domain';
import { PUBLIC_HALVES } from './public-halves.ts';

/** An instrument as the venue's own list has it. */
type Listed = Readonly<Record<string, string>>;

/** What the tests of public connectors must know of one market of a venue; every claim is the same at all of them. */
interface VenueMarket {
  readonly create: (typeof PUBLIC_HALVES)[PlatformSlug]['spot'];
  readonly type: SymbolType;
  /** The market of BTC, and one that nobody lists. */
  readonly btc: string;
  readonly nobody: string;
  /** Base coins in one contract. */
  readonly contract: string;
  /** The venue's own list of instruments, and how it tells what we list and what is halted. */
  readonly list: {
    readonly path: string;
    rows(body: never): readonly Listed[];
    symbol(row: Listed): string | undefined;
    ours(row: Listed): boolean;
    /** Absent where halted instruments are not listed at all. */
    halted?(row: Listed): boolean;
    /** Names of what the list has and we leave out. */
    readonly leftOut: readonly RegExp[];
  };
  /** Instruments that trade, at least. */
  readonly tradingMin: number;
  /** Two pages that join: how many bars before how many of the newest. */
  readonly pages: readonly (readonly [interval: CandleInterval, older: number, newest: number])[];
  /** Bars of a second on one page, where there are any: a second may pass between two pages. */
  readonly seconds?: number;
  /** Intervals that are asked for on the socket, and those whose bars arrive: some are built from others. */
  readonly bars: { readonly asked: readonly CandleInterval[]; readonly arrive: readonly CandleInterval[] };
  readonly furtherKinds: readonly string[];
  /** Books, and how many changes must be applied. */
  readonly books: readonly (readonly [symbol: string, changes: number])[];
  /** Levels a side that a snapshot is asked for, and how many of them are compared. */
  readonly depth: { readonly asked: number; readonly compared: number };
  /** Every change has a checksum. */
  readonly checksums: boolean;
  /** The stream of the BTC book at the simulator, for faults. */
  readonly stream: string;
}

const BINANCE = {
  btc: 'BTCUSDT',
  nobody: 'NOSUCHUSDT',
  contract: '1',
  bars: { asked: ['1m'], arrive: ['1m'] },
  checksums: false,
} as const;
const binanceList = {
  rows: ({ symbols }: { symbols: readonly Listed[] }) => symbols,
  symbol: (row: Listed) => row.symbol,
  halted: (row: Listed) => row.status !== 'TRADING',
};

const OKX = {
  tradingMin: 14,
  pages: [
    ['1m', 120, 350],
    ['1h', 120, 350],
    ['8h', 120, 350],
  ],
  seconds: 150,
  bars: { asked: ['1m', '8h', '1d'], arrive: ['1m', '4h', '1d'] },
  depth: { asked: 400, compared: 400 },
  checksums: true,
} as const;
const okxList = {
  rows: ({ data }: { data: readonly Listed[] }) => data,
  symbol: (row: Listed) => row.instId,
  halted: (row: Listed) => row.state !== 'live',
};

const BYBIT = {
  btc: 'BTCUSDT',
  nobody: 'NOSUCHUSDT',
  contract: '1',
  tradingMin: 15,
  pages: [
    ['1h', 50, 100],
    ['8h', 50, 100],
  ],
  bars: { asked: ['1m', '8h'], arrive: ['1m'] },
  furtherKinds: [],
  books: [['BTCUSDT', 100]],
  depth: { asked: 200, compared: 200 },
  checksums: false,
  stream: 'orderbook.200.BTCUSDT',
} as const;
const bybitList = {
  rows: ({ result }: { result: { list: readonly Listed[] } }) => result.list,
  symbol: (row: Listed) => row.symbol,
};

/** A venue with both its markets, which share a simulator. */
export interface MarketVenue {
  readonly name: string;
  readonly slug: PlatformSlug;
  /** `off` where waiting means asking faster than the venue allows: its limiter has tests of its own. */
  readonly limits: 'on' | 'off';
  readonly markets: readonly VenueMarket[];
}

/** Spot and perpetuals of every venue. */
export const MARKET_VENUES: readonly MarketVenue[] = [
  {
    name: 'Binance',
    slug: 'binance',
    limits: 'off',
    markets: [
      {
        ...BINANCE,
        type: 'SPOT',
        create: PUBLIC_HALVES.binance.spot,
        list: {
          ...binanceList,
          path: '/api/v3/exchangeInfo',
          ours: (row) => row.quoteAsset === 'USDT',
          leftOut: [],
        },
        tradingMin: 20,
        pages: [['1h', 500, 1_000]],
        furtherKinds: [],
        books: [
          ['BTCUSDT', 50],
          ['ETHUSDT', 50],
        ],
        depth: { asked: 5_000, compared: 1_000 },
        stream: 'btcusdt',
      },
      {
        ...BINANCE,
        type: 'SWAP',
        create: PUBLIC_HALVES.binance.perps,
        list: {
          ...binanceList,
          path: '/fapi/v1/exchangeInfo',
          ours: (row) => row.contractType === 'PERPETUAL' && row.quoteAsset === 'USDT',
          leftOut: [/_\d/, /USDC$/],
        },
        tradingMin: 15,
        pages: [['1h', 1_500, 1_500]],
        furtherKinds: ['perp-stats'],
        books: [
          ['BTCUSDT', 60],
          ['ETHUSDT', 25],
        ],
        depth: { asked: 1_000, compared: 500 },
        stream: 'fapi.btcusdt',
      },
    ],
  },
  {
    name: 'OKX',
    slug: 'okx',
    limits: 'off',
    markets: [
      {
        ...OKX,
        type: 'SPOT',
        create: PUBLIC_HALVES.okx.spot,
        btc: 'BTC-USDT',
        nobody: 'NO-USDT',
        contract: '1',
        list: {
          ...okxList,
          path: '/api/v5/public/instruments?instType=SPOT',
          ours: (row) => row.quoteCcy === 'USDT',
          leftOut: [/^ETH-BTC$/],
        },
        furtherKinds: [],
        books: [['BTC-USDT', 100]],
        stream: 'books/BTC-USDT',
      },
      {
        ...OKX,
        type: 'SWAP',
        create: PUBLIC_HALVES.okx.perps,
        btc: 'BTC-USDT-SWAP',
        nobody: 'NO-USDT-SWAP',
        contract: '0.01',
        list: {
          ...okxList,
          path: '/api/v5/public/instruments?instType=SWAP',
          ours: (row) => row.settleCcy === 'USDT' && row.ctType === 'linear',
          leftOut: [/^BTC-USDC-SWAP$/],
        },
        furtherKinds: ['perp-stats'],
        books: [['BTC-USDT-SWAP', 100]],
        stream: 'books/BTC-USDT-SWAP',
      },
    ],
  },
  {
    name: 'Bybit',
    slug: 'bybit',
    limits: 'on',
    markets: [
      {
        ...BYBIT,
        type: 'SPOT',
        create: PUBLIC_HALVES.bybit.spot,
        list: {
          ...bybitList,
          path: '/v5/market/instruments-info?category=spot',
          ours: (row) => row.quoteCoin === 'USDT',
          leftOut: [/^ETHBTC$/],
        },
      },
      {
        ...BYBIT,
        type: 'SWAP',
        create: PUBLIC_HALVES.bybit.perps,
        list: {
          ...bybitList,
          path: '/v5/market/instruments-info?category=linear',
          ours: (row) => row.contractType === 'LinearPerpetual' && row.quoteCoin === 'USDT',
          leftOut: [/^BTCPERP$/, /^BTCUSDT-/],
        },
      },
    ],
  },
];
