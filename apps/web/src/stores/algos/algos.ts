import type { AlgoRow, OrderRow } from '@crossbook/contract';
import { type Platform, platformFacts } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { notify } from '../app/notices.ts';
import { call } from '../member/own-service.ts';

/** Orders of the member that wait for a price. */
export interface AlgosState {
  /** Those that are not done, by id; all platforms. */
  readonly open: ReadonlyMap<string, AlgoRow>;
  readonly status: Readonly<Partial<Record<Platform, 'loading' | 'ready' | 'failed'>>>;
  /** Rises with every event, so that the history knows when to read again. */
  readonly version: number;
  /** How many fired in this sitting: each has its sound. */
  readonly fired: number;
}

/** Orders that wait; empty for a visitor. */
export const algosStore = createStore<AlgosState>(() => ({
  ...{ open: new Map(), status: {}, version: 0, fired: 0 },
}));

/** Done ones that a late, older row must not bring back; the oldest are forgotten. */
const DONE_REMEMBERED_MAX = 500;
const done = new Map<string, AlgoRow>();

/** How one that waited ended; `undefined` while it has not, or once that is forgotten. */
export function endOfAlgo(algoId: string): AlgoRow['state'] | undefined {
  return done.get(algoId)?.state;
}

/** Those that ended since the page was opened; what the exchange had of its own stands in no history. */
export function endedHere(): readonly AlgoRow[] {
  return [...done.values()].filter(({ ofExchange }) => ofExchange !== true);
}

/** Whether nothing more will be told of it: its children tell the rest. */
export function isDone({ state }: Pick<AlgoRow, 'state'>): boolean {
  return state !== 'placing' && state !== 'waiting' && state !== 'firing';
}

/** The iceberg that makes an order anew when it is cancelled: it is cancelled instead. */
export function icebergAtWork(
  { icebergId }: Pick<OrderRow, 'icebergId'>,
  open: ReadonlyMap<string, AlgoRow>,
): AlgoRow | undefined {
  const iceberg = icebergId === null ? undefined : open.get(icebergId);
  return iceberg?.state === 'firing' ? undefined : iceberg;
}

/** Keeps a name among a bounded many. */
export function remember(names: Set<string>, name: string): void {
  names.add(name);
  const [oldest] = names;
  if (names.size > DONE_REMEMBERED_MAX && oldest !== undefined) names.delete(oldest);
}

function rememberDone(row: AlgoRow): void {
  done.set(row.algoId, row);
  const oldest = done.keys().next().value;
  if (done.size > DONE_REMEMBERED_MAX && oldest !== undefined) done.delete(oldest);
}

/** Reads a platform's orders that wait. */
export async function loadAlgos(platform: Platform): Promise<void> {
  const setStatus = (status: 'loading' | 'ready' | 'failed') =>
    algosStore.setState((state) => ({ status: { ...state.status, [platform]: status } }));
  if (algosStore.getState().status[platform] === undefined) setStatus('loading');
  const { platformType } = platformFacts(platform);
  const answer = await call('connextrade/CurAlgoOrderList', { platformType }, { quiet: true });
  if (!answer.ok) {
    if (algosStore.getState().status[platform] !== 'ready') setStatus('failed');
    return;
  }
  algosStore.setState((state) => {
    const others = [...state.open].filter(([, row]) => row.exchange !== platform);
    const read = answer.data
      .filter((row) => !isDone(row) && !done.has(row.algoId))
      .map((row) => [row.algoId, row] as const);
    return {
      open: new Map([...others, ...read]),
      status: { ...state.status, [platform]: 'ready' },
      version: state.version + 1,
    };
  });
}

/** Folds one row, from an answer or an event; older rows than the one known change nothing. */
export function applyAlgo(row: AlgoRow): void {
  const known = algosStore.getState().open.get(row.algoId);
  if (known !== undefined && known.updatedAt > row.updatedAt) return;
  if (done.has(row.algoId)) return;
  const { open: before, status } = algosStore.getState();
  const waited = known === undefined ? status[row.exchange] !== 'ready' : known.state !== 'placing';
  const open = new Map(before);
  if (isDone(row)) {
    rememberDone(row);
    open.delete(row.algoId);
  } else open.set(row.algoId, row);
  algosStore.setState((state) => ({
    open,
    version: state.version + 1,
    fired: state.fired + (row.state === 'fired' ? 1 : 0),
  }));
  if (isDone(row)) sayEnd(row, waited, known?.cancelPending === true);
}

/** What one is about, for a notice. */
export function wordsOf({ symbol, exchange, algoType, side, reason }: AlgoRow) {
  const kind = algoType === 'take-profit' ? 'target' : algoType;
  return { symbol, kind, side, reason: reason ?? '', venue: platformFacts(exchange).name };
}

/** Those that this page asked to cancel; the oldest are forgotten. */
const asked = new Set<string>();

/** The member asked for the end of one: then it is no news when it comes. */
export function rememberAsked(algoId: string): void {
  remember(asked, algoId);
}

/**
 * @param waited whether it may have stood at the exchange: what was refused at once never did, and its call is answered so.
 * @param cancelling whether its cancel was under way: not the exchange ended it then.
 */
function sayEnd(row: AlgoRow, waited: boolean, cancelling: boolean): void {
  if (row.state === 'refused' && !waited && row.parentOrderId === null) return;
  const key = `algo ${row.algoId}`;
  const values = wordsOf(row);
  const { refusal: venue } = row;
  if (row.state === 'fired') notify('success', { id: 'algo.fired', values }, key, { event: 'fired' });
  else if (row.state === 'cancelled') {
    const event = asked.delete(row.algoId) || cancelling ? 'own' : 'failed';
    notify('info', { id: event === 'own' ? 'algo.cancelled' : 'algo.cancelledElsewhere', values }, key, {
      event,
      venue,
    });
  } else if (row.state === 'expired') {
    notify('warning', { id: 'algo.expired', values }, key, { event: 'failed', venue });
  } else {
    // What should have protected something does not: said until it is read.
    notify('error', { id: waited ? 'algo.refused' : 'algo.notPlaced', values }, key, {
      event: 'danger',
      venue,
    });
  }
}

/** Forgets everything: another member, or none. */
export function forgetAlgos(): void {
  done.clear();
  algosStore.setState((state) => ({ open: new Map(), status: {}, version: state.version + 1 }));
}
