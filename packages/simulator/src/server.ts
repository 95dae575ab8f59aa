import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PlatformSlug } from '@crossbook/domain';
import { handleAdmin } from './admin.ts';
import type { BinanceLimits } from './dialects/binance/rate-limits.ts';
import type { Dialect, SocketKind } from './dialects/dialect.ts';
import { DIALECTS } from './dialects/dialects.ts';
import { turnAway } from './dialects/wire/upgrade.ts';
import { FaultBox } from './faults.ts';
import type { OpenedVenue } from './open-venue.ts';

/** What the listening part of the simulator is made from. */
export interface SimulatorServerOptions {
  readonly venues: readonly OpenedVenue[];
  /** 0 takes a free port. */
  readonly port: number;
  readonly adminToken: string;
  readonly randomText: (length: number) => string;
  /** Whether the venues' rate limits hold; true when absent. */
  readonly limited?: boolean;
  /** Other limits than Binance spot's own. */
  readonly binanceLimits?: Partial<BinanceLimits>;
  /** Hears of a fault of ours; the client got an answer that says "unknown". */
  readonly onFault: (fault: unknown) => void;
}

/** A listening simulator. */
export interface SimulatorServer {
  /** `http://127.0.0.1:<port>`; the same for `ws://`. */
  readonly url: string;
  /** Base of the admin API, token included: `<admin>/credit`. */
  readonly admin: string;
  /** Stops listening and closes every connection; the venues are the caller's to close. */
  close(): Promise<void>;
}

/** A dialect and the venue it speaks for. */
interface SpokenDialect {
  readonly venue: PlatformSlug;
  readonly dialect: Dialect;
}

const HOST = '127.0.0.1';
const HEADERS_MILLIS_MAX = 10_000;
const REQUEST_MILLIS_MAX = 30_000;
const KEEP_ALIVE_MILLIS = 60_000;
const HEADER_BYTES_MAX = 16_384;
const CONNECTIONS_MAX = 10_000;

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function answerUnknown(response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(500, { 'content-type': 'application/json;charset=UTF-8' });
  response.end('{"code":-1000,"msg":"An unknown error occurred while processing the request."}');
}

function answerNotFound(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'application/json' });
  response.end('{"error":"no such path"}');
}

/**
 * Listens for every dialect on one port: their paths do not collide.
 * @throws Error with `code` EADDRINUSE when the port is taken.
 */
export async function serveSimulator(options: SimulatorServerOptions): Promise<SimulatorServer> {
  const faults = new FaultBox();
  const spoken = makeDialects(options, faults);
  const dialects = spoken.map(({ dialect }) => dialect);
  const { venues, randomText } = options;
  const dropSockets = (venue: PlatformSlug | undefined, kind: SocketKind): number =>
    spoken
      .filter((entry) => venue === undefined || entry.venue === venue)
      .reduce((dropped, { dialect }) => dropped + dialect.dropSockets(kind), 0);
  const admin = { venues, faults, dropSockets, randomText, token: options.adminToken };
  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (path.startsWith('/sim/')) return await handleAdmin(admin, request, response);
    const dialect = dialects.find((candidate) => candidate.owns(path));
    if (dialect === undefined) answerNotFound(response);
    else await dialect.handleHttp(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_MILLIS_MAX,
      requestTimeout: REQUEST_MILLIS_MAX,
    },
    (request, response) => {
      route(request, response).catch((fault: unknown) => {
        options.onFault(fault);
        answerUnknown(response);
      });
    },
  );
  server.keepAliveTimeout = KEEP_ALIVE_MILLIS;
  server.maxConnections = CONNECTIONS_MAX;
  server.on('clientError', (_, socket) => {
    if (socket.writable) turnAway(socket, '400 Bad Request');
    else socket.destroy();
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    try {
      const taken = dialects.some((dialect) => dialect.handleUpgrade(request, socket, head));
      if (!taken) turnAway(socket, '404 Not Found');
    } catch (fault) {
      // Nobody else would catch it: a fault here would end the process.
      options.onFault(fault);
      socket.destroy();
    }
  });
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo;
  const url = `http://${HOST}:${port}`;
  return {
    url,
    admin: `${url}/sim/${options.adminToken}`,
    close: () => closeServer(server, dialects),
  };
}

/** The dialects of the venues that are there, in the order in which they are asked. */
function makeDialects(options: SimulatorServerOptions, faults: FaultBox): readonly SpokenDialect[] {
  const { venues, randomText, onFault, binanceLimits, limited = true } = options;
  return DIALECTS.flatMap((entry) => {
    const venue = venues.find(({ slug }) => slug === entry.venue);
    if (venue === undefined) return [];
    const limits = binanceLimits === undefined ? {} : { binanceLimits };
    return [
      { venue: entry.venue, dialect: entry.make({ venue, faults, randomText, limited, onFault, ...limits }) },
    ];
  });
}

function closeServer(server: Server, dialects: readonly Dialect[]): Promise<void> {
  return new Promise((resolve) => {
    for (const dialect of dialects) dialect.close();
    server.close(() => resolve());
    server.closeAllConnections();
    for (const dialect of dialects) dialect.dropSockets('all');
  });
}
