import { type ComponentType, lazy, useEffect } from 'react';

/** A busy first screen holds the parts back no longer than this. */
const READ_AHEAD_MILLIS_MAX = 1_500;
/** A part that is needed while the server is away is asked for again and again, not given up: pauses and their number. */
const AGAIN_MILLIS = 2_000;
const TRIES_MAX = 300;

const parts: (() => Promise<unknown>)[] = [];

async function persistently<Part>(read: () => Promise<Part>): Promise<Part> {
  for (let tries = 1; tries < TRIES_MAX; tries += 1) {
    try {
      return await read();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MILLIS));
    }
  }
  return read();
}

/**
 * A part of the shell that is no part of the first screen, and is fetched right after it all the same: what tells a member
 * that the server is out of reach cannot be asked of that server. A part that is missing leaves the page as it is.
 */
export function lazyPart<Props>(read: () => Promise<ComponentType<Props>>) {
  parts.push(read);
  return lazy(async () => ({ default: await persistently(read) }));
}

/** Fetches all such parts as soon as the browser has nothing better to do. */
export function useReadAhead(): void {
  useEffect(() => {
    const readAll = () => {
      // Whatever cannot be fetched now is asked for again when it is needed.
      for (const read of parts) read().catch(() => undefined);
    };
    // Safari has no idle callbacks yet.
    if (!('requestIdleCallback' in globalThis)) {
      const timer = setTimeout(readAll, READ_AHEAD_MILLIS_MAX);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(readAll, { timeout: READ_AHEAD_MILLIS_MAX });
    return () => cancelIdleCallback(idle);
  }, []);
}
