import type { OverlayTemplate } from 'klinecharts';
import type { ChartLine, ChartTheme } from './chart-port.ts';

/** Size of the letters of a line. */
export const LABEL_PIXELS = 11;
/** What a label needs above its line, or below it. */
const LABEL_ROOM_PIXELS = LABEL_PIXELS + 4;
/** A striped line is as thick as it must be to be told from a dashed one. */
const STRIPE_PIXELS = 3;
const STRIPE_LONG_PIXELS = 8;
const STROKES: Readonly<Record<ChartLine['stroke'], object>> = {
  solid: { style: 'solid' },
  dashed: { style: 'dashed', dashedValue: [4, 3] },
  dotted: { style: 'dashed', dashedValue: [1, 3] },
};

/** What an overlay of the chart library carries. */
export interface Drawn<Mark> {
  readonly mark: Mark;
  readonly theme: ChartTheme;
}

/** The colour of a line. */
export function toneColour(theme: ChartTheme, tone: ChartLine['tone']): string {
  const { up, down, warning, danger, accent, line: faint } = theme;
  return { up, down, warning, danger, accent, faint }[tone];
}

/** Half of a bell, from its middle: a font need not have one. */
const BELL = [
  [0, -12],
  [1.5, -10.5],
  [3.5, -9],
  [4, -4],
  [5.5, -2.5],
  [5.5, -1.5],
  [1.5, -1.5],
  [1, 0],
] as const;
const BELL_PIXELS = 14;

/** A bell that stands on a point. */
function bellAt(left: number, foot: number, color: string) {
  const side = (sign: 1 | -1) => BELL.map(([x, y]) => ({ x: left + 6 + sign * x, y: foot + y }));
  return {
    type: 'polygon',
    attrs: { coordinates: [...side(1), ...side(-1).toReversed()] },
    styles: { style: 'fill', color },
    ignoreEvent: true,
  };
}

/** A line across the bars, and its label at the left: whole, or not at all where the line is out of sight. */
export const lineShapes: NonNullable<OverlayTemplate<Drawn<ChartLine>>['createPointFigures']> = ({
  overlay,
  coordinates,
  bounding,
}) => {
  const y = coordinates[0]?.y;
  if (y === undefined || y < 0 || y > bounding.height) return [];
  const { mark, theme } = overlay.extendData;
  const [above, under] = [y > LABEL_ROOM_PIXELS, bounding.height - y > LABEL_ROOM_PIXELS];
  const color = toneColour(theme, mark.tone);
  const stroke = (styles: object) => ({
    type: 'line',
    attrs: {
      coordinates: [
        { x: 0, y },
        { x: bounding.width, y },
      ],
    },
    styles,
    ignoreEvent: true,
  });
  const stripes = {
    style: 'dashed',
    size: STRIPE_PIXELS,
    dashedValue: [STRIPE_LONG_PIXELS, STRIPE_LONG_PIXELS],
  };
  const strokes =
    mark.striped === true
      ? [stroke({ color: theme.grid, style: 'solid', size: STRIPE_PIXELS }), stroke({ color, ...stripes })]
      : [stroke({ color, size: 1, ...STROKES[mark.stroke] })];
  const x = mark.bell === true ? 8 + BELL_PIXELS : 8;
  return [
    ...strokes,
    ...(mark.bell === true ? [bellAt(8, y - 4, color)] : []),
    {
      type: 'text',
      attrs:
        (mark.below === true && under) || !above
          ? { x, y: y + 2, text: mark.label, baseline: 'top' }
          : { x, y: y - 2, text: mark.label, baseline: 'bottom' },
      styles: {
        ...{ color, size: LABEL_PIXELS, family: theme.font, backgroundColor: theme.background },
        ...{ paddingLeft: 3, paddingRight: 3, paddingTop: 1, paddingBottom: 1, borderSize: 0 },
      },
      ignoreEvent: true,
    },
  ];
};
