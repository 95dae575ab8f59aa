/** What stands on the window from here to there, in pixels from its top. */
export interface Span {
  readonly top: number;
  readonly bottom: number;
}

const GAP_PIXELS = 8;
/** Above a field stands its name, below it what is wrong with it. */
const WORDS_PIXELS = 24;
/** What has to be mended, where somebody writes, and the button that sends. */
const KEPT_CLEAR =
  '[aria-invalid=true], [data-fault], [type=submit], [data-sends], :is(input, textarea, select, button):focus';
const LOOK_EVERY_MILLIS = 150;

function covered(top: number, height: number, stands: readonly Span[]): number {
  return stands.reduce(
    (sum, one) => sum + Math.max(0, Math.min(one.bottom, top + height) - Math.max(one.top, top)),
    0,
  );
}

/**
 * The highest place of the window where something of a height lies over nothing that stands there; where there is none, the highest
 * of those where it covers least.
 * @param stands in any order.
 */
export function freeTop(height: number, stands: readonly Span[], window: Span): number {
  const first = window.top + GAP_PIXELS;
  const last = Math.max(first, window.bottom - height - GAP_PIXELS);
  const beside = stands.flatMap((one) => [one.top - height - GAP_PIXELS, one.bottom + GAP_PIXELS]);
  const within = beside.filter((top) => top > first && top < last);
  const [best] = [first, ...within, last]
    .map((top) => ({ top, over: covered(top, height, stands) }))
    .sort((a, b) => a.over - b.over || a.top - b.top);
  return best?.top ?? first;
}

function spanOf(part: Element): Span {
  const { top, bottom } = part.getBoundingClientRect();
  return part.matches('[aria-invalid=true]')
    ? { top: top - WORDS_PIXELS, bottom: bottom + WORDS_PIXELS }
    : { top, bottom };
}

let looking: ReturnType<typeof setInterval> | undefined;

function look(host: HTMLElement): void {
  const list = host.querySelector('[data-sonner-toaster][data-y-position=top]');
  if (list === null) {
    clearInterval(looking);
    looking = undefined;
    return;
  }
  const boxes = [...list.children].map((toast) => toast.getBoundingClientRect());
  const { top: listTop } = list.getBoundingClientRect();
  // Those behind the first stand out below it.
  const height = Math.max(0, ...boxes.map(({ height, bottom }) => Math.max(height, bottom - listTop)));
  const within = host.closest('dialog') ?? document;
  const stands = [...within.querySelectorAll(KEPT_CLEAR)].filter((part) => !host.contains(part));
  const seen = visualViewport;
  const from = seen?.offsetTop ?? 0;
  const window = { top: from, bottom: from + (seen?.height ?? innerHeight) };
  host.style.setProperty('--toast-top', `${freeTop(height, stands.map(spanOf), window)}px`);
}

/** Keeps the toasts at the top of a host off what has to be mended, as long as there are any. */
export function keepOff(host: HTMLElement): void {
  requestAnimationFrame(() => look(host));
  looking ??= setInterval(() => look(host), LOOK_EVERY_MILLIS);
}
