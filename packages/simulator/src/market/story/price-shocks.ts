import type { MarketFiles } from './market-files.ts';

/** A jump of a market's fair price that lasts: an admin's shock. */
export interface PriceShock {
  readonly symbol: string;
  readonly time: number;
  readonly factor: number;
}

/** Shocks of all markets, kept on disk one JSON line each, because prices after them depend on them for ever. */
export interface PriceShocks {
  add(shock: PriceShock): void;
  /** Logarithm of the product of a market's factors up to and including a time. */
  logAt(symbol: string, time: number): number;
}

const FILE = 'shocks.jsonl';

function parseShock(line: string): PriceShock | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return undefined;
    if (!('symbol' in value && 'time' in value && 'factor' in value)) return undefined;
    const { symbol, time, factor } = value;
    if (typeof symbol !== 'string' || typeof time !== 'number' || typeof factor !== 'number')
      return undefined;
    return factor > 0 && Number.isFinite(factor) ? { symbol, time, factor } : undefined;
  } catch {
    // A line that a crash cut short was never acknowledged.
    return undefined;
  }
}

/** Opens the shocks of a data directory. */
export function priceShocks(files: MarketFiles): PriceShocks {
  const bySymbol = new Map<string, { readonly time: number; readonly log: number }[]>();
  const keep = (shock: PriceShock): void => {
    const known = bySymbol.get(shock.symbol) ?? [];
    bySymbol.set(shock.symbol, known);
    known.push({ time: shock.time, log: (known.at(-1)?.log ?? 0) + Math.log(shock.factor) });
  };
  const text = new TextDecoder().decode(files.read(FILE) ?? new Uint8Array());
  const lines = text.split('\n');
  for (const line of lines) {
    const shock = parseShock(line);
    if (shock !== undefined) keep(shock);
  }
  if (lines.at(-1) !== '') files.appendDurably(FILE, new TextEncoder().encode('\n'));
  return {
    add: (shock) => {
      files.appendDurably(FILE, new TextEncoder().encode(`${JSON.stringify(shock)}\n`));
      keep(shock);
    },
    logAt: (symbol, time) => {
      const known = bySymbol.get(symbol);
      if (known === undefined) return 0;
      let log = 0;
      for (const entry of known) if (entry.time <= time) log = entry.log;
      return log;
    },
  };
}
