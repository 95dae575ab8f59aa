import { type Instrument, stepScale } from '@crossbook/domain';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { compactNumber, groupThousands, stepsText } from '../../../calculators/step-text.ts';
import type { TapeStore, TapeTrade } from '../../../stores/market/tape.ts';
import { type Trade, tradeOf } from '../../../stores/market/trade.ts';
import { createSurface, type PaintFrame } from '../canvas-surface.ts';

/** Height of a row, CSS pixels. */
const ROW_PIXELS = 20;
const EDGE = 12;

/** What the tape reads and whom it tells. */
export interface TapeCanvasPorts {
  readonly store: TapeStore;
  readonly instrument: Instrument;
  /** `undefined` = the browser's own zone. */
  readonly timeZone: string | undefined;
  /** A price was clicked, in ticks. */
  onPrice(ticks: number): void;
}

/** What a trade came to: `0.5 BTC × 65,000.1 = 32,500.05 USDT`. */
function tradeTitle({ size, price, quoteQty }: Trade, { base, quote }: Instrument): string {
  const [shownSize, shownPrice, paid] = [size, price, quoteQty].map(groupThousands);
  return `${shownSize} ${base} × ${shownPrice} = ${paid} ${quote}`;
}

/** Paints the last trades, newest first; the pointer tells what one came to. Rows that only moved down are moved, not painted again. */
export function createTapeCanvas(canvas: HTMLCanvasElement, ports: TapeCanvasPorts): () => void {
  const { store, instrument } = ports;
  const priceScale = stepScale(instrument.tickSize);
  const sizeScale = stepScale(baseStep(instrument));
  const clock = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...(ports.timeZone === undefined ? {} : { timeZone: ports.timeZone }),
  });
  let painted: readonly TapeTrade[] = [];

  function sizeText(lots: number): string {
    const value = (lots * sizeScale.unitsPerStep) / 10 ** sizeScale.decimals;
    return value >= 1e6 || sizeScale.decimals > 5 ? compactNumber(value) : stepsText(lots, sizeScale);
  }

  function paintRow(frame: PaintFrame, at: number, trade: TapeTrade | undefined): void {
    const { context, palette, width } = frame;
    const top = at * ROW_PIXELS;
    context.fillStyle = palette.panel;
    context.fillRect(0, top, width, ROW_PIXELS);
    if (trade === undefined) return;
    const middle = top + ROW_PIXELS / 2;
    context.textAlign = 'left';
    context.fillStyle = trade.side === 'buy' ? palette.up : palette.down;
    context.fillText(stepsText(trade.price, priceScale), EDGE, middle);
    context.textAlign = 'right';
    context.fillStyle = palette.text;
    context.fillText(sizeText(trade.size), Math.round(width * 0.64), middle);
    context.fillStyle = palette.faint;
    context.fillText(clock.format(trade.time), width - EDGE, middle);
  }

  function paint(frame: PaintFrame): boolean {
    const { context, palette, ratio } = frame;
    const rows = Math.ceil(frame.height / ROW_PIXELS);
    const trades = store.trades();
    context.font = `12px ${palette.font}`;
    context.textBaseline = 'middle';
    const newest = painted[0];
    const moved = frame.fresh || newest === undefined ? -1 : trades.indexOf(newest);
    if (moved === 0) return false;
    let from = rows;
    if (moved > 0 && moved < rows) {
      const pixels = Math.round(moved * ROW_PIXELS * ratio);
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.drawImage(canvas, 0, pixels);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      from = moved;
    }
    for (let at = 0; at < from; at += 1) paintRow(frame, at, trades[at]);
    painted = trades;
    return false;
  }

  const surface = createSurface(canvas, paint);
  const stopStore = store.subscribe(surface.invalidate);

  function tradeAt(event: MouseEvent): TapeTrade | undefined {
    return store.trades()[Math.floor(event.offsetY / ROW_PIXELS)];
  }
  function onClick(event: MouseEvent): void {
    const trade = tradeAt(event);
    if (trade !== undefined) ports.onPrice(trade.price);
  }
  function onMove(event: MouseEvent): void {
    const trade = tradeAt(event);
    canvas.title = trade === undefined ? '' : tradeTitle(tradeOf(trade, instrument), instrument);
  }
  canvas.addEventListener('click', onClick);
  canvas.addEventListener('pointermove', onMove);

  return () => {
    stopStore();
    surface.dispose();
    canvas.removeEventListener('click', onClick);
    canvas.removeEventListener('pointermove', onMove);
  };
}
