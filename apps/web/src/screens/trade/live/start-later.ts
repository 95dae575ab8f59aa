/**
 * Starts something whose code is read first. What cannot be read is not started.
 * @param read the code; it gives what starts it, and that what ends it.
 * @returns what ends it, or keeps it from beginning.
 */
export function startLater(read: () => Promise<() => () => void>): () => void {
  let stop: () => void = () => undefined;
  let gone = false;
  read()
    .then((start) => {
      if (!gone) stop = start();
    })
    .catch(() => undefined);
  return () => {
    gone = true;
    stop();
  };
}
