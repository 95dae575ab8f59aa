import type { FillRow } from '@crossbook/contract';
import { SIDE } from '@crossbook/domain';
import { algosStore } from '../../stores/algos/algos.ts';
import { alarmsStore } from '../../stores/app/alarms.ts';
import { settingsStore } from '../../stores/app/settings.ts';
import { fillsStore } from '../../stores/trading/fills.ts';
import { ordersStore } from '../../stores/trading/orders.ts';

/** Tones closer together than this are one: three fills of an order sound once. */
const TONE_EVERY_MILLIS_MIN = 400;
/** Peak of a tone at full volume; a full-scale sine is unpleasantly loud. */
const GAIN_MAX = 0.25;

let audio: AudioContext | undefined;
let playedAt = Number.NEGATIVE_INFINITY;

/** Two short sines: rising for a buy, falling for a sell. Silent until the page was touched, as browsers demand. */
function play(frequencies: readonly number[], grave = false): void {
  const now = performance.now();
  const { soundVolume } = settingsStore.getState();
  // The gravest wins: an alarm is never lost to the tone of a fill.
  if (soundVolume === 0 || (!grave && now - playedAt < TONE_EVERY_MILLIS_MIN)) return;
  playedAt = now;
  audio ??= new AudioContext();
  if (audio.state === 'suspended') void audio.resume();
  let at = audio.currentTime;
  for (const frequency of frequencies) {
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(soundVolume * GAIN_MAX, at + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.16);
    tone.connect(gain).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.18);
    at += 0.09;
  }
}

function key(row: FillRow): string {
  return `${row.exchange}:${row.symbol}:${row.tradeId}`;
}

/** Plays a tone for new fills, for finished cancels and for liquidations and margin calls, as the settings say, until the returned function is called. */
export function startOrderSounds(): () => void {
  const stopFills = fillsStore.subscribe((next, before) => {
    const newest = next.recent[0];
    const known = before.recent[0];
    // The first read of a history is no event.
    if (newest === undefined || (known === undefined && next.status !== before.status)) return;
    if (known !== undefined && key(newest) === key(known)) return;
    if (before.status[newest.exchange] !== 'ready' || !settingsStore.getState().filledAlert) return;
    play(newest.side === SIDE.BUY ? [660, 880] : [660, 495]);
  });
  const stopOrders = ordersStore.subscribe((next, before) => {
    // What a list that is read brings is no event.
    if (!settingsStore.getState().orderAlert || next.status !== before.status) return;
    if (next.open.size <= before.open.size) return;
    play([523]);
  });
  const stopFired = algosStore.subscribe((next, before) => {
    if (next.fired > before.fired && settingsStore.getState().orderAlert) play([660, 660]);
  });
  const stopAlarms = alarmsStore.subscribe((next, before) => {
    if (next.count > before.count) play([880, 440, 880, 440], true);
  });
  return () => {
    stopAlarms();
    stopFired();
    stopFills();
    stopOrders();
  };
}
