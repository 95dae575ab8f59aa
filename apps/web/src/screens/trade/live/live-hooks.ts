import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { liveStore } from '../../../stores/market/live.ts';
import type { MarketName } from '../../../stores/market/market.ts';
import { type Freshness, freshness, type LiveMarket } from './live-market.ts';

/** Shapes of the window that the terminal has a layout for, the first that fits; a phone is what is left. */
const SCREENS = [
  ['ultra', '(min-width: 2200px)'],
  ['full', '(min-width: 1920px)'],
  ['wide', '(min-width: 1200px)'],
  ['snug', '(min-width: 1024px)'],
  ['low', '(min-width: 600px) and (max-height: 500px)'],
] as const;
/**
 * Such a shape: `snug` has the book behind a tab of the chart, `full` the tape below the book, `ultra` open orders beside
 * positions, `low` is a phone on its side.
 */
export type Screen = (typeof SCREENS)[number][0] | 'phone';

const queries = SCREENS.map(([screen, query]) => [screen, window.matchMedia(query)] as const);

function followScreen(changed: () => void): () => void {
  for (const [, query] of queries) query.addEventListener('change', changed);
  return () => {
    for (const [, query] of queries) query.removeEventListener('change', changed);
  };
}

function screenNow(): Screen {
  return queries.find(([, query]) => query.matches)?.[0] ?? 'phone';
}

/** The shape of the window; follows it. */
export function useScreen(): Screen {
  return useSyncExternalStore(followScreen, screenNow, screenNow);
}

/** Whether the whole terminal is shown at once. */
export function useWide(): boolean {
  const screen = useScreen();
  return screen !== 'phone' && screen !== 'low';
}

/** What a live figure shows: its text, and a class that carries its colour. */
export interface LiveText {
  readonly text: string;
  readonly className: string;
}

/**
 * Writes a fast-changing figure straight into its element: no render per tick.
 * @returns the reference for the element.
 */
export function useLiveText<Element extends HTMLElement>(
  subscribe: (changed: () => void) => () => void,
  read: () => LiveText,
): RefObject<Element | null> {
  const element = useRef<Element>(null);
  const reading = useRef(read);
  reading.current = read;
  useLayoutEffect(() => {
    const write = (): void => {
      const target = element.current;
      if (target === null) return;
      const { text, className } = reading.current();
      if (target.textContent !== text) target.textContent = text;
      if (target.className !== className) target.className = className;
    };
    write();
    return subscribe(write);
  }, [subscribe]);
  return element;
}

/** Reads something at most every `everyMillis` and renders only when it changed. */
export function useSampled<Value>(
  read: () => Value,
  everyMillis: number,
  same: (left: Value, right: Value) => boolean = Object.is,
): Value {
  const [value, setValue] = useState(read);
  const reading = useRef(read);
  reading.current = read;
  const comparing = useRef(same);
  comparing.current = same;
  useEffect(() => {
    const sample = (): void =>
      setValue((before) => {
        const next = reading.current();
        return comparing.current(before, next) ? before : next;
      });
    sample();
    const timer = setInterval(sample, everyMillis);
    return () => clearInterval(timer);
  }, [everyMillis]);
  return value;
}

/**
 * Reads something of a market at most every `everyMillis`; `undefined` until it was read of the market that is on screen: what
 * was read of the one before is not said of it.
 * @param of names the market.
 */
export function useMarketSample<Value>(
  of: string,
  read: () => Value,
  everyMillis: number,
  same: (left: Value, right: Value) => boolean = Object.is,
): Value | undefined {
  const followed = useRef(of);
  useLayoutEffect(() => {
    followed.current = of;
  }, [of]);
  const sampled = useSampled(
    () => ({ of: followed.current, value: read() }),
    everyMillis,
    (left, right) => left.of === right.of && same(left.value, right.value),
  );
  return sampled.of === of ? sampled.value : undefined;
}

function sameFreshness(left: Freshness, right: Freshness): boolean {
  // The age is only shown while it matters: a fresh market does not render once a second.
  return (
    left.stale === right.stale &&
    left.unpriced === right.unpriced &&
    left.connected === right.connected &&
    (!right.stale || left.ageSeconds === right.ageSeconds)
  );
}

/** How current the market on screen is, looked at once a second and at each change of the connection. */
export function useFreshness(market: LiveMarket, { platform, symbolType }: MarketName): Freshness {
  const status = useStore(liveStore, (state) => state[platform]);
  const sampled = useSampled(
    () => freshness(market, liveStore.getState()[platform], symbolType, performance.now()),
    500,
    sameFreshness,
  );
  const lost = status !== undefined && status.phase !== 'open';
  return lost ? { ...sampled, stale: true, unpriced: true, connected: false } : sampled;
}
