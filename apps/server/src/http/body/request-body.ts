import type { IncomingMessage } from 'node:http';

/** Largest body of a call, bytes. */
export const BODY_BYTES_MAX = 65_536;
/** A larger body is read and thrown away up to here, so that its sender can read the refusal. */
const DISCARDED_BYTES_MAX = 8 * 1024 * 1024;

/** What came of reading a body. `unfinished`: the sender went away or sent far too much. */
export type BodyRead =
  | { readonly kind: 'read'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'too-large'; readonly drained: boolean };

/** The sender went away before the whole body was here: nobody is left to read an answer. */
export class SenderGone extends Error {
  override readonly name = 'SenderGone';
}

/**
 * Reads a request's body within the limit. Rejects with `SenderGone` when the sender goes away, or has before.
 * @param bytesMax 0 reads what comes and keeps nothing of it.
 */
export function readBody(request: IncomingMessage, bytesMax: number = BODY_BYTES_MAX): Promise<BodyRead> {
  // What has closed says so once: who listens later never hears of it.
  if (request.destroyed) return Promise.reject(new SenderGone());
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > DISCARDED_BYTES_MAX) return Promise.resolve({ kind: 'too-large', drained: false });
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let received = 0;
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > DISCARDED_BYTES_MAX) {
        request.pause();
        resolve({ kind: 'too-large', drained: false });
      } else if (received > bytesMax) {
        chunks = [];
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => {
      if (received > bytesMax) resolve({ kind: 'too-large', drained: true });
      else resolve({ kind: 'read', bytes: new Uint8Array(Buffer.concat(chunks)) });
    });
    request.on('error', (cause) => reject(new SenderGone('', { cause })));
    request.on('close', () => {
      if (!request.readableEnded) reject(new SenderGone());
    });
  });
}
