/** What stands on the window from here to there, in pixels from its top. */
export interface Span {
  readonly top: number;
  readonly bottom: number;
}

const GAP_PIXELS = 8;
/** Above a field stands its name, below it what is wrong with it. */
const WORDS_PIXELS = 24;
/** What has to be mended, and the button that sends it again. */
const MENDED = '[aria-invalid=true], [data-fault], [type=submit], :focus';
const LOOK_EVERY_MILLIS = 150;

/**
 * The highest place of the window where something of a height lies over nothing that stands there; the top where there is none.
 * @param stands in any order.
 */
export function freeTop(height: number, stands: readonly Span[], window: Span): number {
  const first = window.top + GAP_PIXELS;
  let top = first;
  for (const one of [...stands].sort((a, b) => a.top - b.top)) {
    if (one.top < top + height && one.bottom > top) top = one.bottom + GAP_PIXELS;
  }
  return top + height > window.bottom ? first : top;
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
  const height = Math.max(0, ...[...list.children].map((toast) => toast.getBoundingClientRect().height));
  const within = host.closest('dialog') ?? document;
  const stands = [...within.querySelectorAll(MENDED)].filter((part) => !host.contains(part));
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
