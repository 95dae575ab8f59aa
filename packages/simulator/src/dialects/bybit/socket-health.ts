import type { WebSocket } from 'ws';

/** A client that has not read this much is dropped: nothing is buffered without bound. */
const BUFFERED_BYTES_MAX = 8 * 1024 * 1024;
/** A client that has said nothing for so long is dropped (websocket/connect, 2026-07-24). */
const SILENCE_MILLIS_MAX = 600_000;
const SWEEP_EVERY_MILLIS = 1_000;

/** Sends one text frame; the bytes may be shared with other sockets. A client that does not read is dropped. */
export function sendFrame(socket: WebSocket, frame: Buffer | string): void {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > BUFFERED_BYTES_MAX) {
    socket.terminate();
    return;
  }
  socket.send(frame, { binary: false });
}

interface Watched {
  heardAt: number;
  readonly silenceMillisMax: number;
}

/** Every socket of the dialect: drops those that are silent, and all of them when asked. */
export class SocketHealth {
  readonly #sockets = new Map<WebSocket, Watched>();
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;

  constructor(now: () => number) {
    this.#now = now;
    this.#timer = setInterval(() => this.#sweep(), SWEEP_EVERY_MILLIS);
    this.#timer.unref();
  }

  watch(socket: WebSocket, silenceMillisMax = SILENCE_MILLIS_MAX): void {
    const watched: Watched = { heardAt: this.#now(), silenceMillisMax };
    this.#sockets.set(socket, watched);
    const heard = () => {
      watched.heardAt = this.#now();
    };
    for (const event of ['message', 'ping', 'pong']) socket.on(event, heard);
    socket.once('close', () => this.#sockets.delete(socket));
    // Protocol errors close the socket by themselves; without a listener they would end the process.
    socket.on('error', () => socket.terminate());
  }

  /** Drops sockets at once, without a close frame. @returns how many. */
  dropAll(wanted: (socket: WebSocket) => boolean): number {
    let dropped = 0;
    for (const socket of this.#sockets.keys()) {
      if (!wanted(socket)) continue;
      socket.terminate();
      dropped += 1;
    }
    return dropped;
  }

  /** Says that the server goes away, and closes. */
  close(): void {
    clearInterval(this.#timer);
    for (const socket of this.#sockets.keys()) socket.close(1001, 'server shutdown');
  }

  #sweep(): void {
    const now = this.#now();
    for (const [socket, watched] of this.#sockets) {
      if (now - watched.heardAt > watched.silenceMillisMax) socket.close(1000, 'no message for too long');
    }
  }
}
