import { type RefObject, useEffect, useRef } from 'react';

/** What is seen through the glass, in pixels of the page, and how many times as large. */
const WIDTH_PIXELS = 132;
const HEIGHT_PIXELS = 36;
const TIMES = 2;

/** A point of the bars, from the corner of the panel that they are drawn in. */
export interface GlassPoint {
  readonly x: number;
  readonly y: number;
}

/** Paints what a panel's canvases show around a point, enlarged. */
function enlarge(glass: HTMLCanvasElement, pane: HTMLElement, at: GlassPoint): void {
  const surface = glass.getContext('2d');
  if (surface === null) return;
  const { left, top } = pane.getBoundingClientRect();
  const scale = TIMES * devicePixelRatio;
  const [width, height] = [WIDTH_PIXELS * scale, HEIGHT_PIXELS * scale];
  if (glass.width !== Math.round(width)) {
    glass.width = Math.round(width);
    glass.height = Math.round(height);
  }
  surface.setTransform(1, 0, 0, 1, 0, 0);
  surface.clearRect(0, 0, width, height);
  surface.setTransform(scale, 0, 0, scale, width / 2 - at.x * scale, height / 2 - at.y * scale);
  for (const canvas of pane.querySelectorAll<HTMLCanvasElement>('[data-lines] canvas')) {
    const box = canvas.getBoundingClientRect();
    if (canvas.width === 0 || canvas.height === 0) continue;
    surface.drawImage(canvas, box.left - left, box.top - top, box.width, box.height);
  }
}

/** A magnifying glass over the bars: a finger hides what it moves. It follows the chart frame by frame while it is there. */
export function LineGlass(props: {
  readonly pane: RefObject<HTMLElement | null>;
  /** Where the middle of the glass is; `undefined` out of sight. */
  readonly at: () => GlassPoint | undefined;
}) {
  const { pane } = props;
  const glass = useRef<HTMLCanvasElement>(null);
  const at = useRef(props.at);
  at.current = props.at;
  useEffect(() => {
    let request = 0;
    const paint = (): void => {
      const point = at.current();
      if (glass.current !== null && pane.current !== null && point !== undefined) {
        enlarge(glass.current, pane.current, point);
      }
      request = requestAnimationFrame(paint);
    };
    paint();
    return () => cancelAnimationFrame(request);
  }, [pane]);
  return (
    <div aria-hidden="true" className="overflow-hidden rounded-sm border border-line bg-panel">
      <canvas
        ref={glass}
        className="block"
        style={{ width: WIDTH_PIXELS * TIMES, height: HEIGHT_PIXELS * TIMES }}
      />
    </div>
  );
}
