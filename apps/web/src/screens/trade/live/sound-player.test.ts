import { afterEach, expect, test, vi } from 'vitest';
import { SOUNDS } from '../../../stores/app/notice-events.ts';
import { isWanted } from './sound-player.ts';

test.each([
  ['both are wanted', true, true, SOUNDS],
  ['fills are not', false, true, ['order', 'fired', 'alert', 'warn', 'error', 'alarm']],
  ['orders are not', true, false, ['filled', 'alert', 'warn', 'alarm']],
  ['neither is: what must not be missed is heard', false, false, ['alert', 'warn', 'alarm']],
])('what is heard where %s', (_, filledAlert, orderAlert, heard) => {
  expect(SOUNDS.filter((sound) => isWanted(sound, { filledAlert, orderAlert }))).toEqual(heard);
});

afterEach(() => vi.unstubAllGlobals());

/** The browser's audio: asleep until it is woken, and what it was asked to play. */
function audible() {
  const heard = { contexts: 0, woken: 0, tones: 0 };
  const ramps = {
    setValueAtTime: vi.fn(),
    linearRampToValueAtTime: vi.fn(),
    exponentialRampToValueAtTime: vi.fn(),
  };
  const node = (): object => ({ gain: ramps, frequency: {}, connect: () => node(), disconnect: vi.fn() });
  class Context {
    state = 'suspended';
    readonly currentTime = 0;
    readonly destination = {};
    constructor() {
      heard.contexts += 1;
    }
    resume(): void {
      heard.woken += 1;
      this.state = 'running';
    }
    createGain = node;
    createOscillator() {
      return { ...node(), start: () => (heard.tones += 1), stop: vi.fn() };
    }
  }
  vi.stubGlobal('AudioContext', Context);
  return heard;
}

test.each(['pointerup', 'keydown'])(
  'before anybody touched the page nothing is tried; the first %s anywhere wakes the sound, and the next notice is heard',
  async (sign) => {
    const heard = audible();
    vi.resetModules();
    const page = new EventTarget();
    const userActivation = { hasBeenActive: false };
    vi.stubGlobal('document', page);
    vi.stubGlobal('navigator', { userActivation });
    // Each begins with a player that has made no sound yet, and what it listens to.
    const { startSounds } = await import('./sound-player.ts');
    const { notify } = await import('../../../stores/app/notices.ts');
    const { setClock } = await import('../../../stores/app/clock.ts');
    setClock({ now: () => 0, randomBytes: () => new Uint8Array(10) });
    const stop = startSounds();
    const say = () => notify('error', { text: 'Margin call' }, undefined, { event: 'danger' });
    say();
    expect(heard).toEqual({ contexts: 0, woken: 0, tones: 0 });
    userActivation.hasBeenActive = true;
    page.dispatchEvent(new Event(sign));
    expect(heard).toEqual({ contexts: 1, woken: 1, tones: 0 });
    say();
    expect(heard).toEqual({ contexts: 1, woken: 1, tones: 4 });
    stop();
  },
);
