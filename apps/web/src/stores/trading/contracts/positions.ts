import type { ClosedPositionRow, MarginRow, PositionRow } from '@crossbook/contract';
import { type Platform, platformFacts } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { now } from '../../app/clock.ts';
import { contractOffer } from '../../market/market.ts';
import { call } from '../../member/own-service.ts';

/** Open positions of the member and the margin behind them, as the exchanges state them. */
export interface PositionsState {
  /** Positions that are not flat, by `positionKey`; all platforms. */
  readonly open: ReadonlyMap<string, PositionRow>;
  /** Margin by platform. */
  readonly margin: Readonly<Partial<Record<Platform, MarginRow>>>;
  readonly status: Readonly<Partial<Record<Platform, 'loading' | 'ready' | 'failed'>>>;
  /** When an exchange's positions were last heard of, ms by the browser's clock. */
  readonly heardAt: Readonly<Partial<Record<Platform, number>>>;
  /** Rises whenever a position ends or funding is paid, so that histories know when to read again. */
  readonly version: number;
}

const NOTHING: PositionsState = { open: new Map(), margin: {}, status: {}, heardAt: {}, version: 0 };

/** Positions; empty for a visitor. */
export const positionsStore = createStore<PositionsState>(() => NOTHING);

/**
 * What makes a position of an account that one and no other: platform, symbol, leg and margin mode. Where the mode is the
 * account's, a position that changes it stays the one that it is.
 */
export function positionKey(row: Pick<PositionRow, 'exchange' | 'symbol' | 'effect' | 'marginMode'>): string {
  const moves = contractOffer(row.exchange).reach.marginMode === 'account';
  return `${row.exchange}:${row.symbol}:${row.effect}:${moves ? '' : row.marginMode}`;
}

/** Positions that ended, by key and when: a late, older row must not bring one back; the oldest are forgotten. */
const ENDED_REMEMBERED_MAX = 500;
const ended = new Map<string, number>();

function isFlat({ quantity }: PositionRow): boolean {
  return /^-?0(?:\.0+)?$/.test(quantity);
}

function isOlder(row: PositionRow, known: PositionRow | undefined): boolean {
  const end = ended.get(positionKey(row));
  return (
    (known !== undefined && known.updatedAt > row.updatedAt) || (end !== undefined && end > row.updatedAt)
  );
}

function rememberEnd(key: string, at: number): void {
  ended.delete(key);
  ended.set(key, at);
  const oldest = ended.size > ENDED_REMEMBERED_MAX ? ended.keys().next().value : undefined;
  if (oldest !== undefined) ended.delete(oldest);
}

/** Folds one position row, from an answer or an event; older rows than the one known change nothing. */
export function applyPosition(row: PositionRow): void {
  const { open } = positionsStore.getState();
  const key = positionKey(row);
  if (isOlder(row, open.get(key))) return;
  const next = new Map(open);
  if (isFlat(row)) {
    rememberEnd(key, row.updatedAt);
    next.delete(key);
  } else next.set(key, row);
  positionsStore.setState(({ heardAt }) => ({
    open: next,
    heardAt: { ...heardAt, [row.exchange]: now() },
  }));
}

/** Takes a position off that is booked as over, though its exchange told of no flat one; a newer one stays. */
export function endPosition(closed: ClosedPositionRow): void {
  const { open } = positionsStore.getState();
  const key = positionKey(closed);
  const row = open.get(key);
  rememberEnd(key, Math.max(closed.closedAt, row?.positionId === closed.positionId ? row.updatedAt : 0));
  if (row === undefined || row.openedAt > closed.closedAt) return;
  const next = new Map(open);
  next.delete(key);
  positionsStore.setState({ open: next });
}

/** Folds what an exchange says of the margin; an older row changes nothing. */
export function applyMargin(row: MarginRow): void {
  positionsStore.setState(({ margin }) => {
    const known = margin[row.exchange];
    if (known !== undefined && known.updatedAt > row.updatedAt) return {};
    return { margin: { ...margin, [row.exchange]: row } };
  });
}

/** Reads a platform's positions and margin. Rows already shown stay while they are read again. */
export async function loadPositions(platform: Platform): Promise<void> {
  const setStatus = (status: 'loading' | 'ready' | 'failed') =>
    positionsStore.setState((state) => ({ status: { ...state.status, [platform]: status } }));
  if (positionsStore.getState().status[platform] === undefined) setStatus('loading');
  const answer = await call(
    'connextrade/CurPositionList',
    { platformType: platformFacts(platform).platformType },
    { quiet: true },
  );
  if (!answer.ok) {
    if (positionsStore.getState().status[platform] !== 'ready') setStatus('failed');
    return;
  }
  const { positions, margin } = answer.data;
  positionsStore.setState((state) => {
    const others = [...state.open].filter(([, row]) => row.exchange !== platform);
    const read = positions.filter((row) => !isFlat(row) && !isOlder(row, undefined));
    const newest = read.map((row) => {
      const known = state.open.get(positionKey(row));
      return known !== undefined && known.updatedAt > row.updatedAt ? known : row;
    });
    return {
      open: new Map([...others, ...newest.map((row) => [positionKey(row), row] as const)]),
      status: { ...state.status, [platform]: 'ready' },
      heardAt: { ...state.heardAt, [platform]: now() },
      version: state.version + 1,
    };
  });
  for (const row of margin) applyMargin(row);
}

/** Platforms whose positions are being read again, and whether once more after that. */
const rereading = new Map<Platform, boolean>();

/** Reads a platform's positions again; asked for any number of times meanwhile, once more. */
export async function readPositionsAgain(platform: Platform): Promise<void> {
  const busy = rereading.has(platform);
  rereading.set(platform, busy);
  if (busy) return;
  try {
    for (let again = true; again; ) {
      rereading.set(platform, false);
      await loadPositions(platform);
      again = rereading.get(platform) === true;
    }
  } finally {
    rereading.delete(platform);
  }
}

/** Something happened that histories show: a position ended, or funding was paid. */
export function touchPositions(): void {
  positionsStore.setState(({ version }) => ({ version: version + 1 }));
}

/** Positions of one contract. */
export function positionsOf(
  { open }: Pick<PositionsState, 'open'>,
  platform: Platform,
  symbol: string,
): readonly PositionRow[] {
  return [...open.values()].filter((row) => row.exchange === platform && row.symbol === symbol);
}

/** Forgets everything: another member, or none. */
export function forgetPositions(): void {
  ended.clear();
  positionsStore.setState((state) => ({ ...NOTHING, version: state.version + 1 }));
}
