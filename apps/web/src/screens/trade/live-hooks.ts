import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { liveStore } from '../../stores/market/live.ts';
import type { MarketName } from '../../stores/market/market.ts';
import { type Freshness, freshness, type LiveMarket } from './live-market.ts';

/** The window is wide enough for the whole terminal. */
const WIDE = '(min-width: 1024px)';

/** Whether the wide layout is shown; follows the window. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(WIDE);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => window.matchMedia(WIDE).matches,
  );
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
