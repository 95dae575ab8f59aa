import type { WebSocket } from 'ws';
import type { Endpoint } from '../../endpoint.ts';
import { RequestSocket, sessionEndpoints } from '../../streams/request-socket.ts';
import type { FuturesDesk } from '../desk.ts';

/** One connection of the futures' WebSocket API; its accounts are told of on streams of their own. */
export function openFuturesApi(
  desk: FuturesDesk,
  socket: WebSocket,
  facts: {
    readonly address: string;
    readonly showLimits: boolean;
    /** By method. */
    readonly endpoints: ReadonlyMap<string, Endpoint<FuturesDesk>>;
  },
): void {
  const session = sessionEndpoints(desk, {
    showLimits: () => requests.showLimits,
    listens: () => false,
  });
  const own = session.map((entry) => [entry.name, entry] as const);
  const endpoints = new Map<string, Endpoint<FuturesDesk>>([...facts.endpoints, ...own]);
  const requests = new RequestSocket({ desk, socket, ...facts, endpoints });
}
