import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Answers with JSON that pages of every origin may read and nobody keeps. `headers` add to these or replace them. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'access-control-allow-origin': '*',
    'cache-control': 'no-cache, no-store, must-revalidate',
    ...headers,
  });
  response.end(text);
}

/** Lets a page of another origin ask: the answer to `OPTIONS`. */
export function allowOrigins(
  response: ServerResponse,
  allowed: { readonly methods: string; readonly headers: string },
): void {
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': allowed.methods,
    'access-control-allow-headers': allowed.headers,
    'access-control-max-age': '600',
  });
  response.end();
}
