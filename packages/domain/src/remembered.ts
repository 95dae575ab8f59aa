/**
 * What a store holds, kept in memory. Exact as long as every change of it is made through `change`, in this process: what
 * is given out was in the store at some moment between the question and its answer.
 */
export interface Remembered<Value> {
  /**
   * The remembered value, or what `read` finds.
   * @param fits whether a remembered value still serves; if not, it is read again.
   */
  get(key: string, read: () => Promise<Value>, fits?: (value: Value) => boolean): Promise<Value>;
  /**
   * What `read` finds, whatever is remembered. Where it shows a change that was made elsewhere, nobody who asks from now
   * on is told what was there before it.
   */
  renew(key: string, read: () => Promise<Value>): Promise<Value>;
  /** Makes a change of the store. From its beginning on nothing that was read before serves for these keys. */
  change<Done>(keys: readonly string[], work: () => Promise<Done>): Promise<Done>;
  /** A change made elsewhere is over: what was read before no longer serves. */
  forget(key: string): void;
}

/** What is remembered, and how much of it. */
export interface RememberedOptions<Value> {
  /** Beyond it what was remembered first is forgotten. */
  readonly entriesMax: number;
  /** Whether a value is worth remembering. */
  readonly keeps: (value: Value) => boolean;
}

interface Reading {
  stale: boolean;
}

/** Makes an empty memory. */
export function createRemembered<Value>({ entriesMax, keeps }: RememberedOptions<Value>): Remembered<Value> {
  const entries = new Map<string, Value>();
  const readings = new Map<string, Set<Reading>>();
  /** Changes under way by key: whatever is read meanwhile may be older than they. */
  const changing = new Map<string, number>();

  /** @param found is told in the same step as the reading ends: whoever forgets in between is not missed. */
  const readFor = async (
    key: string,
    read: () => Promise<Value>,
    found: (value: Value, reading: Reading) => void,
  ): Promise<Value> => {
    const reading = { stale: changing.has(key) };
    const side = readings.get(key) ?? new Set();
    readings.set(key, side.add(reading));
    try {
      const value = await read();
      found(value, { ...reading });
      return value;
    } finally {
      side.delete(reading);
      if (side.size === 0) readings.delete(key);
    }
  };
  const remember = (key: string, value: Value, { stale }: Reading): void => {
    if (stale || !keeps(value)) return;
    const [first] = entries.keys();
    if (entries.size >= entriesMax && first !== undefined && !entries.has(key)) entries.delete(first);
    entries.set(key, value);
  };
  const forget = (key: string): void => {
    entries.delete(key);
    for (const reading of readings.get(key) ?? []) reading.stale = true;
  };

  return {
    forget,
    async get(key, read, fits = () => true) {
      const known = entries.get(key);
      if (known !== undefined && fits(known)) return known;
      entries.delete(key);
      return readFor(key, read, (value, reading) => remember(key, value, reading));
    },
    async renew(key, read) {
      forget(key);
      return readFor(key, read, (value, reading) => {
        // Whatever else was read meanwhile may be older.
        forget(key);
        remember(key, value, reading);
      });
    },
    async change(keys, work) {
      for (const key of keys) {
        forget(key);
        changing.set(key, (changing.get(key) ?? 0) + 1);
      }
      try {
        return await work();
      } finally {
        for (const key of keys) {
          const left = (changing.get(key) ?? 1) - 1;
          if (left === 0) changing.delete(key);
          else changing.set(key, left);
        }
      }
    },
  };
}
