import type { Millis } from '@crossbook/domain';

/** So often what waits goes out, and what was not taken is sent again. */
export const SHIP_EVERY_MILLIS = 1_000;
/** What waits for a sink that does not take it; beyond it the oldest lines go, and how many is told. */
export const WAITING_BYTES_MAX = 4_000_000;
const BATCH_BYTES_MAX = 500_000;
const TIMEOUT_MILLIS = 5_000;
/** After a failure the pauses double up to this. */
const PAUSE_MILLIS_MAX = 60_000;

/** Where lines of the log go besides standard error: `POST` of JSON lines, with a bearer token where there is one; 2xx means kept. */
export interface LogSinkAddress {
  readonly url: string;
  readonly token: string | undefined;
}

/** Tells another machine every line of the log, so that whoever owns this one cannot take one back. */
export interface LogSink {
  /** Takes a line as the logger wrote it. Never waits and never throws. */
  write(line: string): void;
  /** What is wrong with the sink; none while everything is taken. */
  faults(): readonly string[];
  /** Sends what waits once more, then ends. */
  stop(): Promise<void>;
}

/** Makes the sink and begins to send. */
export function logSink({
  address,
  steady,
  every,
}: {
  readonly address: LogSinkAddress;
  readonly steady: () => Millis;
  readonly every: (millis: number, run: () => void) => () => void;
}): LogSink {
  let waiting: string[] = [];
  let bytes = 0;
  let lost = 0;
  let failure: string | undefined;
  let failures = 0;
  let pausedUntil = 0;
  let sending: Promise<void> | undefined;

  const post = async (body: string): Promise<void> => {
    const response = await fetch(address.url, {
      method: 'POST',
      redirect: 'error',
      headers: {
        'content-type': 'application/x-ndjson',
        ...(address.token === undefined ? {} : { authorization: `Bearer ${address.token}` }),
      },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MILLIS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`it answered ${response.status}`);
  };
  const batch = (): readonly string[] => {
    let size = 0;
    const end = waiting.findIndex((line) => {
      size += line.length;
      return size > BATCH_BYTES_MAX;
    });
    return waiting.slice(0, end < 0 ? waiting.length : Math.max(1, end));
  };
  const drop = (count: number): void => {
    bytes -= waiting.splice(0, count).reduce((sum, line) => sum + line.length, 0);
  };
  /** One batch. A line that is dropped meanwhile was sent as well, or is counted as lost: both are told. */
  const ship = async (): Promise<void> => {
    const lines = batch();
    const gap = lost;
    const head = gap === 0 ? '' : `${JSON.stringify({ level: 40, lost: gap, msg: 'lines were lost' })}\n`;
    try {
      waiting.splice(0, lines.length);
      await post(head + lines.join(''));
      bytes -= lines.reduce((sum, line) => sum + line.length, 0);
      lost -= gap;
      failure = undefined;
      failures = 0;
    } catch (error) {
      waiting = [...lines, ...waiting];
      failure = error instanceof Error ? error.message : String(error);
      failures += 1;
      pausedUntil = steady() + Math.min(SHIP_EVERY_MILLIS * 2 ** failures, PAUSE_MILLIS_MAX);
      keepWithin();
    }
  };
  const keepWithin = (): void => {
    while (bytes > WAITING_BYTES_MAX && waiting.length > 0) {
      drop(1);
      lost += 1;
    }
  };
  const send = (): void => {
    if (waiting.length === 0 || sending !== undefined || steady() < pausedUntil) return;
    sending = ship().finally(() => {
      sending = undefined;
    });
  };
  const end = every(SHIP_EVERY_MILLIS, send);
  return {
    write(line) {
      waiting.push(line);
      bytes += line.length;
      keepWithin();
    },
    faults: () => [
      ...(failure === undefined ? [] : [`the log is not taken by its sink: ${failure}`]),
      ...(lost === 0 ? [] : [`${lost} lines were lost on the way to it`]),
    ],
    async stop() {
      end();
      await sending;
      pausedUntil = 0;
      send();
      await sending;
    },
  };
}
