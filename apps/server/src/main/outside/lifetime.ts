/** A process that should have stopped by now is ended. */
const STOP_MILLIS_MAX = 10_000;

/** How a process ends: by signal, because its starter is gone, or because a part of it died. */
export interface Lifetime {
  /** Ends the process in order, once. @param code what the process answers. */
  end(why: string, code: number): void;
}

/**
 * Ends the process in order: on SIGTERM and SIGINT, and when supervised on the end of the starter's pipe, so that nothing
 * outlives its starter. A second signal ends at once.
 */
export function lifetime(options: {
  readonly supervised: boolean;
  readonly stop: () => Promise<void>;
  readonly say: (text: string) => void;
}): Lifetime {
  let ending = false;
  const end = (why: string, code: number): void => {
    if (ending) return;
    ending = true;
    options.say(`ending: ${why}`);
    setTimeout(() => process.exit(1), STOP_MILLIS_MAX).unref();
    options.stop().then(
      () => process.exit(code),
      (error: unknown) => {
        options.say(`could not end in order: ${String(error)}`);
        process.exit(1);
      },
    );
  };
  const onSignal = (signal: string): void => {
    if (ending) process.exit(130);
    end(signal, 0);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  if (options.supervised) {
    process.stdin.once('end', () => end('the starter is gone', 0));
    process.stdin.once('error', () => end('the starter is gone', 0));
    process.stdin.resume();
  }
  return { end };
}
