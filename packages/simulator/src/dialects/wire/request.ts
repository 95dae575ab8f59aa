import type { IncomingMessage } from 'node:http';

/** What every dialect reads of a request before it knows which call it is. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** What follows the first `?`, as it was sent; empty for nothing. */
  readonly rawQuery: string;
  /** The client's address, by which limits count. */
  readonly address: string;
}

/** The address by which limits count who asks. */
export function addressOf(request: IncomingMessage): string {
  return request.socket.remoteAddress ?? 'unknown';
}

/** Reads the request line. */
export function readHead(request: IncomingMessage): RequestHead {
  const { method = 'GET', url = '/' } = request;
  const cut = url.indexOf('?');
  const [path, rawQuery] = cut < 0 ? [url, ''] : [url.slice(0, cut), url.slice(cut + 1)];
  return { method, path, rawQuery, address: addressOf(request) };
}

/** The body as UTF-8, or why it cannot be had: it is longer than `bytesMax`, or the client went away. */
export async function readBody(
  request: IncomingMessage,
  bytesMax: number,
): Promise<{ readonly text: string } | 'TOO_LARGE' | 'ABORTED'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) return 'TOO_LARGE';
      chunks.push(chunk);
    }
  } catch {
    return 'ABORTED';
  }
  return { text: Buffer.concat(chunks).toString('utf8') };
}
