import type { Instrument, Platform, SymbolType } from '@crossbook/domain';
import type { TradingDeps } from './ports.ts';

/** Where they are kept. */
export interface KnownStore {
  all(): Promise<readonly Instrument[]>;
  /** Writes those that are new or have changed. */
  keep(instruments: readonly Instrument[]): Promise<void>;
}

/** Orders of a delisted market are over some day; an exchange lists a few hundred new ones a year. */
const KNOWN_MAX = 50_000;

const keyOf = (platform: Platform, symbolType: SymbolType, symbol: string): string =>
  `${platform}/${symbolType}/${symbol}`;

/** What tells whether an instrument is another one than it was; bands of prices change all the time. */
function textOf({ priceBand: _band, ...facts }: Instrument): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join();
}

/**
 * What exchanges have ever listed: what an exchange takes off its list is halted, and still to be looked up, cancelled and
 * closed.
 */
export class KnownInstruments {
  readonly #store: KnownStore;
  readonly #note: TradingDeps['log']['note'];
  readonly #known: Map<string, Instrument>;

  private constructor(store: KnownStore, note: TradingDeps['log']['note'], known: readonly Instrument[]) {
    this.#store = store;
    this.#note = note;
    this.#known = new Map(known.map((row) => [keyOf(row.platform, row.symbolType, row.symbol), row]));
  }

  /** Reads what was known before. */
  static async open(store: KnownStore, note: TradingDeps['log']['note']): Promise<KnownInstruments> {
    return new KnownInstruments(store, note, await store.all());
  }

  /** A list is there: what it has is known from now on. */
  listed(rows: readonly Instrument[]): void {
    const changed = rows.filter((row) => {
      const before = this.#known.get(keyOf(row.platform, row.symbolType, row.symbol));
      return before === undefined ? this.#known.size < KNOWN_MAX : textOf(before) !== textOf(row);
    });
    for (const row of changed) this.#known.set(keyOf(row.platform, row.symbolType, row.symbol), row);
    if (changed.length === 0) return;
    this.#store.keep(changed).catch((error: unknown) => {
      // The next list writes them.
      for (const row of changed) this.#known.delete(keyOf(row.platform, row.symbolType, row.symbol));
      this.#note('instruments not kept', { error: String(error) });
    });
  }

  /** One that is on no list now, as it was listed last: halted. */
  find(platform: Platform, symbolType: SymbolType, symbol: string): Instrument | undefined {
    const found = this.#known.get(keyOf(platform, symbolType, symbol));
    return found === undefined ? undefined : { ...found, status: 'halted' };
  }

  /** What a platform has ever listed of one type, each as it was listed last: which of them are gone only its own list tells. */
  remembered(platform: Platform, symbolType: SymbolType): readonly Instrument[] {
    return [...this.#known.values()].filter(
      (row) => row.platform === platform && row.symbolType === symbolType,
    );
  }

  /** Those of a platform that are not among `listed`: halted. */
  gone(platform: Platform, listed: readonly Instrument[]): readonly Instrument[] {
    const there = new Set(listed.map(({ symbolType, symbol }) => keyOf(platform, symbolType, symbol)));
    return [...this.#known]
      .filter(([key, row]) => row.platform === platform && !there.has(key))
      .map(([, row]) => ({ ...row, status: 'halted' }));
  }
}
