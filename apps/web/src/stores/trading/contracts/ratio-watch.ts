import type { PositionRow } from '@crossbook/contract';
import { type Platform, ZERO } from '@crossbook/domain';
import { heldBackByOrders } from '../../../calculators/contracts/held-back.ts';
import {
  crossRatioAt,
  isolatedRatioAt,
  type MarkedPosition,
} from '../../../calculators/contracts/live-ratio.ts';
import { findInstrument, instrumentsStore, loadInstruments } from '../../market/instruments.ts';
import { contractOffer, marketKey } from '../../market/market.ts';
import { ordersStore } from '../orders.ts';
import { sayRatio } from './contract-notices.ts';
import { keepMarks, marksStore } from './marks.ts';
import { positionKey, positionsStore } from './positions.ts';

/** Contracts whose marks are followed for this at most; of more positions the exchanges' own word has to do. */
const WATCHED_MAX = 60;

const nameOf = ({ exchange, symbol }: PositionRow) => ({
  ...{ platform: exchange, symbolType: 'SWAP' as const, symbol },
});

/** Positions of a platform at their newest marks; `undefined` while one of their contracts is not known. */
function markedOf(platform: Platform): readonly MarkedPosition[] | undefined {
  const instruments = instrumentsStore.getState();
  const marks = marksStore.getState();
  const rows = [...positionsStore.getState().open.values()].filter(({ exchange }) => exchange === platform);
  const marked = rows.flatMap((row) => {
    const instrument = findInstrument(instruments, platform, 'SWAP', row.symbol);
    return instrument === undefined ? [] : [{ row, instrument, mark: marks[marketKey(nameOf(row))]?.price }];
  });
  return marked.length === rows.length ? marked : undefined;
}

function judge(platform: Platform): void {
  const marked = markedOf(platform);
  if (marked === undefined) return;
  const { margin: terms } = contractOffer(platform);
  const margin = positionsStore.getState().margin[platform];
  const instruments = instrumentsStore.getState();
  const orders = [...ordersStore.getState().open.values()].filter(({ exchange }) => exchange === platform);
  const heldBack =
    terms.ordersHoldBack === true
      ? heldBackByOrders(orders, (type, symbol) => findInstrument(instruments, platform, type, symbol))
      : ZERO;
  const cross = margin === undefined ? undefined : crossRatioAt(margin, marked, { terms, heldBack });
  if (cross !== undefined) sayRatio({ exchange: platform, ratio: cross, estimated: true });
  for (const position of marked) {
    const ratio = isolatedRatioAt(position, terms);
    const key = positionKey(position.row);
    const { symbol } = position.row;
    if (ratio !== undefined && position.row.marginMode === 'isolated')
      sayRatio({ exchange: platform, ratio, position: { key, symbol }, estimated: true });
  }
}

/** Brings the marks of contracts until it is ended. */
type KeepMarks = typeof keepMarks;

let watchers = 0;
let end: () => void = () => undefined;

/** Follows the marks of what is held, whatever it is at the moment. @returns what ends it. */
function begin(keep: KeepMarks): () => void {
  let names = '';
  let release: () => void = () => undefined;
  const watch = (): void => {
    const rows = [...positionsStore.getState().open.values()].slice(0, WATCHED_MAX);
    const next = rows.map((row) => marketKey(nameOf(row))).join();
    if (next === names) return;
    names = next;
    const before = release;
    release = keep(rows.map(nameOf));
    before();
    for (const platform of new Set(rows.map(({ exchange }) => exchange))) void loadInstruments(platform);
  };
  watch();
  const stopPositions = positionsStore.subscribe(watch);
  // Marks are published at most four times a second.
  const stopMarks = marksStore.subscribe(() => {
    const platforms = new Set([...positionsStore.getState().open.values()].map(({ exchange }) => exchange));
    for (const platform of platforms) judge(platform);
  });
  return () => {
    stopPositions();
    stopMarks();
    release();
  };
}

/**
 * Says that positions come near liquidation as the mark moves, before the exchange says it or the hub reads it again.
 * @param keep who brings the marks.
 * @returns what ends it; several may watch at once.
 */
export function watchRatios(keep: KeepMarks = keepMarks): () => void {
  watchers += 1;
  if (watchers === 1) end = begin(keep);
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    watchers -= 1;
    if (watchers === 0) end();
  };
}
