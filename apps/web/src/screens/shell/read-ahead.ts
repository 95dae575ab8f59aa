import { type ComponentType, lazy, useEffect } from 'react';

/** Parts wait this long, so that they do not compete with the first screen. */
const READ_AHEAD_MILLIS = 1_500;

const parts: (() => Promise<unknown>)[] = [];

/**
 * A part of the shell that is no part of the first screen, and is fetched soon after it all the same: what tells a member
 * that the server is out of reach cannot be asked of that server.
 */
export function lazyPart<Props>(read: () => Promise<ComponentType<Props>>) {
  parts.push(read);
  return lazy(async () => ({ default: await read() }));
}

/** Fetches all such parts once the screen stands. */
export function useReadAhead(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      // Whatever cannot be fetched now is asked for again when it is needed.
      for (const read of parts) read().catch(() => undefined);
    }, READ_AHEAD_MILLIS);
    return () => clearTimeout(timer);
  }, []);
}
