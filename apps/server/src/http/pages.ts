import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NOTHING_POLICY, pagePolicy } from './security-headers.ts';

/** The built web part. */
export interface PagesOptions {
  /** A build of the web part, or a link to it; pages are absent when it is not built. */
  readonly webRoot: string | undefined;
  /** Origins the browser may talk to besides ours. */
  readonly connectHosts: readonly string[];
}

const NOT_BUILT = 'The web part is not built here. The calls under /api and the page /docs/api work.\n';

/** Sends the one page that an address belongs to, the members' or the back office's; its own router does the rest. */
export type SendPage = (reply: FastifyReply) => Promise<FastifyReply>;

/** Whether an address belongs to the back office, whose page is kept nowhere and talks to nobody but us. */
function isAdminPage({ request }: FastifyReply): boolean {
  return /^\/admin(?:[/?]|$)/.test(request.raw.url ?? '');
}

function pageSender(build: string | undefined, connectHosts: readonly string[]): SendPage {
  return async (reply) => {
    const isAdmin = isAdminPage(reply);
    const file = build === undefined ? undefined : join(build, isAdmin ? 'admin/admin.html' : 'index.html');
    if (file === undefined || !existsSync(file)) {
      return reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT);
    }
    const html = await readFile(file, 'utf8');
    return reply
      .header('content-security-policy', pagePolicy(html, isAdmin ? [] : connectHosts))
      .header('cache-control', isAdmin ? 'no-store' : 'no-cache')
      .type('text/html; charset=utf-8')
      .send(html);
  };
}

/**
 * Whether somebody is opening a page, as opposed to a file or data that is missing: a browser says so, and a program that
 * takes anything and is no script of a page (curl, a link checker) means the page too.
 */
export function isNavigation(request: FastifyRequest): boolean {
  const path = (request.raw.url ?? '').split('?', 1)[0] ?? '';
  const accepts = String(request.headers.accept ?? '');
  const anything = accepts === '' || accepts.includes('*/*');
  const opens =
    accepts.includes('text/html') || (anything && request.headers['sec-fetch-mode'] === undefined);
  return request.method === 'GET' && opens && !/\.[a-z0-9]{2,5}$/i.test(path);
}

/**
 * Adds the files of the web part; hashed ones may be kept for ever, the page itself never. The build that is there now
 * is served until the process ends: a newer one has other names for its parts.
 */
export async function addPages(
  server: FastifyInstance,
  { webRoot, connectHosts }: PagesOptions,
): Promise<SendPage> {
  const build = webRoot !== undefined && existsSync(webRoot) ? realpathSync(webRoot) : undefined;
  const sendPage = pageSender(build, connectHosts);
  // `/admin/` would be the folder of its files.
  for (const path of ['/', '/admin', '/admin/']) server.get(path, (_request, reply) => sendPage(reply));
  server.get('/index.html', (_request, reply) => sendPage(reply));
  if (build !== undefined) {
    await server.register(fastifyStatic, {
      root: build,
      index: false,
      dotfiles: 'ignore',
      cacheControl: false,
      setHeaders: (response, path) => {
        const hashed = path.includes('/assets/') || path.includes('\\assets\\');
        response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
        response.header('content-security-policy', NOTHING_POLICY);
        if (path.endsWith('.svg')) response.header('content-type', 'image/svg+xml; charset=utf-8');
      },
    });
  }
  return sendPage;
}
