import { type Instrument, type StepScale, stepScale } from '@crossbook/domain';
import { depthScale, emptySideRows, groupSide, type SideRows } from '../../../calculators/book-rows.ts';
import type { PriceDirection } from '../../../calculators/price-direction.ts';
import { compactNumber, rowDecimals, stepsText } from '../../../calculators/step-text.ts';
import type { BookStore } from '../../../stores/book.ts';
import { type CanvasSurface, createSurface, type PaintFrame } from '../canvas-surface.ts';

/** Which sides are shown. */
export type BookMode = 'both' | 'bids' | 'asks';

/** How the book is looked at. */
export interface BookView {
  readonly mode: BookMode;
  /** Width of a row in ticks. */
  readonly groupTicks: number;
}

/** Last price as the middle row shows it. */
export interface BookLast {
  readonly text: string;
  readonly direction: PriceDirection;
}

/** What the canvas reads and whom it tells. */
export interface BookCanvasPorts {
  readonly store: BookStore;
  readonly instrument: Instrument;
  last(): BookLast | undefined;
  /** A price was clicked, in ticks. */
  onPrice(ticks: number): void;
  /** A size was clicked, in lots. */
  onSize(lots: number): void;
  /** Called after each paint with the rows on screen. */
  onPainted(bids: SideRows, asks: SideRows, rows: number): void;
}

/** A painted book. */
export interface BookCanvas {
  look(view: BookView): void;
  invalidate(): void;
  dispose(): void;
}

/** Height of a row, CSS pixels. */
export const BOOK_ROW_PIXELS = 20;
const MIDDLE_PIXELS = 36;
const EDGE = 12;
const FLASH_MILLIS = 300;
const FLASH_STEPS = 6;
const FLASH_ALPHA_MAX = 0.3;
/** Levels a side that are read for grouping. */
const LEVELS_READ_MAX = 5_000;
const FIGURES_PER_ROW = 6;

interface Layout {
  readonly rows: number;
  readonly askTop: number;
  readonly middleTop: number;
  readonly bidTop: number;
}

/** Where things stand for a mode and a height. Asks stand above the middle with the best one next to it. */
export function bookLayout(mode: BookMode, height: number): Layout {
  const room = Math.max(0, height - MIDDLE_PIXELS);
  if (mode === 'both') {
    const rows = Math.floor(room / 2 / BOOK_ROW_PIXELS);
    const middleTop = rows * BOOK_ROW_PIXELS;
    return { rows, askTop: 0, middleTop, bidTop: middleTop + MIDDLE_PIXELS };
  }
  const rows = Math.floor(room / BOOK_ROW_PIXELS);
  if (mode === 'bids') return { rows, askTop: -1, middleTop: 0, bidTop: MIDDLE_PIXELS };
  return { rows, askTop: 0, middleTop: rows * BOOK_ROW_PIXELS, bidTop: -1 };
}

interface Scales {
  readonly price: StepScale;
  readonly size: StepScale;
  /** Digits after the point of prices in the present grouping. */
  priceDecimals: number;
}

interface RowPaint {
  readonly top: number;
  readonly side: 'bids' | 'asks';
  readonly price: number;
  readonly size: number;
  readonly total: number;
  readonly bar: number;
  readonly flash: number;
  readonly hovered: boolean;
}

function sizeText(lots: number, scale: StepScale): string {
  const value = (lots * scale.unitsPerStep) / 10 ** scale.decimals;
  return value >= 1e6 || scale.decimals > 5 ? compactNumber(value) : stepsText(lots, scale);
}

function paintRow(frame: PaintFrame, row: RowPaint, scales: Scales): void {
  const { context, width, palette } = frame;
  const bids = row.side === 'bids';
  context.fillStyle = row.hovered ? palette.hover : palette.panel;
  context.fillRect(0, row.top, width, BOOK_ROW_PIXELS);
  if (row.price === 0) return;
  context.fillStyle = bids ? palette.upSoft : palette.downSoft;
  context.fillRect(width - row.bar, row.top, row.bar, BOOK_ROW_PIXELS - 1);
  const sizeRight = Math.round(width * 0.64);
  if (row.flash !== 0) {
    context.globalAlpha = (Math.abs(row.flash) / FLASH_STEPS) * FLASH_ALPHA_MAX;
    context.fillStyle = row.flash > 0 ? palette.up : palette.down;
    context.fillRect(sizeRight - 76, row.top, 82, BOOK_ROW_PIXELS - 1);
    context.globalAlpha = 1;
  }
  const middle = row.top + BOOK_ROW_PIXELS / 2;
  context.textAlign = 'left';
  context.fillStyle = bids ? palette.up : palette.down;
  context.fillText(stepsText(row.price, scales.price, scales.priceDecimals), EDGE, middle);
  context.textAlign = 'right';
  context.fillStyle = palette.text;
  context.fillText(sizeText(row.size, scales.size), sizeRight, middle);
  context.fillStyle = palette.soft;
  context.fillText(sizeText(row.total, scales.size), width - EDGE, middle);
}

function paintMiddle(frame: PaintFrame, top: number, last: BookLast | undefined, spread: string): void {
  const { context, width, palette } = frame;
  context.fillStyle = palette.panel;
  context.fillRect(0, top, width, MIDDLE_PIXELS);
  const middle = top + MIDDLE_PIXELS / 2;
  if (last !== undefined) {
    const up = last.direction === 'up';
    const down = last.direction === 'down';
    context.textAlign = 'left';
    context.fillStyle = up ? palette.up : down ? palette.down : palette.text;
    context.font = `600 16px ${palette.font}`;
    // The arrow says it without colour.
    context.fillText(`${last.text}${up ? ' ↑' : down ? ' ↓' : ''}`, EDGE, middle);
  }
  context.font = `12px ${palette.font}`;
  context.textAlign = 'right';
  context.fillStyle = palette.faint;
  context.fillText(spread, width - EDGE, middle);
}

/** Remembers sizes by price, so that a changed size flashes once and fades. */
class SizeFlashes {
  #sizes = new Map<number, number>();
  #next = new Map<number, number>();
  readonly #flashes = new Map<number, { readonly grew: boolean; readonly at: number }>();
  readonly #still = window.matchMedia('(prefers-reduced-motion: reduce)');

  /** Strength of a row's flash now: 0 none, up to `FLASH_STEPS`, negative when the size shrank. */
  strength(key: number, size: number, now: number): number {
    const before = this.#sizes.get(key);
    this.#next.set(key, size);
    if (before !== undefined && before !== size && !this.#still.matches) {
      this.#flashes.set(key, { grew: size > before, at: now });
    }
    const flash = this.#flashes.get(key);
    if (flash === undefined) return 0;
    const left = 1 - (now - flash.at) / FLASH_MILLIS;
    if (left <= 0) {
      this.#flashes.delete(key);
      return 0;
    }
    return Math.ceil(left * FLASH_STEPS) * (flash.grew ? 1 : -1);
  }

  /** Ends a paint: rows that were not on screen are forgotten. Answers whether something still fades. */
  settle(): boolean {
    const gone = this.#sizes;
    this.#sizes = this.#next;
    gone.clear();
    this.#next = gone;
    for (const key of this.#flashes.keys()) if (!this.#sizes.has(key)) this.#flashes.delete(key);
    return this.#flashes.size > 0;
  }

  forget(): void {
    this.#sizes.clear();
    this.#flashes.clear();
  }
}

/** Paints a book on a canvas: only rows whose figures changed, at most 20 times a second. */
export function createBookCanvas(canvas: HTMLCanvasElement, ports: BookCanvasPorts): BookCanvas {
  const { store, instrument } = ports;
  const scales: Scales = {
    price: stepScale(instrument.tickSize),
    size: stepScale(instrument.lotSize),
    priceDecimals: 0,
  };
  const levels = {
    bids: { prices: new Float64Array(LEVELS_READ_MAX), sizes: new Float64Array(LEVELS_READ_MAX), count: 0 },
    asks: { prices: new Float64Array(LEVELS_READ_MAX), sizes: new Float64Array(LEVELS_READ_MAX), count: 0 },
  };
  const flashes = new SizeFlashes();
  let view: BookView = { mode: 'both', groupTicks: 1 };
  let layout: Layout = bookLayout('both', 0);
  let bids = emptySideRows(1);
  let asks = emptySideRows(1);
  let painted = new Float64Array(0);
  let middlePainted = '';
  let hover = -1;

  function read(side: 'bids' | 'asks', into: SideRows): SideRows {
    const from = levels[side];
    from.count = store.book.copyTop(side, from.prices, from.sizes);
    return groupSide(side, from, view.groupTicks, into);
  }

  function arrange(frame: PaintFrame): void {
    layout = bookLayout(view.mode, frame.height);
    bids = emptySideRows(Math.max(1, layout.rows));
    asks = emptySideRows(Math.max(1, layout.rows));
    painted = new Float64Array(layout.rows * 2 * FIGURES_PER_ROW).fill(-1);
    middlePainted = '';
    scales.priceDecimals = rowDecimals(view.groupTicks, scales.price);
    flashes.forget();
  }

  function paintSide(frame: PaintFrame, side: 'bids' | 'asks', rows: SideRows, scale: number): void {
    const ask = side === 'asks';
    for (let at = 0; at < layout.rows; at += 1) {
      const shown = at < rows.count;
      const price = shown ? (rows.price[at] as number) : 0;
      const size = shown ? (rows.size[at] as number) : 0;
      const total = shown ? (rows.total[at] as number) : 0;
      const bar = scale === 0 ? 0 : Math.round((total / scale) * frame.width);
      const top = ask
        ? layout.askTop + (layout.rows - 1 - at) * BOOK_ROW_PIXELS
        : layout.bidTop + at * BOOK_ROW_PIXELS;
      const flash = shown ? flashes.strength(ask ? -price : price, size, frame.now) : 0;
      const hovered = shown && hover >= top && hover < top + BOOK_ROW_PIXELS;
      const slot = (at + (ask ? layout.rows : 0)) * FIGURES_PER_ROW;
      if (
        painted[slot] === price &&
        painted[slot + 1] === size &&
        painted[slot + 2] === total &&
        painted[slot + 3] === bar &&
        painted[slot + 4] === flash &&
        painted[slot + 5] === (hovered ? 1 : 0)
      ) {
        continue;
      }
      painted.set([price, size, total, bar, flash, hovered ? 1 : 0], slot);
      paintRow(frame, { top, side, price, size, total, bar, flash, hovered }, scales);
    }
  }

  function spreadText(): string {
    const bid = store.book.bestBid();
    const ask = store.book.bestAsk();
    return bid === undefined || ask === undefined ? '' : stepsText(ask - bid, scales.price);
  }

  function paint(frame: PaintFrame): boolean {
    if (frame.fresh) arrange(frame);
    frame.context.font = `12px ${frame.palette.font}`;
    frame.context.textBaseline = 'middle';
    read('bids', bids);
    read('asks', asks);
    const scale = depthScale(bids, asks, layout.rows);
    if (view.mode !== 'bids') paintSide(frame, 'asks', asks, scale);
    if (view.mode !== 'asks') paintSide(frame, 'bids', bids, scale);
    const last = ports.last();
    const spread = spreadText();
    const middle = `${last?.text}${last?.direction}${spread}`;
    if (middle !== middlePainted) {
      middlePainted = middle;
      paintMiddle(frame, layout.middleTop, last, spread);
    }
    ports.onPainted(bids, asks, layout.rows);
    return flashes.settle();
  }

  const surface: CanvasSurface = createSurface(canvas, paint);
  const stopStore = store.subscribe(surface.invalidate);

  function rowAt(y: number): { readonly rows: SideRows; readonly at: number } | undefined {
    if (layout.askTop >= 0 && y < layout.rows * BOOK_ROW_PIXELS) {
      const at = layout.rows - 1 - Math.floor(y / BOOK_ROW_PIXELS);
      return at < asks.count ? { rows: asks, at } : undefined;
    }
    if (layout.bidTop < 0 || y < layout.bidTop) return undefined;
    const at = Math.floor((y - layout.bidTop) / BOOK_ROW_PIXELS);
    return at < Math.min(bids.count, layout.rows) ? { rows: bids, at } : undefined;
  }

  function onMove(event: PointerEvent): void {
    const y = event.pointerType === 'touch' ? -1 : event.offsetY;
    if (Math.floor(y / 4) === Math.floor(hover / 4)) return;
    hover = y;
    surface.invalidate();
  }
  function onLeave(): void {
    hover = -1;
    surface.invalidate();
  }
  function onClick(event: MouseEvent): void {
    const found = rowAt(event.offsetY);
    if (found === undefined) return;
    const share = event.offsetX / canvas.clientWidth;
    if (share < 0.36) ports.onPrice(found.rows.price[found.at] as number);
    else if (share < 0.67) ports.onSize(found.rows.size[found.at] as number);
    else ports.onSize(found.rows.total[found.at] as number);
  }
  canvas.addEventListener('pointermove', onMove);
  canvas.addEventListener('pointerleave', onLeave);
  canvas.addEventListener('click', onClick);

  return {
    look(next) {
      view = next;
      surface.reset();
    },
    invalidate: surface.invalidate,
    dispose() {
      stopStore();
      surface.dispose();
      canvas.removeEventListener('pointermove', onMove);
      canvas.removeEventListener('pointerleave', onLeave);
      canvas.removeEventListener('click', onClick);
    },
  };
}
