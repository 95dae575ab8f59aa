import { SIDE } from '@crossbook/domain';
import { EVENT_TELLINGS, type SoundName } from '../../../stores/app/notice-events.ts';
import { type Notice, noticesStore } from '../../../stores/app/notices.ts';
import { settingsStore } from '../../../stores/app/settings.ts';
import { SoundTurns } from './sound-turns.ts';

/** Peak of a tone at full volume; a full-scale sine is unpleasantly loud. */
const GAIN_MAX = 0.25;
const TONE_MILLIS = 180;
const NEXT_TONE_MILLIS = 90;

/** Short sines, Hz, one after the other. */
const TONES: Readonly<Record<SoundName, readonly number[]>> = {
  order: [523],
  filled: [660, 880],
  fired: [660, 660],
  alert: [988, 1319, 988],
  warn: [587, 440],
  error: [330, 262],
  alarm: [880, 440, 880, 440],
};
/** A sale falls. */
const SOLD = [660, 495] as const;

let audio: AudioContext | undefined;
/** Ends what is still heard. */
let hush: () => void = () => undefined;

function play(sound: SoundName, falling: boolean): number {
  const { soundVolume } = settingsStore.getState();
  // Before the first touch of the page the browser plays nothing and complains of who tries.
  if (soundVolume === 0 || !navigator.userActivation.hasBeenActive) return 0;
  hush();
  audio ??= new AudioContext();
  if (audio.state === 'suspended') void audio.resume();
  const master = audio.createGain();
  master.connect(audio.destination);
  hush = () => master.disconnect();
  const tones = falling ? SOLD : TONES[sound];
  tones.forEach((frequency, place) => {
    if (audio === undefined) return;
    const at = audio.currentTime + (place * NEXT_TONE_MILLIS) / 1_000;
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(soundVolume * GAIN_MAX, at + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.16);
    tone.connect(gain).connect(master);
    tone.start(at);
    tone.stop(at + TONE_MILLIS / 1_000);
  });
  return TONE_MILLIS + (tones.length - 1) * NEXT_TONE_MILLIS;
}

/** Whether the member wants to hear it: fills and orders have a switch each, what must not be missed has none. */
export function isWanted(
  sound: SoundName,
  { filledAlert, orderAlert }: { readonly filledAlert: boolean; readonly orderAlert: boolean },
): boolean {
  if (sound === 'filled') return filledAlert;
  return sound === 'order' || sound === 'fired' || sound === 'error' ? orderAlert : true;
}

/** A page may make a sound only once somebody touched it: the first click or key opens the way for all that follows. */
function wakeOnFirstTouch(): () => void {
  const touched = new AbortController();
  const wake = (): void => {
    touched.abort();
    audio ??= new AudioContext();
    if (audio.state === 'suspended') void audio.resume();
  };
  for (const sign of ['pointerup', 'keydown'] as const) {
    document.addEventListener(sign, wake, { signal: touched.signal, capture: true });
  }
  return () => touched.abort();
}

function soundOf({
  event,
  message,
}: Notice): { readonly sound: SoundName; readonly falling: boolean } | undefined {
  const sound = event === undefined ? undefined : EVENT_TELLINGS[event].sound;
  if (sound === undefined) return undefined;
  return { sound, falling: sound === 'filled' && 'id' in message && message.values?.side === SIDE.SELL };
}

/** Plays what notices sound like, one sound a second, until the returned function is called. */
export function startSounds(): () => void {
  const turns = new SoundTurns({
    now: () => performance.now(),
    after: (millis, act) => {
      const timer = setTimeout(act, millis);
      return () => clearTimeout(timer);
    },
    play,
  });
  const sleep = wakeOnFirstTouch();
  const stop = noticesStore.subscribe(({ notices }) => {
    const newest = notices.at(-1);
    const asked = newest === undefined ? undefined : soundOf(newest);
    if (asked === undefined || !isWanted(asked.sound, settingsStore.getState())) return;
    turns.ask(asked.sound, asked.falling);
  });
  return () => {
    stop();
    sleep();
    turns.end();
  };
}
