import type { IncomingMessage, ServerResponse } from 'node:http';

/** How spot and futures read a request's body and write an answer. */

/** Largest form body; Binance's own calls stay far below. */
const BODY_BYTES_MAX = 65_536;

/** The body as UTF-8, or why it cannot be had. */
export async function readBody(request: IncomingMessage): Promise<string | 'TOO_LARGE' | 'ABORTED'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > BODY_BYTES_MAX) return 'TOO_LARGE';
      chunks.push(chunk);
    }
  } catch {
    return 'ABORTED';
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Answers with JSON, as Binance's hosts do. */
export function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json;charset=UTF-8',
    'content-length': Buffer.byteLength(text),
    'access-control-allow-origin': '*',
    'cache-control': 'no-cache, no-store, must-revalidate',
  });
  response.end(text);
}

/** Lets a page of another origin ask. */
export function preflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
    'access-control-allow-headers': 'x-mbx-apikey, content-type',
    'access-control-max-age': '600',
  });
  response.end();
}
