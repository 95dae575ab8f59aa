import type { MarketFacts } from '../exchange.ts';
import type { JournalRecord } from '../journal/records.ts';
import { TRADE_ID_ORIGIN } from '../market-port.ts';
import { MatchingEngine } from '../matching/engine.ts';
import { type EngineCounters, FIRST_COUNTERS } from '../matching/engine-order.ts';
import type { BookDesk } from './book-desk.ts';
import { type IdKeeping, IdReserve } from './state/id-reserve.ts';
import type { KeptOrder, OrderHistory } from './state/order-history.ts';
import { restingOf, type Terms } from './state/terms.ts';

/** Which half of a venue's journal is read. */
export interface DeskParts extends IdKeeping {
  readonly records: readonly JournalRecord[];
  /** Trade and update ids of a market that the journal does not know begin after it. */
  readonly firstIds: number;
}

/** Opens a desk per market with the orders of members that rest there; the journal was taken into the state before. */
export function openDesks<Order extends KeptOrder & Parameters<typeof restingOf>[0], Desk extends BookDesk>(
  terms: ReadonlyMap<string, Terms>,
  history: Pick<OrderHistory<Order>, 'allOpen'>,
  parts: DeskParts,
  open: (terms: Terms, engine: MatchingEngine, ids: IdReserve) => Desk,
): Map<string, Desk> {
  const counters = new Map<string, EngineCounters>();
  const statuses = new Map<string, MarketFacts['status']>();
  for (const record of parts.records) {
    if (record.kind !== 'reserve' && record.kind !== 'status') continue;
    if (record.half !== parts.half) continue;
    if (record.kind === 'reserve') counters.set(record.symbol, record.counters);
    else statuses.set(record.symbol, record.status);
  }
  const fresh: EngineCounters = {
    ...FIRST_COUNTERS,
    tradeId: TRADE_ID_ORIGIN + parts.firstIds,
    updateId: FIRST_COUNTERS.updateId + parts.firstIds,
  };
  const desks = new Map<string, Desk>();
  for (const [symbol, one] of terms) {
    const engine = new MatchingEngine(symbol, one.ticksMax, counters.get(symbol) ?? fresh);
    engine.restore(history.allOpen(symbol).map(restingOf));
    const desk = open(one, engine, new IdReserve(engine, parts));
    desk.status = statuses.get(symbol) ?? one.facts.status;
    desks.set(symbol, desk);
  }
  return desks;
}
