import type { IncomingMessage, ServerResponse } from 'node:http';
import { allowOrigins, sendJson } from '../wire/json-answer.ts';
import { readBody } from '../wire/request.ts';

/** How spot and futures read a request's body and write an answer. */

/** Largest form body; Binance's own calls stay far below. */
const BODY_BYTES_MAX = 65_536;

/** Answers with JSON, as Binance's hosts do. */
export function send(response: ServerResponse, status: number, body: unknown): void {
  sendJson(response, status, body, { 'content-type': 'application/json;charset=UTF-8' });
}

/** The body of a request; `undefined` when there is none to be had, and the client has been told. */
export async function readForm(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<string | undefined> {
  const body = await readBody(request, BODY_BYTES_MAX);
  if (body === 'ABORTED') response.destroy();
  else if (body === 'TOO_LARGE') {
    response.setHeader('connection', 'close');
    send(response, 413, { code: -1100, msg: 'Request body is too large.' });
  } else return body.text;
  return undefined;
}

/** Lets a page of another origin ask. */
export function preflight(response: ServerResponse): void {
  allowOrigins(response, {
    methods: 'GET, POST, PUT, DELETE, OPTIONS',
    headers: 'x-mbx-apikey, x-mbx-time-unit, content-type',
  });
}
