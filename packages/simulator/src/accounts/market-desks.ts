import type { MarketFacts } from '../exchange.ts';
import type { JournalRecord } from '../journal/records.ts';
import { TRADE_ID_ORIGIN } from '../market-port.ts';
import { MatchingEngine } from '../matching/engine.ts';
import { type EngineCounters, FIRST_COUNTERS } from '../matching/engine-order.ts';
import { IdReserve } from './id-reserve.ts';
import { MarketDesk } from './market-desk.ts';
import { restingOf, type Terms } from './terms.ts';
import type { TradingFloor } from './trading-floor.ts';

/**
 * Takes what a journal holds into the floor's state and opens a desk per market with the orders that rest there.
 * @param parts `append` writes a record and calls back when it is on disk; trade and update ids of a market that the
 * journal does not know begin after `firstIds`.
 */
export function openDesks(
  terms: ReadonlyMap<string, Terms>,
  floor: TradingFloor,
  records: readonly JournalRecord[],
  parts: {
    readonly append: (record: JournalRecord, onDisk: () => void) => void;
    readonly firstIds: number;
  },
): Map<string, MarketDesk> {
  const counters = new Map<string, EngineCounters>();
  const statuses = new Map<string, MarketFacts['status']>();
  for (const record of records) {
    floor.state.apply(record);
    if (record.kind === 'reserve') counters.set(record.symbol, record.counters);
    if (record.kind === 'status') statuses.set(record.symbol, record.status);
  }
  const fresh: EngineCounters = {
    ...FIRST_COUNTERS,
    tradeId: TRADE_ID_ORIGIN + parts.firstIds,
    updateId: FIRST_COUNTERS.updateId + parts.firstIds,
  };
  const desks = new Map<string, MarketDesk>();
  for (const [symbol, one] of terms) {
    const engine = new MatchingEngine(symbol, one.ticksMax, counters.get(symbol) ?? fresh);
    engine.restore(floor.state.history.allOpen(symbol).map(restingOf));
    const desk = new MarketDesk(one, engine, new IdReserve(engine, parts.append), floor);
    desk.status = statuses.get(symbol) ?? one.facts.status;
    desks.set(symbol, desk);
  }
  return desks;
}
