import type { WebSocket } from 'ws';

/** A client that has not read this much is dropped: nothing is buffered without bound. */
const BUFFERED_BYTES_MAX = 8 * 1024 * 1024;
/** A connection on which nothing was heard or said for so long is dropped (wire.md 3.7). */
const SILENCE_MILLIS_MAX = 30_000;
const SWEEP_EVERY_MILLIS = 1_000;

/** One of OKX's sockets by path. */
export type Door = 'public' | 'business' | 'private';

/** A connection that is watched. */
export interface WatchedSocket {
  readonly door: Door;
  /** Sends one text frame; the bytes may be shared with other sockets. */
  send(frame: Buffer | string): void;
  /** Closes without a close frame, as a network would. */
  drop(): void;
}

interface Watched extends WatchedSocket {
  readonly socket: WebSocket;
  activeAt: number;
}

/** Drops silent connections; OKX sends no ping frames, clients send the text `ping`. */
export class SocketHealth {
  readonly #sockets = new Map<WebSocket, Watched>();
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;

  constructor(now: () => number) {
    this.#now = now;
    this.#timer = setInterval(() => this.#sweep(), SWEEP_EVERY_MILLIS);
    this.#timer.unref();
  }

  watch(socket: WebSocket, door: Door): WatchedSocket {
    const watched: Watched = {
      door,
      socket,
      activeAt: this.#now(),
      send: (frame) => this.#send(watched, frame),
      drop: () => socket.terminate(),
    };
    this.#sockets.set(socket, watched);
    socket.on('message', () => {
      watched.activeAt = this.#now();
    });
    socket.once('close', () => this.#sockets.delete(socket));
    // Protocol errors close the socket by themselves; without a listener they would end the process.
    socket.on('error', () => socket.terminate());
    return watched;
  }

  /** Drops every wanted socket at once. @returns how many. */
  dropAll(wanted: (door: Door) => boolean): number {
    let dropped = 0;
    for (const [socket, { door }] of this.#sockets) {
      if (!wanted(door)) continue;
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

  #send(watched: Watched, frame: Buffer | string): void {
    const { socket } = watched;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > BUFFERED_BYTES_MAX) {
      socket.terminate();
      return;
    }
    watched.activeAt = this.#now();
    socket.send(frame, { binary: false });
  }

  #sweep(): void {
    const now = this.#now();
    for (const [socket, watched] of this.#sockets) {
      if (now - watched.activeAt > SILENCE_MILLIS_MAX) socket.close(4004, 'No data received in 30s.');
    }
  }
}
