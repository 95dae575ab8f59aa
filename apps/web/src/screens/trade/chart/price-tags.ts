import type { OverlayTemplate } from 'klinecharts';
import { groupThousands } from '../../../calculators/step-text.ts';
import type { ChartLine, ChartTheme } from './chart-port.ts';
import { LABEL_PIXELS, toneColour } from './line-shapes.ts';

/** Prices on their own ground at the axis: the last one, and one for each line of the member. */

const PADDING_PIXELS = 4;
/** How high a tag is. */
export const TAG_PIXELS = LABEL_PIXELS + 2 * PADDING_PIXELS;
/** How near a tag the axis' own price is covered in part: its letters, and a pixel of air. */
const HIDES_PIXELS = (TAG_PIXELS + LABEL_PIXELS) / 2 + 1;

/** A price at the axis. */
interface PriceTag {
  /** Where its price is, pixels from the top. */
  readonly y: number;
  readonly text: string;
  readonly color: string;
}

/** What the overlay of the tags carries. */
export interface Tagged {
  readonly lines: readonly ChartLine[];
  readonly theme: ChartTheme;
}

/**
 * Where tags stand so that none covers another and a higher price stands higher: the first at its price while its neighbours
 * have room beside it, each of the others there too or as near as that lets it, whole within the axis. More than there is
 * room for stay at their price.
 * @param height of the axis in pixels; what is beyond it is left out.
 */
export function stackedTags<Tag extends { readonly y: number }>(
  tags: readonly Tag[],
  height: number,
): readonly (Tag & { readonly at: number })[] {
  const [top, bottom] = [TAG_PIXELS / 2, height - TAG_PIXELS / 2];
  const shown = tags
    .filter(({ y }) => y >= 0 && y <= height)
    .map((tag) => ({ ...tag, at: Math.max(top, Math.min(tag.y, bottom)) }));
  const stack = shown.slice(0, Math.floor(height / TAG_PIXELS)).toSorted((left, right) => left.y - right.y);
  const [head] = shown;
  if (head === undefined) return shown;
  const first = stack.indexOf(head);
  push(stack.slice(0, first + 1).toReversed(), -1, head.at);
  push(stack.slice(first), 1, head.at);
  // What was pushed over an end comes back, and takes along what is in its way.
  push(stack.toReversed(), -1, bottom);
  push(stack, 1, top);
  return shown;
}

/** Moves tags of a stack, one after the other, beyond a place and each beyond the one before. @param way 1 is down. */
function push(stack: readonly { at: number }[], way: 1 | -1, from: number): void {
  let next = from;
  for (const tag of stack) {
    tag.at = way === 1 ? Math.max(tag.at, next) : Math.min(tag.at, next);
    next = tag.at + way * TAG_PIXELS;
  }
}

/** Prices of the axis that a tag would cover in part. */
export function hiddenTicks<Tick extends { readonly coord: number }>(
  ticks: readonly Tick[],
  tags: readonly { readonly at: number }[],
): readonly Tick[] {
  return ticks.filter(({ coord }) => tags.some(({ at }) => Math.abs(at - coord) < HIDES_PIXELS));
}

type Drawing = Parameters<NonNullable<OverlayTemplate<Tagged>['createYAxisFigures']>>[0];

/** The price of now, in the colour of the newest bar. */
function lastTag({ chart, yAxis, overlay }: Drawing): readonly PriceTag[] {
  const bar = chart.getDataList().at(-1);
  if (bar === undefined || yAxis === null) return [];
  const { theme } = overlay.extendData;
  const text = groupThousands(bar.close.toFixed(chart.getSymbol()?.pricePrecision ?? 2));
  return [{ y: yAxis.convertToPixel(bar.close), text, color: bar.close < bar.open ? theme.down : theme.up }];
}

/** The tags of a chart, each on its own ground beside the others; what the axis says below one is taken away. */
export const tagShapes: NonNullable<OverlayTemplate<Tagged>['createYAxisFigures']> = (drawing) => {
  const { overlay, bounding, yAxis } = drawing;
  if (yAxis === null) return [];
  const { lines, theme } = overlay.extendData;
  const ofLines = lines.map(
    ({ price, priceText, tone }): PriceTag => ({
      ...{ y: yAxis.convertToPixel(price), text: priceText, color: toneColour(theme, tone) },
    }),
  );
  const tags = stackedTags([...lastTag(drawing), ...ofLines], bounding.height);
  const fromLeft = yAxis.isFromZero();
  const covered = hiddenTicks(yAxis.getTicks(), tags).map(({ coord }) => ({
    type: 'rect',
    attrs: { x: 0, y: coord - LABEL_PIXELS / 2 - 1, width: bounding.width, height: LABEL_PIXELS + 2 },
    styles: { style: 'fill', color: theme.background },
    ignoreEvent: true,
  }));
  const drawn = tags.map(({ at, text, color }) => ({
    type: 'text',
    attrs: {
      ...{ x: fromLeft ? 0 : bounding.width, y: at, text },
      ...{ align: fromLeft ? 'left' : 'right', baseline: 'middle' },
    },
    styles: {
      ...{ color: theme.background, backgroundColor: color, borderSize: 0, borderRadius: 2 },
      ...{ size: LABEL_PIXELS, family: theme.font },
      ...{ paddingLeft: PADDING_PIXELS, paddingRight: PADDING_PIXELS },
      ...{ paddingTop: PADDING_PIXELS, paddingBottom: PADDING_PIXELS },
    },
    ignoreEvent: true,
  }));
  // The first ones lie above what found no place.
  return [...covered, ...drawn.toReversed()];
};
