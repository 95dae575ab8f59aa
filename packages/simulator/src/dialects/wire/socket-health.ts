import type { WebSocket } from 'ws';
import type { SocketKind } from '../dialect.ts';

const SWEEP_EVERY_MILLIS = 1_000;

/** When a venue gives its sockets up. */
export interface SocketManners {
  /** What a client must send so that he counts as alive. */
  readonly signsOfLife: readonly ('message' | 'ping' | 'pong')[];
  readonly silenceMillisMax: number;
  /** What a silent client is told; absent: he is dropped without a close frame. */
  readonly silenceClose?: { readonly code: number; readonly reason: string };
  /** Absent: the venue sends no pings. */
  readonly pingEveryMillis?: number;
  /** Absent: a socket may grow as old as it likes. */
  readonly lifeMillisMax?: number;
}

interface Watched {
  readonly kind: Exclude<SocketKind, 'all'>;
  readonly silenceMillisMax: number;
  readonly openedAt: number;
  pingedAt: number;
  heardAt: number;
}

/** Every socket of one dialect: gives up the silent and the old, and drops them when asked. */
export class SocketHealth {
  readonly #sockets = new Map<WebSocket, Watched>();
  readonly #now: () => number;
  readonly #manners: SocketManners;
  readonly #timer: NodeJS.Timeout;

  constructor(now: () => number, manners: SocketManners) {
    this.#now = now;
    this.#manners = manners;
    this.#timer = setInterval(() => this.#sweep(), SWEEP_EVERY_MILLIS);
    this.#timer.unref();
  }

  /** @param silenceMillisMax where this one socket may be silent for another time than the rest. */
  watch(socket: WebSocket, kind: Watched['kind'], silenceMillisMax = this.#manners.silenceMillisMax): void {
    const now = this.#now();
    this.#sockets.set(socket, { kind, silenceMillisMax, openedAt: now, pingedAt: now, heardAt: now });
    for (const sign of this.#manners.signsOfLife) socket.on(sign, () => this.touch(socket));
    socket.once('close', () => this.#sockets.delete(socket));
    // Protocol errors close the socket by themselves; without a listener they would end the process.
    socket.on('error', () => socket.terminate());
  }

  /** Begins a socket's time of silence anew: for what counts as life beside the client's own signs. */
  touch(socket: WebSocket): void {
    const watched = this.#sockets.get(socket);
    if (watched !== undefined) watched.heardAt = this.#now();
  }

  /** Drops sockets at once, without a close frame, as a network would. @returns how many. */
  dropAll(kind: SocketKind): number {
    let dropped = 0;
    for (const [socket, watched] of this.#sockets) {
      if (kind !== 'all' && watched.kind !== kind) continue;
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
    const { silenceClose, pingEveryMillis, lifeMillisMax } = this.#manners;
    for (const [socket, watched] of this.#sockets) {
      if (now - watched.heardAt > watched.silenceMillisMax) {
        if (silenceClose === undefined) socket.terminate();
        else socket.close(silenceClose.code, silenceClose.reason);
      } else if (lifeMillisMax !== undefined && now - watched.openedAt > lifeMillisMax) {
        socket.close(1001, 'connection too old');
      } else if (pingEveryMillis !== undefined && now - watched.pingedAt >= pingEveryMillis) {
        watched.pingedAt = now;
        socket.ping(String(now));
      }
    }
  }
}
