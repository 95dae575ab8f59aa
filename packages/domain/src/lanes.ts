/** Work of one key in turn, work of different keys side by side: an order's events, a member's movements. */
export interface Lanes {
  /** Runs after everything queued for the key before. Rejects as `work` does; the lane goes on. */
  run<Value>(key: string, work: () => Promise<Value>): Promise<Value>;
  /** Resolves when every lane is empty. */
  idle(): Promise<void>;
}

/** Makes lanes; a lane exists only while it has work. */
export function createLanes(): Lanes {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const before = tails.get(key) ?? Promise.resolve();
      const result = before.then(work);
      const tail = result.then(
        () => undefined,
        () => undefined,
      );
      tails.set(key, tail);
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      return result;
    },
    async idle() {
      while (tails.size > 0) await Promise.all(tails.values());
    },
  };
}
