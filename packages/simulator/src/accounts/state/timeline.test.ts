import type { Lots, Millis } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccountNumber, SimFill, SimOrder, SimOrderId } from '../../exchange.ts';
import { OrderHistory } from './order-history.ts';
import { Timeline } from './timeline.ts';

/** Items that count how often anybody asks for their time. */
function counted(times: readonly number[]) {
  const looks = { count: 0 };
  const items = times.map((time, id) => ({
    id,
    get time() {
      looks.count += 1;
      return time as Millis;
    },
  }));
  return { items, looks };
}

describe('a timeline', () => {
  test('tells what belongs to some times in their order, those of one moment as they came', () => {
    const time = fc.integer({ min: 0, max: 20 });
    const bound = fc.option(fc.integer({ min: -1, max: 21 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(time, { maxLength: 60 }), bound, bound, (times, startTime, endTime) => {
        const timeline = new Timeline<{ readonly id: number; readonly time: Millis }>();
        const items = times.map((at, id) => ({ id, time: at as Millis }));
        for (const item of items) timeline.add(item);
        const naive = items
          .filter((item) => item.time >= (startTime ?? -1) && item.time <= (endTime ?? 21))
          .sort((a, b) => a.time - b.time);
        const range = { startTime: startTime as Millis | undefined, endTime: endTime as Millis | undefined };
        expect(timeline.within(range)).toEqual(naive);
      }),
    );
  });

  test('of ten thousand looks at thirty to find ten', () => {
    const { items, looks } = counted(Array.from({ length: 10_000 }, (_, at) => at));
    const timeline = new Timeline(items);
    const found = timeline.within({ startTime: 5_000 as Millis, endTime: 5_009 as Millis });
    expect(found.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, at) => 5_000 + at));
    expect(looks.count).toBeLessThanOrEqual(30);
    for (const at of [10_000, 10_001]) timeline.add({ id: at, time: at as Millis });
    expect(looks.count).toBeLessThanOrEqual(32);
  });
});

describe('a history of fills', () => {
  const account = 1 as AccountNumber;
  const fillOf = (symbol: string, at: number): SimFill =>
    ({
      ...{ account, symbol, tradeId: at, orderId: Math.floor(at / 3) as SimOrderId, time: at as Millis },
      quantity: 1 as Lots,
    }) as SimFill;

  test('knows an order’s own and those of some times, also when it has forgotten the oldest', () => {
    const history = new OrderHistory<SimOrder, SimFill>();
    for (let at = 0; at < 100; at += 1) history.putFill(fillOf('B', at));
    for (let at = 100; at < 25_200; at += 1) history.putFill(fillOf('A', at));
    const kept = history.fillsOf(account, 'A');
    expect(kept.length).toBeLessThan(25_001);
    expect(history.fillsOf(account)).toEqual([...history.fillsOf(account, 'B'), ...kept]);
    const [first] = kept;
    expect(history.fillsWithin(account, { endTime: first?.time })).toHaveLength(101);
    expect(history.fillsOfOrder(account, 'A', 8_000 as SimOrderId)).toEqual(
      [24_000, 24_001, 24_002].map((at) => fillOf('A', at)),
    );
    expect(history.fillsOfOrder(account, 'A', 40 as SimOrderId)).toEqual([]);
    expect(history.fills(account, 'A', { orderId: 8_000 as SimOrderId, limit: 2 })).toHaveLength(2);
  });
});
