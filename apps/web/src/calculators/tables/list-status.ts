import type { Platform } from '@crossbook/domain';

/** How far a list is read. */
export type ListStatus = 'loading' | 'ready' | 'failed';

/** How far lists of several exchanges are read together. */
export interface ListsStatus {
  /** Failed only where nothing is there to be shown: what some exchanges answered stands. */
  readonly status: ListStatus;
  /** Exchanges whose rows are missing from what is shown. */
  readonly unread: readonly Platform[];
}

/** @param any whether there are rows to show. */
export function listsStatus(
  status: Readonly<Partial<Record<Platform, ListStatus>>>,
  platforms: readonly Platform[],
  any: boolean,
): ListsStatus {
  const of = platforms.map((platform) => status[platform] ?? 'loading');
  const failed = platforms.filter((platform) => status[platform] === 'failed');
  if (any) return { status: 'ready', unread: failed };
  if (of.includes('loading')) return { status: 'loading', unread: [] };
  if (failed.length === platforms.length) return { status: 'failed', unread: [] };
  return { status: 'ready', unread: failed };
}
