import type { Caller } from '@crossbook/contract';
import type { SessionEnd, SessionStore } from '../ports.ts';

/** The in-process bus for ended sessions; between nodes it will travel over the message bus. */
export interface SessionEvents {
  /** Registers a listener; returns what removes it. */
  onEnd(listener: (end: SessionEnd) => void): () => void;
  ended(end: SessionEnd): void;
  /** Registers who remembers cookies of sessions. */
  onNewCookie(listener: (formerHash: string) => void): void;
  /** A session goes on under another cookie. */
  newCookie(formerHash: string): void;
}

/** Makes the bus. A listener must not throw. */
export function sessionEvents(): SessionEvents {
  const listeners = new Set<(end: SessionEnd) => void>();
  const rememberers = new Set<(formerHash: string) => void>();
  return {
    onEnd(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ended(end) {
      for (const listener of listeners) listener(end);
    },
    onNewCookie: (listener) => void rememberers.add(listener),
    newCookie(formerHash) {
      for (const forget of rememberers) forget(formerHash);
    },
  };
}

/** Ends the session that this browser has, and its live connections. */
export async function endFormerSession(
  deps: { readonly sessionStore: SessionStore; readonly events: SessionEvents },
  caller: Caller,
): Promise<void> {
  if (caller.previousSession === undefined) return;
  const end = await deps.sessionStore.end(caller.previousSession, caller.now);
  if (end !== undefined) deps.events.ended(end);
}
