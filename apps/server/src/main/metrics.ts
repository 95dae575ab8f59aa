import { type Platform, type PlatformSlug, platformFacts } from '@crossbook/domain';
import type { VenueArbiter } from '@crossbook/venues/trading';
import type { KeptMetric } from '../http/metrics.ts';
import type { VenueRelay } from '../http/relay/venue-relay.ts';
import type { PlatformMarkets } from '../market/platform-markets.ts';
import type { VenueMarket } from '../market/venue-market.ts';
import type { MoneyGateStats } from '../money-gate/money-gate.ts';
import type { BatcherStats } from '../storage/ledger/ledger-batcher.ts';
import type { Gateway } from '../stream/gateway.ts';
import type { TradingStats } from '../trading/desk.ts';

/** Where the figures of the running parts are read. */
export interface MetricSources {
  readonly markets: ReadonlyMap<Platform, { readonly markets: Pick<PlatformMarkets, 'all'> }>;
  readonly relays: Readonly<Partial<Record<PlatformSlug, Pick<VenueRelay, 'stats'>>>>;
  readonly live: Pick<Gateway, 'connections'>;
  readonly trading: () => TradingStats;
  readonly oldestBalanceChecks: () => ReadonlyMap<Platform, number>;
  readonly oldestOrderComparisons: () => ReadonlyMap<Platform, number>;
  readonly arbiters: Readonly<Partial<Record<PlatformSlug, Pick<VenueArbiter, 'stats'>>>>;
  readonly ledger: () => BatcherStats;
  readonly gate: () => MoneyGateStats;
}

type Rows = ReturnType<KeptMetric['read']>;

function metric(name: string, help: string, labelNames: readonly string[], read: () => Rows): KeptMetric {
  return { name: `crossbook_${name}`, help, labelNames, read };
}

/** One row per entry, under one label. */
function rows(label: string, stats: Readonly<Record<string, number>>): Rows {
  return Object.entries(stats).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

function marketMetrics({ markets }: MetricSources): readonly KeptMetric[] {
  const perMarket = (read: (market: VenueMarket) => Rows) => (): Rows =>
    [...markets].flatMap(([platform, open]) =>
      open.markets.all.flatMap((market) => {
        const place = { venue: platformFacts(platform).slug, market: market.listing.symbolType };
        return read(market).map(({ labels, value }) => ({ labels: { ...place, ...labels }, value }));
      }),
    );
  const one = (value: number): Rows => [{ labels: {}, value }];
  return [
    metric(
      'feed_live',
      'Whether the public stream of a market runs.',
      ['venue', 'market'],
      perMarket((market) => one(market.stats.state === 'live' ? 1 : 0)),
    ),
    metric(
      'feed_events',
      'What the public stream of a market went through since the start.',
      ['venue', 'market', 'event'],
      perMarket((market) => rows('event', { ...market.stats.feed })),
    ),
    metric(
      'feed_channels',
      'Channels followed at a venue.',
      ['venue', 'market'],
      perMarket((market) => one(market.stats.channels)),
    ),
    metric(
      'books',
      'Followed books by state.',
      ['venue', 'market', 'state'],
      perMarket((market) => rows('state', market.stats.books)),
    ),
    metric(
      'book_events',
      'What the followed books went through.',
      ['venue', 'market', 'event'],
      perMarket((market) => rows('event', market.stats.sync)),
    ),
  ];
}

function moneyMetrics(sources: MetricSources): readonly KeptMetric[] {
  return [
    metric('orders_waiting', 'Orders whose outcome is being looked up.', [], () => [
      { labels: {}, value: sources.trading().waiting },
    ]),
    metric('money_gate_open', 'Whether orders and transfers are taken: 0 is a halt.', [], () => [
      { labels: {}, value: sources.gate().open ? 1 : 0 },
    ]),
    metric(
      'ledger_check',
      'The ledger checks: seconds since the last good one, counts since the start, rounds.',
      ['stat'],
      () => rows('stat', checkMetrics(sources.gate())),
    ),
    metric('private_streams', 'Private streams held open at venues.', [], () => [
      { labels: {}, value: sources.trading().streams },
    ]),
    metric('balance_checks', 'Comparisons with the venues; doubted: members stopped now.', ['result'], () =>
      rows('result', { ...sources.trading().balances }),
    ),
    metric('balance_check_oldest_seconds', 'Age of the oldest comparison at each venue.', ['venue'], () =>
      ages(sources.oldestBalanceChecks()),
    ),
    metric(
      'open_orders_check_oldest_seconds',
      'Age of the oldest comparison of open orders at each venue.',
      ['venue'],
      () => ages(sources.oldestOrderComparisons()),
    ),
    metric('ledger_writer', 'The writer of the ledger since the start; unitsQueued: now.', ['stat'], () =>
      rows('stat', { ...sources.ledger() }),
    ),
  ];
}

function ages(oldest: ReadonlyMap<Platform, number>): Rows {
  return [...oldest].map(([platform, millis]) => ({
    labels: { venue: platformFacts(platform).slug },
    value: Math.round(millis / 1_000),
  }));
}

function checkMetrics(gate: MoneyGateStats): Readonly<Record<string, number>> {
  const { checkAgeMillis, checks, failures, rowRounds, holdRounds } = gate;
  const counts = { checks, failures, rowRounds, holdRounds };
  return checkAgeMillis === undefined ? counts : { ...counts, ageSeconds: checkAgeMillis / 1_000 };
}

function relayMetrics({ relays }: MetricSources): KeptMetric {
  return metric(
    'relay_answers',
    'Relayed market data: kept, joined and asked answers, pauses a venue wanted; entries and bytes: now.',
    ['venue', 'stat'],
    () =>
      Object.entries(relays).flatMap(([venue, relay]) =>
        rows('stat', { ...relay.stats() }).map(({ labels, value }) => ({
          labels: { venue, ...labels },
          value,
        })),
      ),
  );
}

function arbiterStats({ arbiters }: MetricSources): KeptMetric {
  return metric(
    'venue_requests',
    'What the arbiter of each venue granted, let wait and refused, and pauses venues wanted; waiting: now.',
    ['venue', 'stat'],
    () =>
      Object.entries(arbiters).flatMap(([venue, arbiter]) =>
        rows('stat', { ...arbiter.stats }).map(({ labels, value }) => ({
          labels: { venue, ...labels },
          value,
        })),
      ),
  );
}

/** Figures of the parts beside HTTP, for /metrics. */
export function keptMetrics(sources: MetricSources): readonly KeptMetric[] {
  const connections = metric('live_connections', 'Live connections open.', [], () => [
    { labels: {}, value: sources.live.connections() },
  ]);
  return [
    ...marketMetrics(sources),
    relayMetrics(sources),
    arbiterStats(sources),
    connections,
    ...moneyMetrics(sources),
  ];
}
