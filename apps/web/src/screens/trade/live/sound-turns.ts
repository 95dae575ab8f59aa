import { SOUNDS, type SoundName } from '../../../stores/app/notice-events.ts';

/** One sound is heard in so long. */
export const SOUND_EVERY_MILLIS = 1_000;

/** What taking turns needs. */
export interface SoundSurroundings {
  readonly now: () => number;
  readonly after: (millis: number, act: () => void) => () => void;
  /** Begins a sound, and ends the one that is still heard. @returns how long it is heard, ms; 0 = nothing was heard. */
  readonly play: (sound: SoundName, falling: boolean) => number;
}

const gravity = (sound: SoundName): number => SOUNDS.indexOf(sound);

interface Asked {
  readonly sound: SoundName;
  /** Falls instead of rising: of a sale. */
  readonly falling: boolean;
}

/**
 * Lets one sound a second be heard, the gravest that was asked for. A graver one cuts off the one that is still heard; after that
 * it waits until the second is over. What is not graver is not played at all.
 */
export class SoundTurns {
  readonly #around: SoundSurroundings;
  #last: (Asked & { readonly begun: number; readonly ends: number }) | undefined;
  #next: (Asked & { readonly takeBack: () => void }) | undefined;

  constructor(around: SoundSurroundings) {
    this.#around = around;
  }

  ask(sound: SoundName, falling = false): void {
    const now = this.#around.now();
    const last = this.#last;
    if (last === undefined || now - last.begun >= SOUND_EVERY_MILLIS) {
      this.#play({ sound, falling });
      return;
    }
    if (gravity(sound) <= gravity((this.#next ?? last).sound)) return;
    this.#next?.takeBack();
    this.#next = undefined;
    if (now < last.ends) this.#play({ sound, falling });
    else {
      const wait = last.begun + SOUND_EVERY_MILLIS - now;
      const takeBack = this.#around.after(wait, () => {
        this.#next = undefined;
        this.#play({ sound, falling });
      });
      this.#next = { sound, falling, takeBack };
    }
  }

  /** Nothing that waits is played any more. */
  end(): void {
    this.#next?.takeBack();
    this.#next = undefined;
  }

  #play(asked: Asked): void {
    const begun = this.#around.now();
    const heard = this.#around.play(asked.sound, asked.falling);
    if (heard > 0) this.#last = { ...asked, begun, ends: begun + heard };
  }
}
