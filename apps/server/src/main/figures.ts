import { type Platform, type PlatformSlug, platformFacts } from '@crossbook/domain';
import type { VenueArbiter } from '@crossbook/venues/trading';
import type { KeptFigure } from '../http/metrics.ts';
import type { VenueRelay } from '../http/venue-relay.ts';
import type { PlatformMarkets } from '../market/platform-markets.ts';
import type { VenueMarket } from '../market/venue-market.ts';
import type { MoneyGateStats } from '../money-gate/money-gate.ts';
import type { BatcherFigures } from '../storage/ledger/ledger-batcher.ts';
import type { Gateway } from '../stream/gateway.ts';
import type { TradingFigures } from '../trading/desk.ts';

/** Where the figures of the running parts are read. */
export interface FigureSources {
  readonly markets: ReadonlyMap<Platform, { readonly markets: Pick<PlatformMarkets, 'all'> }>;
  readonly relays: Readonly<Partial<Record<PlatformSlug, Pick<VenueRelay, 'figures'>>>>;
  readonly live: Pick<Gateway, 'connections'>;
  readonly trading: () => TradingFigures;
  readonly oldestBalanceChecks: () => ReadonlyMap<Platform, number>;
  readonly oldestOrderComparisons: () => ReadonlyMap<Platform, number>;
  readonly arbiters: Readonly<Partial<Record<PlatformSlug, Pick<VenueArbiter, 'stats'>>>>;
  readonly ledger: () => BatcherFigures;
  readonly gate: () => MoneyGateStats;
}

type Rows = ReturnType<KeptFigure['read']>;

function figure(name: string, help: string, labelNames: readonly string[], read: () => Rows): KeptFigure {
  return { name: `crossbook_${name}`, help, labelNames, read };
}

/** One row per entry, under one label. */
function rows(label: string, figures: Readonly<Record<string, number>>): Rows {
  return Object.entries(figures).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

function marketFigures({ markets }: FigureSources): readonly KeptFigure[] {
  const perMarket = (read: (market: VenueMarket) => Rows) => (): Rows =>
    [...markets].flatMap(([platform, open]) =>
      open.markets.all.flatMap((market) => {
        const place = { venue: platformFacts(platform).slug, market: market.listing.symbolType };
        return read(market).map(({ labels, value }) => ({ labels: { ...place, ...labels }, value }));
      }),
    );
  const one = (value: number): Rows => [{ labels: {}, value }];
  return [
    figure(
      'feed_live',
      'Whether the public stream of a market runs.',
      ['venue', 'market'],
      perMarket((market) => one(market.figures.state === 'live' ? 1 : 0)),
    ),
    figure(
      'feed_events',
      'What the public stream of a market went through since the start.',
      ['venue', 'market', 'event'],
      perMarket((market) => rows('event', { ...market.figures.feed })),
    ),
    figure(
      'feed_channels',
      'Channels followed at a venue.',
      ['venue', 'market'],
      perMarket((market) => one(market.figures.channels)),
    ),
    figure(
      'books',
      'Followed books by state.',
      ['venue', 'market', 'state'],
      perMarket((market) => rows('state', market.figures.books)),
    ),
    figure(
      'book_events',
      'What the followed books went through.',
      ['venue', 'market', 'event'],
      perMarket((market) => rows('event', market.figures.sync)),
    ),
  ];
}

function moneyFigures(sources: FigureSources): readonly KeptFigure[] {
  return [
    figure('orders_waiting', 'Orders whose outcome is being looked up.', [], () => [
      { labels: {}, value: sources.trading().waiting },
    ]),
    figure('money_gate_open', 'Whether orders and transfers are taken: 0 is a halt.', [], () => [
      { labels: {}, value: sources.gate().open ? 1 : 0 },
    ]),
    figure(
      'ledger_check',
      'The ledger checks: seconds since the last good one, counts since the start, rounds.',
      ['figure'],
      () => rows('figure', checkFigures(sources.gate())),
    ),
    figure('private_streams', 'Private streams held open at venues.', [], () => [
      { labels: {}, value: sources.trading().streams },
    ]),
    figure('balance_checks', 'Comparisons with the venues; doubted: members stopped now.', ['result'], () =>
      rows('result', { ...sources.trading().balances }),
    ),
    figure('balance_check_oldest_seconds', 'Age of the oldest comparison at each venue.', ['venue'], () =>
      ages(sources.oldestBalanceChecks()),
    ),
    figure(
      'open_orders_check_oldest_seconds',
      'Age of the oldest comparison of open orders at each venue.',
      ['venue'],
      () => ages(sources.oldestOrderComparisons()),
    ),
    figure('ledger_writer', 'The writer of the ledger since the start; unitsQueued: now.', ['figure'], () =>
      rows('figure', { ...sources.ledger() }),
    ),
  ];
}

function ages(oldest: ReadonlyMap<Platform, number>): Rows {
  return [...oldest].map(([platform, millis]) => ({
    labels: { venue: platformFacts(platform).slug },
    value: Math.round(millis / 1_000),
  }));
}

function checkFigures(gate: MoneyGateStats): Readonly<Record<string, number>> {
  const { checkAgeMillis, checks, failures, rowRounds, holdRounds } = gate;
  const counts = { checks, failures, rowRounds, holdRounds };
  return checkAgeMillis === undefined ? counts : { ...counts, ageSeconds: checkAgeMillis / 1_000 };
}

function relayFigures({ relays }: FigureSources): KeptFigure {
  return figure(
    'relay_answers',
    'Relayed market data: kept, joined and asked answers, pauses a venue wanted; entries and bytes: now.',
    ['venue', 'figure'],
    () =>
      Object.entries(relays).flatMap(([venue, relay]) =>
        rows('figure', { ...relay.figures() }).map(({ labels, value }) => ({
          labels: { venue, ...labels },
          value,
        })),
      ),
  );
}

function arbiterFigures({ arbiters }: FigureSources): KeptFigure {
  return figure(
    'venue_requests',
    'What the arbiter of each venue granted, let wait and refused, and pauses venues wanted; waiting: now.',
    ['venue', 'figure'],
    () =>
      Object.entries(arbiters).flatMap(([venue, arbiter]) =>
        rows('figure', { ...arbiter.stats }).map(({ labels, value }) => ({
          labels: { venue, ...labels },
          value,
        })),
      ),
  );
}

/** Figures of the parts beside HTTP, for /metrics. */
export function keptFigures(sources: FigureSources): readonly KeptFigure[] {
  const connections = figure('live_connections', 'Live connections open.', [], () => [
    { labels: {}, value: sources.live.connections() },
  ]);
  return [
    ...marketFigures(sources),
    relayFigures(sources),
    arbiterFigures(sources),
    connections,
    ...moneyFigures(sources),
  ];
}
