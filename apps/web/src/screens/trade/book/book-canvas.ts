import { type Instrument, type StepScale, stepScale } from '@crossbook/domain';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import {
  depthScale,
  emptySideRows,
  groupSide,
  type SideRows,
} from '../../../calculators/market/book-rows.ts';
import type { PriceDirection } from '../../../calculators/market/price-direction.ts';
import { compactNumber, rowDecimals, stepsText } from '../../../calculators/step-text.ts';
import type { BookStore } from '../../../stores/market/book.ts';
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
  /** The word before the spread, in the user's language. */
  spreadWord(): string;
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
/** Where the columns of price and size end, as shares of the width: a click left of them takes that figure. */
const PRICE_COLUMN_SHARE = 0.36;
const SIZE_COLUMN_SHARE = 0.67;
const FLASH_MILLIS = 300;
const FLASH_STEPS = 6;
const FLASH_ALPHA_MAX = 0.3;
/** Levels a side that are read for grouping. */
const LEVELS_READ_MAX = 5_000;
const CELLS_PER_ROW = 6;

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

/** One side while it is read and grouped: level and row buffers that are used again. */
interface SideBuffers {
  readonly levels: { readonly prices: Float64Array; readonly sizes: Float64Array; count: number };
  rows: SideRows;
}

function sideBuffers(): SideBuffers {
  const levels = {
    prices: new Float64Array(LEVELS_READ_MAX),
    sizes: new Float64Array(LEVELS_READ_MAX),
    count: 0,
  };
  return { levels, rows: emptySideRows(1) };
}

/** Knows what was painted where, and paints what differs. */
export class BookPainter {
  readonly #ports: BookCanvasPorts;
  readonly #scales: Scales;
  readonly #sides = { bids: sideBuffers(), asks: sideBuffers() };
  readonly #flashes = new SizeFlashes();
  #layout: Layout = bookLayout('both', 0);
  #painted = new Float64Array(0);
  #middlePainted = '';
  view: BookView = { mode: 'both', groupTicks: 1 };
  /** Where the pointer is, CSS pixels from the top; -1 outside. */
  hover = -1;

  constructor(ports: BookCanvasPorts) {
    this.#ports = ports;
    const size = stepScale(baseStep(ports.instrument));
    this.#scales = { price: stepScale(ports.instrument.tickSize), size, priceDecimals: 0 };
  }

  paint(frame: PaintFrame): boolean {
    if (frame.fresh) this.#arrange(frame);
    frame.context.font = `12px ${frame.palette.font}`;
    frame.context.textBaseline = 'middle';
    const bids = this.#read('bids');
    const asks = this.#read('asks');
    const { rows } = this.#layout;
    const scale = depthScale(bids, asks, rows);
    if (this.view.mode !== 'bids') this.#paintSide(frame, 'asks', scale);
    if (this.view.mode !== 'asks') this.#paintSide(frame, 'bids', scale);
    this.#paintMiddle(frame);
    this.#ports.onPainted(bids, asks, rows);
    return this.#flashes.settle();
  }

  /** The row at a height, if a level stands there. */
  rowAt(y: number): { readonly price: number; readonly size: number; readonly total: number } | undefined {
    const { rows, askTop, bidTop } = this.#layout;
    const band = Math.floor((y - (bidTop >= 0 && y >= bidTop ? bidTop : 0)) / BOOK_ROW_PIXELS);
    const inAsks = askTop >= 0 && y < rows * BOOK_ROW_PIXELS;
    if (!inAsks && (bidTop < 0 || y < bidTop)) return undefined;
    const side = this.#sides[inAsks ? 'asks' : 'bids'].rows;
    const at = inAsks ? rows - 1 - band : band;
    if (at >= Math.min(side.count, rows)) return undefined;
    return {
      price: side.price[at] as number,
      size: side.size[at] as number,
      total: side.total[at] as number,
    };
  }

  #read(side: 'bids' | 'asks'): SideRows {
    const { levels, rows } = this.#sides[side];
    levels.count = this.#ports.store.book.copyTop(side, levels.prices, levels.sizes);
    return groupSide(side, levels, this.view.groupTicks, rows);
  }

  #arrange(frame: PaintFrame): void {
    this.#layout = bookLayout(this.view.mode, frame.height);
    const { rows } = this.#layout;
    this.#sides.bids.rows = emptySideRows(Math.max(1, rows));
    this.#sides.asks.rows = emptySideRows(Math.max(1, rows));
    this.#painted = new Float64Array(rows * 2 * CELLS_PER_ROW).fill(-1);
    this.#middlePainted = '';
    this.#scales.priceDecimals = rowDecimals(this.view.groupTicks, this.#scales.price);
    this.#flashes.forget();
  }

  #paintSide(frame: PaintFrame, side: 'bids' | 'asks', scale: number): void {
    const { rows: rowsMax, askTop, bidTop } = this.#layout;
    const { rows } = this.#sides[side];
    const ask = side === 'asks';
    for (let at = 0; at < rowsMax; at += 1) {
      const shown = at < rows.count;
      const price = shown ? (rows.price[at] as number) : 0;
      const size = shown ? (rows.size[at] as number) : 0;
      const total = shown ? (rows.total[at] as number) : 0;
      const bar = scale === 0 ? 0 : Math.round((total / scale) * frame.width);
      const top = ask ? askTop + (rowsMax - 1 - at) * BOOK_ROW_PIXELS : bidTop + at * BOOK_ROW_PIXELS;
      // Of a grouped book every row would flash at every change.
      const single = shown && this.view.groupTicks === 1;
      const flash = single ? this.#flashes.strength(ask ? -price : price, size, frame.now) : 0;
      const hovered = shown && this.hover >= top && this.hover < top + BOOK_ROW_PIXELS;
      const row = { top, side, price, size, total, bar, flash, hovered };
      if (this.#isNew(at + (ask ? rowsMax : 0), row)) paintRow(frame, row, this.#scales);
    }
  }

  /** Whether a row differs from what stands in its place; remembers it. */
  #isNew(place: number, row: RowPaint): boolean {
    const painted = this.#painted;
    const slot = place * CELLS_PER_ROW;
    const hovered = row.hovered ? 1 : 0;
    if (
      painted[slot] === row.price &&
      painted[slot + 1] === row.size &&
      painted[slot + 2] === row.total &&
      painted[slot + 3] === row.bar &&
      painted[slot + 4] === row.flash &&
      painted[slot + 5] === hovered
    ) {
      return false;
    }
    painted[slot] = row.price;
    painted[slot + 1] = row.size;
    painted[slot + 2] = row.total;
    painted[slot + 3] = row.bar;
    painted[slot + 4] = row.flash;
    painted[slot + 5] = hovered;
    return true;
  }

  #paintMiddle(frame: PaintFrame): void {
    const { store } = this.#ports;
    const bid = store.book.bestBid();
    const ask = store.book.bestAsk();
    const value = bid === undefined || ask === undefined ? '' : stepsText(ask - bid, this.#scales.price);
    const spread = value === '' ? '' : `${this.#ports.spreadWord()} ${value}`;
    const last = this.#ports.last();
    const middle = `${last?.text}${last?.direction}${spread}`;
    if (middle === this.#middlePainted) return;
    this.#middlePainted = middle;
    paintMiddle(frame, this.#layout.middleTop, last, spread);
  }
}

/** Paints a book on a canvas: only rows whose figures changed, at most 20 times a second. */
export function createBookCanvas(canvas: HTMLCanvasElement, ports: BookCanvasPorts): BookCanvas {
  const painter = new BookPainter(ports);
  const surface: CanvasSurface = createSurface(canvas, (frame) => painter.paint(frame));
  const stopStore = ports.store.subscribe(surface.invalidate);

  function onMove(event: PointerEvent): void {
    painter.hover = event.pointerType === 'touch' ? -1 : event.offsetY;
    surface.invalidate();
  }
  function onLeave(): void {
    painter.hover = -1;
    surface.invalidate();
  }
  function onClick(event: MouseEvent): void {
    const row = painter.rowAt(event.offsetY);
    if (row === undefined) return;
    const share = event.offsetX / canvas.clientWidth;
    if (share < PRICE_COLUMN_SHARE) ports.onPrice(row.price);
    else ports.onSize(share < SIZE_COLUMN_SHARE ? row.size : row.total);
  }
  canvas.addEventListener('pointermove', onMove);
  canvas.addEventListener('pointerleave', onLeave);
  canvas.addEventListener('click', onClick);

  return {
    look(next) {
      painter.view = next;
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
