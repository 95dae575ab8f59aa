import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Millis, ok, type PlatformSlug, type Result } from '@crossbook/domain';
import { type OpenedExchange, openExchange } from './core.ts';
import type { ExchangeListener } from './exchange.ts';
import { HISTORY_START } from './market/candles.ts';
import type { ListedMarket } from './market/listing.ts';
import { type MarketFiles, marketDirectory, volatileFiles } from './market/market-files.ts';
import { openMarketSide, type RunningMarketSide } from './market/market-side.ts';
import { type ListedContract, perpFactsOf, perpListing } from './market/perp-listing.ts';
import { type ContractStats, contractStats } from './market/perp-stats.ts';
import { openPriceReference, type PriceReference } from './market/price-reference.ts';
import type { ReplayPlan } from './market/replay.ts';
import { spotListing } from './market/spot-listing.ts';
import type { PerpFacts, PerpMarkets, SimulatedVenue } from './venue.ts';

/** What all venues of one process share. */
export interface VenueSurroundings {
  readonly seed: number;
  readonly clock: () => Millis;
  /** Calls `work` about every so many milliseconds until the returned function is called. Absent: only `step` moves the markets. */
  readonly every?: (millis: number, work: () => void) => () => void;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Hears of faults that must not stop trading or, `fatal`, must stop the process: the disk failed. */
  readonly onFault: (fault: unknown, fatal: boolean) => void;
  /** The process's data directory; absent keeps nothing. */
  readonly data?: string;
  readonly replay?: ReplayPlan;
  /** Lists only markets and contracts of these coins, for tests that need few. */
  readonly coins?: ReadonlySet<string>;
}

/** A venue with what only its composition and tests need. */
export interface OpenedVenue extends SimulatedVenue {
  readonly spot: OpenedExchange;
  /** The clockwork behind each market kind. */
  readonly sides: { readonly spot: RunningMarketSide; readonly perps: RunningMarketSide };
  /** Lets everything happen that is due at `now` in both kinds of market. */
  step(now: Millis): void;
  setAgentsPaused(paused: boolean): void;
  setPerpStatus(symbol: string, status: PerpFacts['status']): void;
  /** Flushes the journal, writes a snapshot and stops all timers. */
  close(): Promise<void>;
}

/** Binance keeps today's places, so that a data directory of before still opens. */
function directoryOf(data: string, venue: PlatformSlug, part: string): string {
  return venue === 'binance' ? join(data, part) : join(data, venue, part);
}

function filesOf(surroundings: VenueSurroundings, venue: PlatformSlug, part: string): MarketFiles {
  if (surroundings.data === undefined) return volatileFiles();
  return marketDirectory(directoryOf(surroundings.data, venue, part));
}

/**
 * Opens what all venues of one process share: the story of every coin.
 * @returns a refusal, as a sentence naming file and line, only when a recording cannot be used.
 */
export function openCoins(surroundings: VenueSurroundings): Promise<Result<PriceReference, string>> {
  const { seed, clock, replay } = surroundings;
  return openPriceReference({
    seed,
    now: clock(),
    files: filesOf(surroundings, 'binance', 'market'),
    ...(replay === undefined ? {} : { replay }),
  });
}

/**
 * Opens one venue: recovers its members from its own journal, opens its books and starts its agents.
 * @param reference the story of every coin; all venues of one process share one (`openCoins`).
 * @throws DirectoryInUse, JournalDamaged.
 */
export async function openVenue(
  slug: PlatformSlug,
  surroundings: VenueSurroundings,
  reference: PriceReference,
): Promise<OpenedVenue> {
  const { coins } = surroundings;
  const kept = <Market extends ListedMarket>(
    markets: readonly Market[],
    coinOf: (market: Market) => string,
  ) => (coins === undefined ? markets : markets.filter((market) => coins.has(coinOf(market))));
  const spotSide = await openSide(slug, surroundings, {
    reference,
    markets: kept(spotListing(slug), (market) => market.base),
    files: 'market',
  });
  const contracts = kept(perpListing(slug), (contract) => contract.coin.coin);
  const perpSide = await openSide(slug, surroundings, {
    reference,
    markets: contracts,
    files: 'perps-market',
  });
  const spot = await openSpot(slug, surroundings, spotSide);
  const { clock, randomBytes, onFault } = surroundings;
  // Nothing of the contracts' books is kept, so their ids go by the clock: a thousand a second, more than they use.
  const firstIds = Math.max(0, clock() - HISTORY_START);
  const book = await openExchange({ market: perpSide, clock, randomBytes, onFault, firstIds }).catch(
    async (fault) => {
      await spot.close();
      throw fault;
    },
  );
  const perps = perpMarkets(slug, { book, contracts, reference });
  const sides = { spot: spotSide, perps: perpSide };
  return {
    slug,
    spot,
    perps,
    sides,
    watch: (market, symbol) => sides[market].watch(symbol),
    step: (now) => {
      spotSide.step(now);
      perpSide.step(now);
    },
    setAgentsPaused: (paused) => {
      spot.setAgentsPaused(paused);
      book.setAgentsPaused(paused);
    },
    setPerpStatus: (symbol, status) => book.setStatus(symbol, status),
    close: async () => {
      await Promise.all([spot.close(), book.close()]);
    },
  };
}

async function openSide(
  slug: PlatformSlug,
  surroundings: VenueSurroundings,
  side: {
    readonly reference: PriceReference;
    readonly markets: readonly ListedMarket[];
    readonly files: string;
  },
): Promise<RunningMarketSide> {
  const { seed, clock, every } = surroundings;
  const { reference, markets } = side;
  const files = filesOf(surroundings, slug, side.files);
  const opened = await openMarketSide({
    seed,
    clock,
    files,
    reference,
    markets,
    ...(every === undefined ? {} : { every }),
  });
  if (!opened.ok) throw new Error(opened.code);
  return opened.value;
}

async function openSpot(
  slug: PlatformSlug,
  surroundings: VenueSurroundings,
  market: RunningMarketSide,
): Promise<OpenedExchange> {
  const { data, clock, randomBytes, onFault } = surroundings;
  const dataDirectory = data === undefined ? undefined : directoryOf(data, slug, 'exchange');
  if (dataDirectory !== undefined) mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  return await openExchange({
    market,
    clock,
    randomBytes,
    onFault,
    ...(dataDirectory === undefined ? {} : { dataDirectory }),
  });
}

/** The public face of the contracts' books: what a book tells, and the figures beside it. */
function perpMarkets(
  slug: PlatformSlug,
  parts: {
    readonly book: OpenedExchange;
    readonly contracts: readonly ListedContract[];
    readonly reference: PriceReference;
  },
): PerpMarkets {
  const { book, contracts, reference } = parts;
  const listed = new Map(contracts.map((contract) => [contract.symbol, contract]));
  const stats = new Map<string, ContractStats>();
  for (const contract of contracts) {
    const surroundings = { seed: reference.seed, venue: slug, prices: reference };
    stats.set(contract.symbol, contractStats(contract, surroundings));
  }
  const statsOf = (symbol: string): ContractStats => {
    const found = stats.get(symbol);
    if (found === undefined)
      throw new Error(`invariant broken: figures are asked for a contract, not ${symbol}`);
    return found;
  };
  const facts = new Map<string, PerpFacts>();
  for (const contract of contracts) facts.set(contract.symbol, perpFactsOf(contract, contract.status));
  return {
    markets: book.markets,
    get contracts() {
      for (const [symbol, { status }] of book.markets) {
        const contract = listed.get(symbol);
        if (contract !== undefined && facts.get(symbol)?.status !== status)
          facts.set(symbol, perpFactsOf(contract, status));
      }
      return facts;
    },
    now: () => book.now(),
    subscribe: (listener: ExchangeListener) => book.subscribe(listener),
    depth: (symbol, limit) => book.depth(symbol, limit),
    trades: (symbol, page) => book.trades(symbol, page),
    ticker: (symbol) => book.ticker(symbol),
    averagePrice: (symbol) => book.averagePrice(symbol),
    candles: (symbol, interval, page) => book.candles(symbol, interval, page),
    stats: (symbol) => statsOf(symbol).at(book.now()),
    fundingHistory: (symbol, page) => statsOf(symbol).history(page, book.now()),
  };
}

/** Opens all venues of a process, the first ones again closed when a later one cannot open. */
export async function openVenues(
  slugs: readonly PlatformSlug[],
  surroundings: VenueSurroundings,
): Promise<Result<readonly OpenedVenue[], string>> {
  const reference = await openCoins(surroundings);
  if (!reference.ok) return reference;
  const venues: OpenedVenue[] = [];
  try {
    for (const slug of slugs) venues.push(await openVenue(slug, surroundings, reference.value));
  } catch (fault) {
    for (const venue of venues) await venue.close();
    throw fault;
  }
  return ok(venues);
}
