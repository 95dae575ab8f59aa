/** Plays what notices sound like until the returned function is called; the player is read when the page is there. */
export function startOrderSounds(): () => void {
  let stop: () => void = () => undefined;
  let gone = false;
  import('./live/sound-player.ts')
    .then(({ startSounds }) => {
      if (!gone) stop = startSounds();
    })
    .catch(() => undefined);
  return () => {
    gone = true;
    stop();
  };
}
