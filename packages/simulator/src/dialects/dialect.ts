import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Which sockets to drop: public streams, those that take orders or tell of accounts, or all. */
export type SocketKind = 'streams' | 'api' | 'all';

/**
 * A venue's manner of speaking over the port that all dialects share. The server asks each in turn and the first that
 * owns a path answers, so a path must be claimed narrowly.
 */
export interface Dialect {
  owns(path: string): boolean;
  handleHttp(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Takes an upgrade to a WebSocket. @returns false when the path is another dialect's. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Drops sockets without a close frame, as a network would. @returns how many. */
  dropSockets(kind: SocketKind): number;
  close(): void;
}
