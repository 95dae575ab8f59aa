import type { BootConfig } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { normaliseEmail, type PlatformSlug, platformOfSlug } from '@crossbook/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { apiPage } from './api-page.ts';
import type { HttpMetrics } from './metrics.ts';
import { openApi } from './openapi.ts';
import { addressOf, isLoopback, isOwnPage, type PublicFace, targetOf } from './own-origin.ts';
import type { VenueRelay } from './relay/venue-relay.ts';
import type { RequestLimits } from './request-limits.ts';
import { NOTHING_POLICY } from './security-headers.ts';

/** A mail as the outbox page shows it. */
export interface ShownMail {
  readonly id: number;
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly sentAt: Millis;
}

/** Everything beside the calls and the pages. */
export interface OperationsDeps {
  /** As it is now: platforms open and close while the hub runs. */
  readonly boot: () => BootConfig;
  readonly face: PublicFace;
  /** Whether the parts this process needs answer; the reason is for the operator. */
  readonly ready: () => Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>;
  readonly metrics: HttpMetrics;
  readonly limits: RequestLimits;
  readonly clock: () => Millis;
  /** Absent: the outbox does not exist. */
  readonly outbox: ((recipient: string | undefined) => Promise<readonly ShownMail[]>) | undefined;
  readonly relays: Readonly<Partial<Record<PlatformSlug, VenueRelay>>>;
}

function notFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).type('text/plain; charset=utf-8').send('Not found\n');
}

/** Only the machine itself, and not through a proxy. */
function fromThisMachine(request: FastifyRequest): boolean {
  return isLoopback(addressOf({}, request.raw.socket.remoteAddress, { proxy: undefined }));
}

function addHealth(server: FastifyInstance, deps: OperationsDeps): void {
  server.get('/healthz', (_request, reply) => reply.type('text/plain; charset=utf-8').send('ok\n'));
  server.get('/readyz', async (_request, reply) => {
    const state = await deps.ready();
    return reply
      .code(state.ok ? 200 : 503)
      .header('cache-control', 'no-store')
      .type('text/plain; charset=utf-8')
      .send(state.ok ? 'ready\n' : 'not ready\n');
  });
  server.get('/metrics', async (request, reply) => {
    if (deps.face.proxy !== undefined || !fromThisMachine(request)) return notFound(reply);
    const metrics = await deps.metrics.read();
    return reply.type(metrics.contentType).send(metrics.text);
  });
}

function addDocuments(server: FastifyInstance, deps: OperationsDeps): void {
  const { productName, version } = deps.boot();
  const document = JSON.stringify(openApi(productName, version));
  const page = apiPage(productName);
  const json = (reply: FastifyReply, text: string): FastifyReply =>
    reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(text);
  server.get('/boot.json', (_request, reply) => json(reply, JSON.stringify(deps.boot())));
  server.get('/openapi.json', (_request, reply) => json(reply, document));
  server.get('/docs/api', (_request, reply) =>
    reply
      .header('content-security-policy', `${NOTHING_POLICY}; style-src 'unsafe-inline'`)
      .type('text/html; charset=utf-8')
      .send(page),
  );
}

function addOutbox(server: FastifyInstance, deps: OperationsDeps): void {
  const { outbox } = deps;
  if (outbox === undefined) return;
  server.get('/dev/outbox.json', async (request, reply) => {
    const target = targetOf(request.headers, deps.face);
    if (target === undefined || !isOwnPage(request.headers, target)) return notFound(reply);
    const wanted = (request.query as Record<string, unknown>).to;
    const one = typeof wanted === 'string' && !wanted.includes('\0');
    const mails = await outbox(one ? normaliseEmail(wanted) : undefined);
    return reply.header('cache-control', 'no-store').send(mails);
  });
}

function addRelays(server: FastifyInstance, deps: OperationsDeps): void {
  server.get<{ Params: { slug: string } }>('/md/:slug/*', async (request, reply) => {
    const slug = platformOfSlug(request.params.slug)?.slug;
    const relay = slug === undefined ? undefined : deps.relays[slug];
    const target = targetOf(request.headers, deps.face);
    if (relay === undefined || target === undefined || !isOwnPage(request.headers, target))
      return notFound(reply);
    const started = deps.clock();
    const address = addressOf(request.headers, request.raw.socket.remoteAddress, deps.face);
    const wait = deps.limits.take('relay', address);
    if (wait !== undefined) {
      return reply
        .code(429)
        .header('retry-after', String(wait))
        .send({ code: -429, msg: 'Too many requests.' });
    }
    const [path = '', ...query] = (request.raw.url ?? '')
      .slice(`/md/${request.params.slug}`.length)
      .split('?');
    const answer = await relay(path, query.join('?'), address);
    deps.metrics.relay(answer.status, deps.clock() - started);
    if (answer.retryAfter !== undefined) reply.header('retry-after', answer.retryAfter);
    return reply
      .code(answer.status)
      .header('cache-control', 'no-store')
      .type(answer.contentType)
      .send(answer.body);
  });
}

/** Adds health, figures, documents, outbox and the venue relay. */
export function addOperations(server: FastifyInstance, deps: OperationsDeps): void {
  addHealth(server, deps);
  addDocuments(server, deps);
  addOutbox(server, deps);
  addRelays(server, deps);
}
