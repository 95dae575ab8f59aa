import type { Lots, Millis, Ticks } from '@crossbook/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import type { SimTrade, TradePage } from '../../exchange.ts';
import { AggregateTape, type AggregateTrade, aggregatePage } from './aggregate-trades.ts';

/** Ids of aggregate trades have no holes, pages are full and join, whatever was traded; a list that is joined by hand agrees. */

const FIRST_ID = 1_000;

/** What comes after a trade: how much later, at which price and side, and whether ids jump or a message was sent before. */
const steps = fc.record({
  later: fc.constantFrom(0, 0, 0, 1, 50),
  price: fc.integer({ min: 1, max: 2 }),
  buyerIsMaker: fc.boolean(),
  quantity: fc.integer({ min: 1, max: 9 }),
  hole: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 3_000),
  sealed: fc.constantFrom(false, false, false, true),
});

interface Story {
  readonly tape: AggregateTape;
  readonly trades: readonly SimTrade[];
  readonly joined: readonly Omit<AggregateTrade, 'id'>[];
}

/** @param known how many of the first trades the tape was not there to see. */
function tell(
  drawn: readonly (typeof steps extends fc.Arbitrary<infer Step> ? Step : never)[],
  known: number,
): Story {
  const tape = new AggregateTape();
  const trades: SimTrade[] = [];
  const joined: Omit<AggregateTrade, 'id'>[] = [];
  let tradeId = FIRST_ID;
  let time = 0;
  for (const [at, { later, price, buyerIsMaker, quantity, hole, sealed }] of drawn.entries()) {
    tradeId += 1 + hole;
    time += later;
    const trade: SimTrade = {
      ...{ symbol: 'BTCUSDT', tradeId, buyerIsMaker, time: time as Millis },
      ...{ price: price as Ticks, quantity: quantity as Lots },
    };
    const last = joined.at(-1);
    const before = trades.at(-1);
    const continues =
      at > known &&
      !sealed &&
      hole === 0 &&
      later === 0 &&
      last !== undefined &&
      before?.price === trade.price &&
      before.buyerIsMaker === buyerIsMaker;
    if (sealed) tape.seal();
    if (at >= known) tape.note(trade);
    trades.push(trade);
    if (continues) {
      joined[joined.length - 1] = {
        ...last,
        lastTradeId: tradeId,
        quantity: (last.quantity + quantity) as Lots,
      };
    } else {
      const { price: ticks, quantity: lots } = trade;
      joined.push({
        firstTradeId: tradeId,
        lastTradeId: tradeId,
        price: ticks,
        quantity: lots,
        buyerIsMaker,
        time: trade.time,
      });
    }
  }
  return { tape, trades, joined };
}

const stories = fc
  .tuple(fc.array(steps, { minLength: 1, maxLength: 3_000 }), fc.nat(400))
  .map(([drawn, known]) => tell(drawn, Math.min(known, drawn.length)));

test('pages from an id, from a time and up to a time are what was joined, full, and numbered without a hole', () => {
  fc.assert(
    fc.property(
      stories,
      fc.integer({ min: 1, max: 1_000 }),
      fc.nat(),
      ({ tape, trades, joined }, limit, seed) => {
        const read = ({ fromId, beforeId, endTime, limit: most }: TradePage) =>
          fromId === undefined
            ? trades
                .filter(({ tradeId }) => tradeId < (beforeId ?? Number.POSITIVE_INFINITY))
                .filter((trade) => trade.time <= (endTime ?? Number.POSITIVE_INFINITY))
                .slice(-most)
            : trades.filter(({ tradeId }) => tradeId >= fromId).slice(0, most);
        const page = (part: object) =>
          aggregatePage(read, tape, {
            fromId: undefined,
            startTime: undefined,
            endTime: undefined,
            limit,
            ...part,
          });
        const withoutId = (rows: readonly AggregateTrade[]) => rows.map(({ id: _, ...row }) => row);
        const newest = page({});
        expect(withoutId(newest)).toEqual(joined.slice(-limit));
        // Ids rise by one, but where those of trades themselves jump.
        const all: AggregateTrade[] = [];
        for (let next = 0; ; next = (all.at(-1)?.id ?? 0) + 1) {
          const more = page({ fromId: next });
          all.push(...more);
          if (more.length < limit) break;
        }
        expect(withoutId(all)).toEqual(joined);
        for (const [at, run] of all.entries()) {
          const before = all[at - 1];
          if (before !== undefined) expect(run.id - before.id).toBe(run.firstTradeId - before.lastTradeId);
        }
        const time = trades[seed % trades.length]?.time ?? 0;
        expect(withoutId(page({ startTime: time }))).toEqual(
          joined.filter((run) => run.time >= time).slice(0, limit),
        );
        expect(withoutId(page({ endTime: time }))).toEqual(
          joined.filter((run) => run.time <= time).slice(-limit),
        );
        expect(page({ startTime: time + 1, endTime: time })).toEqual([]);
      },
    ),
    { numRuns: runs(60), seed: 21 },
  );
});
