import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectOf, recordedLines } from '../recording/recorded-lines.ts';
import type { BookLook, MinuteBar, TapeTrade } from './measures.ts';

/** What is read of the recordings (docs/venues/recordings.md): six minutes of Binance and thirty days of Bybit, all of BTCUSDT; books of Bybit. */

/** A recorded session of one market: its trades, and its book once a second. */
export interface RecordedSession {
  readonly trades: readonly TapeTrade[];
  readonly looks: readonly BookLook[];
}

const LOOK_MILLIS = 1_000;
const LEVELS_SHOWN = 1_000;

type Side = Map<number, number>;

/** `[["price", "size"], ...]` into a side; size 0 takes a level out. */
function applyLevels(side: Side, levels: unknown): void {
  if (!Array.isArray(levels)) return;
  for (const level of levels as unknown[]) {
    const [price, size] = (Array.isArray(level) ? level : []) as unknown[];
    if (Number(size) === 0) side.delete(Number(price));
    else side.set(Number(price), Number(size));
  }
}

function bestFirst(side: Side, sign: 1 | -1): [number, number][] {
  return [...side].sort(([left], [right]) => (left - right) * sign).slice(0, LEVELS_SHOWN);
}

/** Reads Binance streams and the snapshot among them (hftbacktest's layout). */
export async function recordedSession(file: string): Promise<RecordedSession> {
  const trades: TapeTrade[] = [];
  const looks: BookLook[] = [];
  const bids: Side = new Map();
  const asks: Side = new Map();
  let snapshotId: number | undefined;
  const early: Readonly<Record<string, unknown>>[] = [];
  const apply = (change: Readonly<Record<string, unknown>>): void => {
    if (snapshotId === undefined) early.push(change);
    else if (Number(change.u) > snapshotId) {
      applyLevels(bids, change.b);
      applyLevels(asks, change.a);
    }
  };
  let lookAt = 0;
  for await (const line of recordedLines(file)) {
    if (line.kind !== 'frame' && line.kind !== 'answer') continue;
    const message = objectOf(line.text) ?? {};
    const data = objectOf(JSON.stringify(message.data ?? {})) ?? {};
    if (typeof message.lastUpdateId === 'number') {
      snapshotId = message.lastUpdateId;
      applyLevels(bids, message.bids);
      applyLevels(asks, message.asks);
      for (const change of early.splice(0)) apply(change);
    } else if (data.e === 'depthUpdate') apply(data);
    else if (data.e === 'trade' && Number(data.p) > 0) {
      trades.push({ time: Number(data.T), value: Number(data.p) * Number(data.q), buys: data.m === false });
    }
    if (snapshotId === undefined || line.at < lookAt) continue;
    lookAt = line.at + LOOK_MILLIS;
    looks.push({ bids: bestFirst(bids, -1), asks: bestFirst(asks, 1) });
  }
  return { trades, looks };
}

interface RecordedBook {
  readonly bids: Side;
  readonly asks: Side;
  readonly looks: BookLook[];
}

/** Reads what Bybit told of books (cryptofeed's layout): looks at every change, by half and symbol, such as `perps SOLUSDT`. */
export async function recordedBooks(file: string): Promise<ReadonlyMap<string, readonly BookLook[]>> {
  const halves = new Map<string, 'spot' | 'perps'>();
  const books = new Map<string, RecordedBook>();
  for await (const line of recordedLines(file)) {
    if (line.kind === 'opened' && line.address.includes('/v5/public/'))
      halves.set(line.connection, line.address.endsWith('/spot') ? 'spot' : 'perps');
    if (line.kind !== 'frame') continue;
    const message = objectOf(line.text) ?? {};
    const symbol = /^orderbook[.]200[.](.+)$/.exec(String(message.topic))?.[1];
    if (symbol === undefined) continue;
    const name = `${halves.get(line.connection)} ${symbol}`;
    const book: RecordedBook = books.get(name) ?? { bids: new Map(), asks: new Map(), looks: [] };
    books.set(name, book);
    const { bids, asks, looks } = book;
    if (message.type === 'snapshot') for (const side of [bids, asks]) side.clear();
    const data = objectOf(JSON.stringify(message.data ?? {})) ?? {};
    applyLevels(bids, data.b);
    applyLevels(asks, data.a);
    looks.push({ bids: bestFirst(bids, -1), asks: bestFirst(asks, 1) });
  }
  return new Map([...books].map(([name, { looks }]) => [name, looks]));
}

/** Reads a table `timestamp,open,high,low,close,volume` of minutes. */
export function recordedBars(file: string): MinuteBar[] {
  const [, ...rows] = readFileSync(file, 'utf8').trim().split('\n');
  return rows.map((row) => {
    const [time = '', open, high, low, close, volume] = row.split(',');
    const metrics = { open: Number(open), high: Number(high), low: Number(low), close: Number(close) };
    return { time: Date.parse(time), ...metrics, volume: Number(volume) };
  });
}

/** Where the recordings lie; `undefined` when one of them is missing. */
export function recordingsIn(
  directory: string,
): Readonly<Record<'spot' | 'perps' | 'bars' | 'bybit', string>> | undefined {
  const found = {
    spot: join(directory, 'hftbacktest/spot/btcusdt_20240808.gz'),
    perps: join(directory, 'hftbacktest/usdm/btcusdt_20240808.gz'),
    bars: join(directory, 'klines-bybit/BTCUSDT_1m.csv'),
    bybit: join(directory, 'cryptofeed/BYBIT.jsonl'),
  };
  return Object.values(found).every((file) => existsSync(file)) ? found : undefined;
}
