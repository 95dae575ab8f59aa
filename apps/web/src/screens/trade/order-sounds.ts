import { startLater } from './live/start-later.ts';

/** Plays what notices sound like until the returned function is called; the player is read when the page is there. */
export function startOrderSounds(): () => void {
  return startLater(async () => (await import('./live/sound-player.ts')).startSounds);
}
