/** Colours of the theme as a canvas needs them. */
export interface CanvasPalette {
  readonly panel: string;
  readonly hover: string;
  readonly line: string;
  readonly text: string;
  readonly soft: string;
  readonly faint: string;
  readonly up: string;
  readonly down: string;
  readonly upSoft: string;
  readonly downSoft: string;
  readonly warning: string;
  readonly danger: string;
  readonly accent: string;
  readonly font: string;
}

/** Reads the palette that is in force. */
export function readPalette(element: Element): CanvasPalette {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  return {
    panel: colour('--panel'),
    hover: colour('--hover'),
    line: colour('--line'),
    text: colour('--text'),
    soft: colour('--text-soft'),
    faint: colour('--text-faint'),
    up: colour('--up'),
    down: colour('--down'),
    upSoft: colour('--up-soft'),
    downSoft: colour('--down-soft'),
    warning: colour('--warning'),
    danger: colour('--danger'),
    accent: colour('--accent'),
    font: style.fontFamily,
  };
}

/** Calls the listener when theme or palette change, until the returned function is called. */
export function watchTheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-palette'] });
  return () => observer.disconnect();
}

/** What a painter gets: a context in CSS pixels, the size, the colours, and whether nothing painted before is left. */
export interface PaintFrame {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
  readonly palette: CanvasPalette;
  readonly fresh: boolean;
  readonly now: number;
}

/** A canvas that fills its parent and is painted at most every `PAINT_EVERY_MILLIS_MIN`. */
export interface CanvasSurface {
  /** Something changed: paint soon. */
  invalidate(): void;
  /** Everything changed: paint from nothing. */
  reset(): void;
  dispose(): void;
}

/** 20 frames a second at most (decision 0030.30). */
export const PAINT_EVERY_MILLIS_MIN = 50;

/**
 * Owns size, device pixels, theme and pace of a canvas. `paint` answers true when it wants to go on (a fading flash).
 * Nothing is painted while the tab is hidden: animation frames rest then.
 */
export function createSurface(
  canvas: HTMLCanvasElement,
  paint: (frame: PaintFrame) => boolean,
): CanvasSurface {
  const context = canvas.getContext('2d', { alpha: false });
  let palette = readPalette(canvas);
  let width = 0;
  let height = 0;
  let ratio = 1;
  let fresh = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request: number | undefined;
  let paintedAt = Number.NEGATIVE_INFINITY;

  function measure(): void {
    const parent = canvas.parentElement;
    if (parent === null) return;
    width = parent.clientWidth;
    height = parent.clientHeight;
    ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    reset();
  }

  function frame(now: number): void {
    request = undefined;
    if (context === null || width === 0 || height === 0) return;
    paintedAt = now;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const wasFresh = fresh;
    fresh = false;
    if (wasFresh) {
      context.fillStyle = palette.panel;
      context.fillRect(0, 0, width, height);
    }
    if (paint({ context, width, height, ratio, palette, fresh: wasFresh, now })) invalidate();
  }

  function invalidate(): void {
    if (timer !== undefined || request !== undefined) return;
    const wait = PAINT_EVERY_MILLIS_MIN - (performance.now() - paintedAt);
    const ask = (): void => {
      timer = undefined;
      request = requestAnimationFrame(frame);
    };
    // Half a frame early, because the animation frame itself waits for the screen.
    if (wait > 8) timer = setTimeout(ask, wait - 8);
    else ask();
  }

  function reset(): void {
    fresh = true;
    invalidate();
  }

  const sizes = new ResizeObserver(measure);
  if (canvas.parentElement !== null) sizes.observe(canvas.parentElement);
  const stopTheme = watchTheme(() => {
    palette = readPalette(canvas);
    reset();
  });
  // Text measured before the font arrives would stay in the fallback font.
  void document.fonts.ready.then(reset);

  return {
    invalidate,
    reset,
    dispose() {
      sizes.disconnect();
      stopTheme();
      clearTimeout(timer);
      if (request !== undefined) cancelAnimationFrame(request);
    },
  };
}
