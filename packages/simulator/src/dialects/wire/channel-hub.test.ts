import type { Lots, Millis, Ticks } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChannelHub, deliverAll, type FrameSubscriber, type StreamChannel } from './channel-hub.ts';

const TICK_MILLIS = 20;
const faults: unknown[] = [];
const watched: string[] = [];
let lost: string | undefined;
let hub: ChannelHub<FrameSubscriber>;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 });
  faults.length = 0;
  watched.length = 0;
  lost = undefined;
  hub = new ChannelHub<FrameSubscriber>({
    now: () => Date.now() as Millis,
    tickMillis: TICK_MILLIS,
    send: (name, payload, subscribers) => deliverAll(`${name} ${payload}`, subscribers),
    loses: (name) => name === lost,
    onFault: (fault) => faults.push(fault),
  });
});
afterEach(() => {
  hub.close();
  vi.useRealTimers();
});

class Listener implements FrameSubscriber {
  readonly heard: string[] = [];

  deliver(frame: Buffer): void {
    this.heard.push(String(frame));
  }
}

/** A channel that says each time when it is asked. */
function clock(everyMillis: number, more: Partial<StreamChannel> = {}) {
  const channel = { symbol: 'BTC', everyMillis, flush: (now: Millis) => [String(now)], ...more };
  return () => {
    watched.push('BTC');
    return { channel, unwatch: () => watched.splice(watched.indexOf('BTC'), 1) };
  };
}

test('a channel speaks at whole multiples of its time, and one without a time at every tick', () => {
  const listener = new Listener();
  hub.join('slow', listener, clock(100));
  hub.join('fast', listener, clock(0));
  vi.advanceTimersByTime(200);
  expect(listener.heard.filter((text) => text.startsWith('slow'))).toEqual([
    'slow 1020',
    'slow 1100',
    'slow 1200',
  ]);
  expect(listener.heard.filter((text) => text.startsWith('fast'))).toHaveLength(10);
});

test('a channel is opened once, its market watched until the last of its listeners leaves', () => {
  const [one, other] = [new Listener(), new Listener()];
  const open = clock(0);
  const joined = [hub.join('a', one, open), hub.join('a', other, open)];
  expect([joined[0] === joined[1], watched]).toEqual([true, ['BTC']]);
  hub.leave('a', one);
  hub.leave('a', one);
  expect(watched).toEqual(['BTC']);
  vi.advanceTimersByTime(TICK_MILLIS);
  expect([one.heard, other.heard]).toEqual([[], ['a 1020']]);
  hub.leave('a', other);
  expect([watched, vi.getTimerCount()]).toEqual([[], 0]);
});

test('a name without a channel is joined by nobody', () => {
  expect(hub.join('none', new Listener(), () => undefined)).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});

test('a fault of one channel is told and silences no other', () => {
  const listener = new Listener();
  const flush = () => {
    throw new Error('broken');
  };
  hub.join('broken', listener, clock(0, { flush }));
  hub.join('sound', listener, clock(0));
  vi.advanceTimersByTime(TICK_MILLIS);
  expect([faults, listener.heard]).toEqual([[new Error('broken')], ['sound 1020']]);
});

test('a payload that is to be lost reaches nobody', () => {
  const listener = new Listener();
  hub.join('a', listener, clock(0));
  lost = 'a';
  vi.advanceTimersByTime(TICK_MILLIS);
  lost = undefined;
  vi.advanceTimersByTime(TICK_MILLIS);
  expect(listener.heard).toEqual(['a 1040']);
});

test('updates of a market reaches the channels of that market alone', () => {
  const seen: string[] = [];
  const take = (name: string, symbol: string) =>
    clock(0, {
      symbol,
      onTrade: () => seen.push(`${name} trade`),
      onBookChange: () => seen.push(`${name} book`),
    });
  hub.join('a', new Listener(), take('a', 'BTC'));
  hub.join('b', new Listener(), take('b', 'ETH'));
  const listener = hub.listener();
  const at = { symbol: 'ETH', time: 0 as Millis };
  const trade = { ...at, tradeId: 1, price: 1 as Ticks, quantity: 1 as Lots, buyerIsMaker: true };
  listener.onTrade?.(trade as Parameters<NonNullable<typeof listener.onTrade>>[0]);
  listener.onBookChange?.({ ...at, firstUpdateId: 1, lastUpdateId: 1, bids: [], asks: [] });
  expect(seen).toEqual(['b trade', 'b book']);
});
