import { readChoices, writeChoice } from './kept-choices.ts';

/** Panels of the trade page whose size is the reader's: widths, and the height of what stands below the chart. */
export type SizedPanel = 'watch' | 'book' | 'tape' | 'ticket' | 'lower' | 'beside';

/** Shapes of the window that have sizes of their own. */
export type SizedScreen = 'snug' | 'wide' | 'full' | 'ultra';

/** Panels move in steps of so many pixels. */
export const PANEL_STEP_PIXELS = 8;

/** Pixels of a panel: as it comes, at least and at most. */
interface PanelSize {
  readonly usual: number;
  readonly least: number;
  readonly most: number;
}

const BOOK = { least: 240, most: 480 } as const;
const TICKET = { least: 280, most: 520 } as const;
const LOWER = { least: 160, most: 960 } as const;

const SIZES: Readonly<Record<SizedScreen, Readonly<Partial<Record<SizedPanel, PanelSize>>>>> = {
  snug: { ticket: { ...TICKET, usual: 304 }, lower: { ...LOWER, usual: 216 } },
  wide: {
    book: { ...BOOK, usual: 304 },
    ticket: { ...TICKET, usual: 304 },
    lower: { ...LOWER, usual: 224 },
  },
  full: {
    book: { ...BOOK, usual: 320 },
    ticket: { ...TICKET, usual: 344 },
    lower: { ...LOWER, usual: 272 },
  },
  ultra: {
    watch: { least: 200, most: 400, usual: 264 },
    book: { ...BOOK, usual: 344 },
    tape: { least: 216, most: 440, usual: 280 },
    ticket: { ...TICKET, most: 640, usual: 560 },
    lower: { ...LOWER, usual: 360 },
    beside: { least: 480, most: 1_400, usual: 688 },
  },
};

/** Limits of a panel in a shape of the window, and how large it is there as it comes. */
export function panelLimits(screen: SizedScreen, panel: SizedPanel): PanelSize {
  return SIZES[screen][panel] ?? { usual: 0, least: 0, most: 0 };
}

/** Pixels of a panel as it was left in this browser. @param kept `wide-book=312;full-lower=400`. */
export function panelPixels(kept: string, screen: SizedScreen, panel: SizedPanel): number {
  const pixels = Number(readChoices(kept).get(`${screen}-${panel}`) ?? Number.NaN);
  const { usual, least, most } = panelLimits(screen, panel);
  return pixels >= least && pixels <= most ? pixels : usual;
}

/** What is to be kept after a panel was moved to a size: a whole step within its limits; its usual size is forgotten. */
export function withPanelPixels(
  kept: string,
  screen: SizedScreen,
  panel: SizedPanel,
  pixels: number,
): string {
  const { usual, least, most } = panelLimits(screen, panel);
  const stepped = Math.round(pixels / PANEL_STEP_PIXELS) * PANEL_STEP_PIXELS;
  const size = Math.min(most, Math.max(least, stepped));
  return writeChoice(kept, `${screen}-${panel}`, size === usual ? undefined : String(size));
}
