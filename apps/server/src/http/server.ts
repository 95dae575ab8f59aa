import type { Socket } from 'node:net';
import type { Platform } from '@crossbook/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastify from 'fastify';
import { type AdminRoutesDeps, addAdminRoutes } from './admin-routes.ts';
import { envelopeOf } from './answers.ts';
import { addCallRoutes, type CallRoutesDeps, sendEnvelope, sendUnknownCall } from './call-routes.ts';
import { attachLiveGateway, type LiveGateway } from './live-gateway.ts';
import { addOperations, type OperationsDeps } from './operations.ts';
import { type Door, type PublicFace, targetOf } from './own-origin.ts';
import { addPages, isNavigation, type PagesOptions, type SendPage } from './pages.ts';
import { BASE_HEADERS, bareAnswer, NOTHING_POLICY, STRICT_TRANSPORT } from './security-headers.ts';

/** Everything the HTTP part needs; wired by `main`. */
export interface HttpServerDeps extends CallRoutesDeps, OperationsDeps {
  readonly pages: PagesOptions;
  readonly admin: AdminRoutesDeps;
  /** Absent until the stream part exists: then handshakes are refused. */
  readonly live: LiveGateway | undefined;
  readonly platforms: readonly Platform[];
  readonly deadlines?: RequestDeadlines;
}

/** Deadlines of a request; handed in by tests, which do not wait for the real ones. */
export interface RequestDeadlines {
  /** A whole request must arrive within this time: slow senders do not hold sockets. */
  readonly requestMillis: number;
  readonly headersMillis: number;
  /** An answer must have been read within this time from its request on: who does not read holds no memory of ours. */
  readonly answerMillis: number;
  /** How often connections are looked through: a deadline is kept this exactly. */
  readonly checkedEveryMillis: number;
}

/** The deadlines in force. Node by itself looks through its connections every 30 s only. */
const REQUEST_DEADLINES: RequestDeadlines = {
  requestMillis: 20_000,
  headersMillis: 10_000,
  answerMillis: 60_000,
  checkedEveryMillis: 1_000,
};
const KEEP_ALIVE_MILLIS = 65_000;

function isCall(request: FastifyRequest): boolean {
  return /^\/api(?:[/?]|$)/.test(request.raw.url ?? '');
}

/** Whether a probe asks: load balancers name the machine as they like, and the answer is one word. */
function isProbe(request: FastifyRequest): boolean {
  return /^\/(?:healthz|readyz)(?:\?|$)/.test(request.raw.url ?? '');
}

/** Whose an address is: the back office has its pages and files below `/admin`, and what a page boots with is both's. */
function doorsOf(url: string): readonly Door[] {
  if (/^\/admin(?:[/?]|$)/.test(url)) return ['office'];
  return /^\/boot\.json(?:\?|$)/.test(url) ? ['members', 'office'] : ['members'];
}

/** What is not a call goes to our own name only, as calls do: another name that leads here is DNS rebinding. */
function isMisdirected(request: FastifyRequest, face: PublicFace): boolean {
  if (isCall(request) || isProbe(request)) return false;
  return doorsOf(request.raw.url ?? '').every((door) => targetOf(request.headers, face, door) === undefined);
}

function addAnswersForTheRest(server: FastifyInstance, deps: HttpServerDeps, sendPage: SendPage): void {
  server.setNotFoundHandler((request, reply) => {
    if (isCall(request)) return sendUnknownCall(request, reply);
    if (isNavigation(request) && !(request.raw.url ?? '').startsWith('/md/')) return sendPage(reply);
    return reply.code(404).type('text/plain; charset=utf-8').send('Not found\n');
  });
  server.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) deps.log.error({ requestId: request.id, error }, 'request failed');
    return answerError(request, reply, status);
  });
}

/** Errors of the framework itself: an envelope for a call, a bare status for the rest; never a reason from inside. */
function answerError(request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply {
  if (!isCall(request)) return reply.code(status).type('text/plain; charset=utf-8').send(`${status}\n`);
  const code =
    status >= 500
      ? ({ error: 'unavailable' } as const)
      : ({ error: 'field-invalid', field: 'Content-Type', allowed: 'a form' } as const);
  return sendEnvelope(reply, envelopeOf({ ok: false, code }, 'en'));
}

/** Headers of every answer; what may do more than nothing says so later. */
function protect(reply: FastifyReply, { proxy }: PublicFace): void {
  reply.headers(BASE_HEADERS).header('content-security-policy', NOTHING_POLICY);
  if (proxy !== undefined) reply.header('strict-transport-security', STRICT_TRANSPORT);
}

const BROKEN_REQUESTS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** What is no request of HTTP, is two at once, or comes too slowly: answered in one word and cut. */
function refuseBroken(face: PublicFace): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const status = BROKEN_REQUESTS[error.code ?? ''] ?? '400 Bad Request';
    if (socket.writable) socket.write(bareAnswer(status, face.proxy !== undefined));
    socket.destroy(error);
  };
}

/** Cuts off who has asked and does not read what comes: an answer waits in our memory until it is read. */
function endUnread(server: FastifyInstance, answerMillis: number): void {
  server.addHook('onRequest', async (_request, { raw }) => {
    const deadline = setTimeout(() => raw.destroy(), answerMillis).unref();
    raw.once('close', () => clearTimeout(deadline));
  });
}

/** Builds the server; the caller listens and closes. */
export async function httpServer(deps: HttpServerDeps): Promise<FastifyInstance> {
  let requests = 0;
  const { version } = deps.boot();
  const deadlines = deps.deadlines ?? REQUEST_DEADLINES;
  const { requestMillis, headersMillis, checkedEveryMillis } = deadlines;
  const server = fastify({
    logger: false,
    requestTimeout: requestMillis,
    keepAliveTimeout: KEEP_ALIVE_MILLIS,
    http: { headersTimeout: headersMillis, connectionsCheckingInterval: checkedEveryMillis },
    exposeHeadRoutes: false,
    // What arrives while the process ends is answered like any other call, in an envelope.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseBroken(deps.face),
    genReqId: () => {
      requests += 1;
      return `${version}-${requests}`;
    },
    frameworkErrors: (_error, request, reply) => {
      // It comes before every hook.
      protect(reply as FastifyReply, deps.face);
      // A path that cannot be decoded is the path of no call.
      if (isCall(request as FastifyRequest))
        sendUnknownCall(request as FastifyRequest, reply as FastifyReply);
      else (reply as FastifyReply).code(400).type('text/plain; charset=utf-8').send('400\n');
    },
  });
  // Bodies are read by the calls themselves, with their own bounds.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  endUnread(server, deadlines.answerMillis);
  server.addHook('onRequest', async (request, reply) => {
    protect(reply, deps.face);
    if (isMisdirected(request, deps.face)) {
      return reply.code(421).type('text/plain; charset=utf-8').send('This is not served under that name.\n');
    }
  });
  addCallRoutes(server, deps);
  addAdminRoutes(server, deps);
  addOperations(server, deps);
  addAnswersForTheRest(server, deps, await addPages(server, deps.pages));
  if (deps.live !== undefined) attachLiveGateway(server.server, deps.live, deps);
  await server.ready();
  return server;
}
