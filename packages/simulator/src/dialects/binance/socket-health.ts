import type { WebSocket } from 'ws';

/** A client that has not read this much is dropped: nothing is buffered without bound. */
const BUFFERED_BYTES_MAX = 8 * 1024 * 1024;
/** Spot's manners (wire.md 1.5). */
const SPOT_PINGS: PingManners = { pingEveryMillis: 20_000, pongMillisMax: 60_000 };
const LIFE_MILLIS_MAX = 86_400_000;
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

/** How often a venue pings, and how long it waits to be answered. */
export interface PingManners {
  readonly pingEveryMillis: number;
  readonly pongMillisMax: number;
}

interface Watched {
  readonly openedAt: number;
  pingedAt: number;
  heardAt: number;
}

/**
 * Pings every socket of the dialect every so often and drops those that did not answer for too long, or that
 * are a day old.
 */
export class SocketHealth {
  readonly #sockets = new Map<WebSocket, Watched>();
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  readonly #manners: PingManners;

  constructor(now: () => number, manners = SPOT_PINGS) {
    this.#now = now;
    this.#manners = manners;
    this.#timer = setInterval(() => this.#sweep(), SWEEP_EVERY_MILLIS);
    this.#timer.unref();
  }

  watch(socket: WebSocket): void {
    const now = this.#now();
    const watched: Watched = { openedAt: now, pingedAt: now, heardAt: now };
    this.#sockets.set(socket, watched);
    socket.on('pong', () => {
      watched.heardAt = this.#now();
    });
    socket.once('close', () => this.#sockets.delete(socket));
    // Protocol errors close the socket by themselves; without a listener they would end the process.
    socket.on('error', () => socket.terminate());
  }

  /** Drops every socket at once, without a close frame. @returns how many. */
  dropAll(wanted: (socket: WebSocket) => boolean = () => true): number {
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
      if (now - watched.heardAt > this.#manners.pongMillisMax) socket.terminate();
      else if (now - watched.openedAt > LIFE_MILLIS_MAX) socket.close(1001, 'connection too old');
      else if (now - watched.pingedAt >= this.#manners.pingEveryMillis) {
        watched.pingedAt = now;
        socket.ping(String(now));
      }
    }
  }
}
