/** A session that has ended: its live connections must close. */
export interface SessionEnd {
  readonly sessionHash: string;
}

/** The in-process bus for ended sessions; between nodes it will travel over the message bus. */
export interface SessionEvents {
  /** Registers a listener; returns what removes it. */
  onEnd(listener: (end: SessionEnd) => void): () => void;
  ended(end: SessionEnd): void;
}

/** Makes the bus. A listener must not throw. */
export function sessionEvents(): SessionEvents {
  const listeners = new Set<(end: SessionEnd) => void>();
  return {
    onEnd(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ended(end) {
      for (const listener of listeners) listener(end);
    },
  };
}
