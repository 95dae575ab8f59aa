import { type Instrument, PLATFORMS } from '@crossbook/domain';

/** How many charts can stand beside each other. */
export const CHART_COUNTS = [1, 2, 4] as const;
/** One of these. */
export type ChartCount = (typeof CHART_COUNTS)[number];

/** What one of several charts shows. */
export interface ChartSlot {
  readonly market: Pick<Instrument, 'platform' | 'symbolType' | 'symbol'>;
  readonly interval: string;
}

/** Charts beside each other. That of the page is the active one: what its slot was kept with is of the last time. */
export interface ChartLayout {
  readonly active: number;
  readonly slots: readonly ChartSlot[];
}

/** One chart, that of the page. */
const ALONE: ChartLayout = { active: 0, slots: [] };

function slotOf(kept: unknown): ChartSlot | undefined {
  const { platform, symbolType, symbol, interval } = Object(kept);
  const known = PLATFORMS.find((row) => row.platform === platform);
  if (known === undefined || (symbolType !== 'SPOT' && symbolType !== 'SWAP')) return undefined;
  if (typeof symbol !== 'string' || symbol === '' || typeof interval !== 'string') return undefined;
  return { market: { platform: known.platform, symbolType, symbol }, interval };
}

/** Reads a layout that was kept; what is none is one chart. */
export function parseChartLayout(kept: string): ChartLayout {
  try {
    const { active, slots } = Object(JSON.parse(kept));
    const read = Array.isArray(slots) ? slots.slice(0, 4).map(slotOf) : [];
    const whole = read.filter((slot) => slot !== undefined);
    if (whole.length !== read.length || (whole.length !== 2 && whole.length !== 4)) return ALONE;
    return Number.isInteger(active) && active >= 0 && active < whole.length
      ? { active, slots: whole }
      : ALONE;
  } catch {
    return ALONE;
  }
}

/** A layout as it is kept. */
export function chartLayoutText({ active, slots }: ChartLayout): string {
  return JSON.stringify({ active, slots: slots.map(({ market, interval }) => ({ ...market, interval })) });
}

function isSame({ market: left }: ChartSlot, { market: right }: ChartSlot): boolean {
  return (
    left.platform === right.platform && left.symbolType === right.symbolType && left.symbol === right.symbol
  );
}

/** As many charts: those that stand stay, beginning with the page's own; new ones show what is offered and not there yet. */
export function withCount(
  { active, slots }: ChartLayout,
  count: ChartCount,
  current: ChartSlot,
  offered: readonly ChartSlot[],
): ChartLayout {
  if (count === 1) return ALONE;
  const others = slots.filter((_, at) => at !== active);
  const fresh = offered.filter((slot) => ![current, ...others].some((one) => isSame(one, slot)));
  const filled = [...others, ...fresh, ...Array.from({ length: count }, () => current)];
  return { active: 0, slots: [current, ...filled.slice(0, count - 1)] };
}

/** Another one becomes the page's chart; the one of before stays where it is. */
export function activated(layout: ChartLayout, at: number, current: ChartSlot): ChartLayout {
  const slots = layout.slots.map((slot, index) => (index === layout.active ? current : slot));
  return { active: at, slots };
}

/** One chart at another interval. */
export function withInterval(layout: ChartLayout, at: number, interval: string): ChartLayout {
  return {
    ...layout,
    slots: layout.slots.map((slot, index) => (index === at ? { ...slot, interval } : slot)),
  };
}
