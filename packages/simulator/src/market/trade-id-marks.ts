import { MINUTE_MILLIS } from './bars/bars.ts';
import type { MarketFiles } from './story/market-files.ts';

/** The last trade id of a closed minute. */
export interface TradeIdMark {
  readonly minute: number;
  readonly lastId: number;
}

/**
 * Which ids trades had at which time, one minute for each market: a restart counts on from there, so that trades of
 * before keep the ids they were told under.
 */
export interface TradeIdMarks {
  of(symbol: string): TradeIdMark | undefined;
  /** Takes the newest closed minute of a market. Written down every few minutes: any minute of before says the same. */
  note(symbol: string, mark: TradeIdMark): void;
  flush(): void;
}

const FILE = 'trade-ids.txt';
const FLUSH_MINUTES = 5;

function parseMark(line: string): readonly [string, TradeIdMark] | undefined {
  const [symbol = '', minute, lastId, end] = line.split(' ');
  const mark = { minute: Number(minute), lastId: Number(lastId) };
  // A line that was cut short has no end.
  const whole = end === '.' && Number.isSafeInteger(mark.minute) && Number.isSafeInteger(mark.lastId);
  return whole ? [symbol, mark] : undefined;
}

/** Opens the marks of a data directory. */
export function tradeIdMarks(files: MarketFiles): TradeIdMarks {
  const text = new TextDecoder().decode(files.read(FILE) ?? new Uint8Array());
  const marks = new Map(
    text.split('\n').flatMap((line) => [parseMark(line)].filter((mark) => mark !== undefined)),
  );
  let written = 0;
  const flush = (): void => {
    const lines = [...marks].map(([symbol, { minute, lastId }]) => `${symbol} ${minute} ${lastId} .\n`);
    if (lines.length > 0) files.replace(FILE, new TextEncoder().encode(lines.join('')));
  };
  return {
    of: (symbol) => marks.get(symbol),
    note: (symbol, mark) => {
      marks.set(symbol, mark);
      if (mark.minute < written + FLUSH_MINUTES * MINUTE_MILLIS) return;
      written = mark.minute;
      flush();
    },
    flush,
  };
}
