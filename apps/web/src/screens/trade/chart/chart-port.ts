import type { Amount, Candle, CandleInterval, Millis } from '@crossbook/domain';
import type { ChartType } from '../../../calculators/market/chart-types.ts';

/** Colours of a chart. */
export interface ChartTheme {
  readonly background: string;
  readonly grid: string;
  readonly text: string;
  readonly line: string;
  readonly up: string;
  readonly down: string;
  readonly warning: string;
  readonly danger: string;
  /** Of a line that neither rises nor falls. */
  readonly accent: string;
  /** Font family of the axes. */
  readonly font: string;
}

/** What is drawn: symbol, digits after the point of prices and volumes, and the interval. */
export interface ChartSubject {
  readonly symbol: string;
  readonly priceDecimals: number;
  readonly volumeDecimals: number;
  readonly interval: CandleInterval;
}

/** How a line is drawn: what is there is solid, what waits or threatens dashed, what is only reckoned dotted. */
export type LineStroke = 'solid' | 'dashed' | 'dotted';

/** A price of the member's across the chart: a position, where it is liquidated, an order that waits. */
export interface ChartLine {
  readonly id: string;
  readonly price: number;
  /** The price as the axis shows it. */
  readonly priceText: string;
  readonly label: string;
  readonly tone: 'up' | 'down' | 'warning' | 'danger' | 'faint' | 'accent';
  readonly stroke: LineStroke;
  /** It can be dragged to another price. */
  readonly draggable?: boolean;
  /** It stands for an order: a crowd of them is drawn as one line. */
  readonly ofOrder?: boolean;
  /** The label stands below the line: two legs may lie at one price. */
  readonly below?: boolean;
  /** A bell stands before its label. */
  readonly bell?: true;
  /** It is not known at which price the exchange has it. */
  readonly striped?: boolean;
  /** The exchange was asked for this price and has not confirmed it; on the tick. */
  readonly asked?: string;
  /** Its exchange cancels and places anew: while it is moved nothing waits there. */
  readonly bare?: boolean;
  /** It was let go here and goes back: its change was refused. */
  readonly glidesFrom?: number;
  /** It stays where it is: what is dragged out of it is another line. A finger does that, a mouse by a button. */
  readonly pulled?: boolean;
  /** What it says at another price; absent: its label, and how far from the market that is. */
  readonly at?: (price: Amount, limitToo: boolean) => Partial<Pick<ChartLine, 'label' | 'tone'>>;
}

/** How a line is moved: by what, and whether the limit behind a trigger keeps its distance. */
export interface LineHold {
  readonly by: 'mouse' | 'touch';
  readonly limitToo: boolean;
  /** Where the pointer is, pixels from the left; absent where it is not over the bars. */
  readonly x?: number;
}

/** Executions of one bar and side. */
export interface ChartFill {
  readonly id: string;
  /** Open time of the bar. */
  readonly time: Millis;
  readonly side: 1 | 2;
  readonly price: number;
  /** What the pointer brings up over it. */
  readonly tip: string;
}

/** What a chart tells. */
export interface ChartListener {
  /** The oldest bars come into view: `prepend` answers. */
  onOlderWanted(): void;
  /** The bar under the crosshair; `undefined` when the pointer left. */
  onCrosshair(bar: Candle | undefined): void;
  /** A line is dragged and is at a price, not yet on the tick; `undefined`: it is dragged no more. */
  onLineHeld(id: string, price: number | undefined, hold: LineHold): void;
  /** A line was dragged and let go at a price, not yet on the tick. */
  onLineDropped(id: string, price: number, hold: LineHold): void;
  /** What a line says while it is dragged: its price as the axis shows it, and its label. */
  lineMoved(line: ChartLine, price: number, limitToo: boolean): ChartLine;
  /** The line that stands for more orders than can be told apart. */
  linesMerged(crowd: readonly ChartLine[]): ChartLine;
}

/**
 * A candle chart with a volume pane, whatever draws it. Everything of the drawing library stays behind this,
 * so that another one can take its place.
 */
export interface ChartPort {
  /** Another symbol or interval; bars follow by `setBars`. */
  setSubject(subject: ChartSubject): void;
  /** All bars so far, oldest first. `older` = scrolling back may ask for more. */
  setBars(bars: readonly Candle[], older: boolean): void;
  /** Answers `onOlderWanted`, with no bars when nothing could be read. The view does not move. */
  prepend(bars: readonly Candle[], older: boolean): void;
  /** Amends the newest bar or opens the next one. At most one repaint per animation frame, however often it is called. */
  update(bar: Candle): void;
  /** All lines there are; those of another symbol are taken away by an empty list. */
  setLines(lines: readonly ChartLine[]): void;
  /** Whether a line stands for itself: one in a crowd does not. */
  standsAlone(id: string): boolean;
  /** Draws a line as if it were dragged there; `undefined` puts it back. */
  dragLine(id: string, price: number | undefined): void;
  setFills(fills: readonly ChartFill[]): void;
  setTheme(theme: ChartTheme): void;
  /** As what the bars are drawn. */
  setType(type: ChartType): void;
  /** IANA zone of the time axis. */
  setTimeZone(timeZone: string): void;
  /** Pixels from the top of a price, and back; `undefined` outside of the bars' pane. */
  yOf(price: number): number | undefined;
  priceAt(y: number): number | undefined;
  /** The executions under a point, from the left and the top. */
  fillAt(x: number, y: number): ChartFill | undefined;
  /** Back to the newest bar. */
  showNewest(): void;
  resize(): void;
  dispose(): void;
}

/** Builds a chart inside an element. */
export type CreateChart = (
  host: HTMLElement,
  options: { readonly theme: ChartTheme; readonly timeZone: string; readonly listener: ChartListener },
) => ChartPort;
