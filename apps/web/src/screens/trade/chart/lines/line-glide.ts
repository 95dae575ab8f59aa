import type { ChartLine } from '../chart-port.ts';

/** How long a line that was refused takes to go back. */
export const GLIDE_MILLIS = 150;

/** What moving a line by itself needs. */
export interface GlideSurroundings {
  readonly now: () => number;
  /** Calls before the next repaint. @returns what takes that back. */
  readonly nextFrame: (act: () => void) => () => void;
  /** The member asked for less motion: lines are where they belong at once. */
  readonly isStill: () => boolean;
  readonly redraw: () => void;
}

/** Lines on their way back to where they belong: fast at first, then slower, done within `GLIDE_MILLIS`. */
export class LineGlides {
  readonly #around: GlideSurroundings;
  /** When each line began; a line that says no more that it glides is forgotten, and may glide again. */
  #begun: ReadonlyMap<string, number> = new Map();
  #takeBack: (() => void) | undefined;

  constructor(around: GlideSurroundings) {
    this.#around = around;
  }

  /** Lines as they are from now on; those that say where they come from begin to glide. */
  take(lines: readonly ChartLine[]): void {
    const now = this.#around.now();
    this.#begun = new Map(
      lines.flatMap(({ id, glidesFrom }) =>
        glidesFrom === undefined ? [] : [[id, this.#begun.get(id) ?? now] as const],
      ),
    );
  }

  /** A line where it is now; asks for another look while it is on its way. */
  placed(line: ChartLine): ChartLine {
    const { id, price, glidesFrom } = line;
    const begun = this.#begun.get(id);
    if (glidesFrom === undefined || begun === undefined || this.#around.isStill()) return line;
    const left = 1 - (this.#around.now() - begun) / GLIDE_MILLIS;
    if (left <= 0) return line;
    this.#takeBack ??= this.#around.nextFrame(() => {
      this.#takeBack = undefined;
      this.#around.redraw();
    });
    return { ...line, price: price + (glidesFrom - price) * left * left };
  }

  end(): void {
    this.#takeBack?.();
    this.#takeBack = undefined;
  }
}
