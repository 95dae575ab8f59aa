import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { assert, type Millis, ok, type PlatformSlug, type Result } from '@crossbook/domain';
import { type OpenedExchange, openExchange } from './core.ts';
import type { ListedMarket } from './market/listing/listing.ts';
import { type ListedContract, perpFactsOf, perpListing } from './market/listing/perp-listing.ts';
import { spotListing } from './market/listing/spot-listing.ts';
import { openMarketSide, type RunningMarketSide } from './market/market-side.ts';
import { type ContractStats, contractStats } from './market/perp-stats.ts';
import { type MarketFiles, marketDirectory, volatileFiles } from './market/story/market-files.ts';
import { openPriceReference, type PriceReference } from './market/story/price-reference.ts';
import type { ReplayPlan } from './market/story/replay.ts';
import type { ContractExchange } from './perps/contract-exchange.ts';
import type { ContractMarkets } from './perps/state/contract-parts.ts';
import { venueRules } from './perps/venue-rules.ts';
import type { SimulatedVenue } from './simulated-venue.ts';
import type { PerpFacts } from './venue.ts';

/** How often funding and liquidations are looked after. */
const CLOCKWORK_MILLIS = 1_000;

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
  readonly perps: ContractExchange;
  /** The clock behind each market kind. */
  readonly sides: { readonly spot: RunningMarketSide; readonly perps: RunningMarketSide };
  /** Lets everything happen that is due at `now` in both kinds of market. */
  step(now: Millis): void;
  setAgentsPaused(paused: boolean): void;
  setPerpStatus(symbol: string, status: PerpFacts['status']): void;
  /** Flushes the journal, writes a snapshot and stops all timers. */
  close(): Promise<void>;
}

/** The stats of a listed contract; asked for another one it fails. */
type StatsOf = (symbol: string) => ContractStats;

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
  const statsOf = statsByContract(slug, contracts, reference);
  const spot = await openSpot(slug, surroundings, { spotSide, perpSide, contracts, statsOf });
  const perps = spot.contracts;
  assert(perps !== undefined, 'a venue has contracts');
  const { clock, every } = surroundings;
  const stopClock = every?.(CLOCKWORK_MILLIS, () => perps.step(clock()));
  const sides = { spot: spotSide, perps: perpSide };
  return {
    slug,
    spot,
    perps,
    story: {
      premium: (symbol, time) => statsOf(symbol).premium(time),
      longShare: (symbol, time) => statsOf(symbol).longShare(time),
      indexParts: (symbol, time) => statsOf(symbol).indexParts(time),
    },
    sides,
    watch: (market, symbol) => sides[market].watch(symbol),
    step: (now) => {
      perps.step(now);
      spotSide.step(now);
      perpSide.step(now);
    },
    setAgentsPaused: (paused) => {
      spot.setAgentsPaused(paused);
      perps.setAgentsPaused(paused);
    },
    setPerpStatus: (symbol, status) => perps.setStatus(symbol, status),
    close: () => {
      stopClock?.();
      return spot.close();
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
    opensAtLastClose: slug === 'bybit',
    ...(every === undefined ? {} : { every }),
  });
  if (!opened.ok) throw new Error(opened.code);
  return opened.value;
}

/** Opens a venue's trading: both halves in one journal. */
async function openSpot(
  slug: PlatformSlug,
  surroundings: VenueSurroundings,
  sides: {
    readonly spotSide: RunningMarketSide;
    readonly perpSide: RunningMarketSide;
    readonly contracts: readonly ListedContract[];
    readonly statsOf: StatsOf;
  },
): Promise<OpenedExchange> {
  const { data, clock, randomBytes, onFault } = surroundings;
  const dataDirectory = data === undefined ? undefined : directoryOf(data, slug, 'exchange');
  if (dataDirectory !== undefined) mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  return await openExchange({
    market: sides.spotSide,
    contracts: contractMarkets(slug, sides),
    clock,
    randomBytes,
    onFault,
    ...(dataDirectory === undefined ? {} : { dataDirectory }),
  });
}

/** What is known of each contract of a venue at any time. */
function statsByContract(
  slug: PlatformSlug,
  contracts: readonly ListedContract[],
  reference: PriceReference,
): StatsOf {
  const surroundings = { seed: reference.seed, venue: slug, prices: reference };
  const stats = new Map<string, ContractStats>(
    contracts.map((contract) => [contract.symbol, contractStats(contract, surroundings)]),
  );
  return (symbol) => {
    const found = stats.get(symbol);
    assert(found !== undefined, `stats are asked for a contract, not ${symbol}`);
    return found;
  };
}

/** A venue's contracts: their facts and stats, and the rules they are traded by. */
function contractMarkets(
  slug: PlatformSlug,
  sides: {
    readonly perpSide: RunningMarketSide;
    readonly contracts: readonly ListedContract[];
    readonly statsOf: StatsOf;
  },
): ContractMarkets {
  const { perpSide, contracts, statsOf } = sides;
  const { rules, habits, tiers } = venueRules(slug);
  const facts = new Map(
    contracts.map((contract) => [contract.symbol, perpFactsOf(contract, contract.status)]),
  );
  return {
    ...{ market: perpSide, contracts: facts, rules, habits },
    tiers: (symbol) => {
      const found = facts.get(symbol);
      assert(found !== undefined, `tiers are asked for a contract, not ${symbol}`);
      return tiers(found);
    },
    stats: (symbol, time) => statsOf(symbol).at(time),
    fundingHistory: (symbol, page, now) => statsOf(symbol).history(page, now),
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
