import type { FillRow } from '@crossbook/contract';
import { type Platform, platformFacts } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { call } from '../member/own-service.ts';

/** Fills kept in memory; older ones are read page by page on the history screen. */
export const RECENT_FILLS_MAX = 200;

/** The newest fills of the member, newest first. */
export interface FillsState {
  readonly recent: readonly FillRow[];
  readonly status: Readonly<Partial<Record<Platform, 'loading' | 'ready' | 'failed'>>>;
}

/** Recent fills; empty for a visitor. */
export const fillsStore = createStore<FillsState>(() => ({ recent: [], status: {} }));

function fillKey(row: FillRow): string {
  return `${row.exchange}:${row.symbol}:${row.tradeId}`;
}

/** Joins fills with those known: each once, newest first, bounded. */
export function mergeFills(known: readonly FillRow[], more: readonly FillRow[]): readonly FillRow[] {
  const byKey = new Map([...known, ...more].map((row) => [fillKey(row), row]));
  return [...byKey.values()].sort((left, right) => right.time - left.time).slice(0, RECENT_FILLS_MAX);
}

/** Reads the newest fills of a platform. */
export async function loadRecentFills(platform: Platform): Promise<void> {
  const setStatus = (status: 'loading' | 'ready' | 'failed') =>
    fillsStore.setState((state) => ({ status: { ...state.status, [platform]: status } }));
  if (fillsStore.getState().status[platform] === undefined) setStatus('loading');
  const answer = await call(
    'x/trade/Fills',
    { platformType: platformFacts(platform).platformType, limit: 100 },
    { quiet: true },
  );
  if (answer.ok) {
    fillsStore.setState((state) => ({ recent: mergeFills(state.recent, answer.data.rows) }));
    setStatus('ready');
  } else if (fillsStore.getState().status[platform] !== 'ready') setStatus('failed');
}

/** Folds one fill event. */
export function applyFill(row: FillRow): void {
  fillsStore.setState((state) => ({ recent: mergeFills(state.recent, [row]) }));
}

/** Forgets everything: another member, or none. */
export function forgetFills(): void {
  fillsStore.setState({ recent: [], status: {} });
}
