/** A tick of a time axis: at which bar, and what is written there. */
export interface TimeTick {
  readonly index: number;
  readonly time: number;
  readonly text: string;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Distances between ticks that read well. */
const STEPS: readonly number[] = [
  5 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  30 * DAY,
  90 * DAY,
  365 * DAY,
];

/** Pixels between two ticks at least. */
const TICK_PIXELS_MIN = 84;

/** Minutes and hours a zone is ahead of UTC at a time, in ms. */
export function zoneOffsetMillis(time: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(time);
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((candidate) => candidate.type === type)?.value ?? 0);
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return local - Math.floor(time / SECOND) * SECOND;
}

/** The visible bars and how wide they are drawn. */
export interface TickSpan {
  /** Times of all bars, oldest first. */
  readonly timeAt: (index: number) => number;
  readonly from: number;
  readonly to: number;
  readonly barPixels: number;
  readonly timeZone: string;
}

/**
 * Makes ticks at round times (:00, :15, midnight, first of month) instead of every so many bars.
 * @param localeNow the language that they are written in, asked for each time: it may change under the chart.
 */
export function createTimeTicks(localeNow: () => string): (span: TickSpan) => TimeTick[] {
  const formats = new Map<string, Intl.DateTimeFormat>();
  function format(kind: 'second' | 'minute' | 'day' | 'year', timeZone: string): Intl.DateTimeFormat {
    const locale = localeNow();
    const key = `${kind}:${timeZone}:${locale}`;
    const known = formats.get(key);
    if (known !== undefined) return known;
    const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
    const made = {
      second: () => new Intl.DateTimeFormat(locale, { ...clock, second: '2-digit' }),
      minute: () => new Intl.DateTimeFormat(locale, clock),
      day: () => new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone }),
      year: () => new Intl.DateTimeFormat(locale, { year: 'numeric', timeZone }),
    }[kind]();
    formats.set(key, made);
    return made;
  }

  return ({ timeAt, from, to, barPixels, timeZone }) => {
    if (to - from < 1) return [];
    const perBar = Math.max(1, (timeAt(to) - timeAt(from)) / (to - from));
    const step =
      STEPS.find((candidate) => (candidate / perBar) * barPixels >= TICK_PIXELS_MIN) ??
      (STEPS.at(-1) as number);
    const offset = zoneOffsetMillis(timeAt(to), timeZone);
    const slot = (time: number, size: number): number => {
      const local = time + offset;
      // Months and years have no fixed length: their slot is the calendar's.
      if (size >= 30 * DAY) {
        const date = new Date(local);
        const months = date.getUTCFullYear() * 12 + date.getUTCMonth();
        return Math.floor(months / Math.round(size / (30.4 * DAY)));
      }
      return Math.floor(local / size);
    };
    const ticks: TimeTick[] = [];
    for (let index = Math.max(1, from); index <= to; index += 1) {
      const time = timeAt(index);
      const before = timeAt(index - 1);
      if (slot(time, step) === slot(before, step)) continue;
      const newYear = new Date(time + offset).getUTCFullYear() !== new Date(before + offset).getUTCFullYear();
      const newDay = slot(time, DAY) !== slot(before, DAY);
      const kind = newYear ? 'year' : newDay || step >= DAY ? 'day' : step < MINUTE ? 'second' : 'minute';
      ticks.push({ index, time, text: format(kind, timeZone).format(time) });
    }
    return ticks;
  };
}
