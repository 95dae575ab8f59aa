import type { IncomingMessage, ServerResponse } from 'node:http';
import { ok, type Result, refused } from '@crossbook/domain';
import type { Desk } from './desk.ts';
import { carryOut } from './dispatch.ts';
import type { Answer } from './endpoint.ts';
import { REST_ENDPOINTS } from './endpoints.ts';
import { ERRORS, errorBody, type OkxError } from './errors.ts';
import { type ParamBag, parseBody, parseQuery } from './params.ts';

/** Largest body; a batch of twenty orders stays far below. */
const BODY_BYTES_MAX = 262_144;

const PATHS: ReadonlySet<string> = new Set(
  [...REST_ENDPOINTS.keys()].map((route) => route.slice(route.indexOf(' ') + 1)),
);

async function readBody(request: IncomingMessage): Promise<string | 'TOO_LARGE' | 'ABORTED'> {
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

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'access-control-allow-origin': '*',
    'cache-control': 'no-cache, no-store, must-revalidate',
  });
  response.end(text);
}

function preflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers':
      'content-type, ok-access-key, ok-access-sign, ok-access-timestamp, ok-access-passphrase, exptime',
    'access-control-max-age': '600',
  });
  response.end();
}

function sendAnswer(response: ServerResponse, answer: Answer): void {
  if (answer.ok) {
    const { code, msg, data, times } = answer.value;
    send(response, 200, { code, data, ...times, msg });
  } else send(response, answer.code.status, errorBody(answer.code));
}

function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

/** The parameters of a call: a GET's query, a POST's JSON. */
function bagsOf(
  request: IncomingMessage,
  rawQuery: string,
  body: string,
): Result<readonly ParamBag[], OkxError> {
  if (request.method === 'GET') {
    const query = parseQuery(rawQuery);
    return query.ok ? ok([query.value]) : query;
  }
  if (body !== '' && !/\bjson\b/i.test(headerOf(request, 'content-type'))) {
    return refused(ERRORS.badContentType);
  }
  return parseBody(body);
}

/** The REST door: raw request in, OKX's answer out. */
export async function handleRest(
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const method = request.method ?? 'GET';
  const url = request.url ?? '/';
  const cut = url.indexOf('?');
  const path = cut < 0 ? url : url.slice(0, cut);
  if (method === 'OPTIONS') return preflight(response);
  const endpoint = REST_ENDPOINTS.get(`${method} ${path}`);
  if (endpoint === undefined) {
    return sendAnswer(response, refused(PATHS.has(path) ? ERRORS.badMethod : ERRORS.notFound));
  }
  const body = await readBody(request);
  if (body === 'ABORTED') return void response.destroy();
  if (body === 'TOO_LARGE') {
    response.setHeader('connection', 'close');
    return send(response, 413, { code: '50025', data: [], msg: 'Request body is too large.' });
  }
  const bags = bagsOf(request, cut < 0 ? '' : url.slice(cut + 1), body);
  if (!bags.ok) return sendAnswer(response, bags);
  const { answer, fault } = await carryOut(desk, {
    endpoint,
    bags: bags.value,
    signing: {
      key: headerOf(request, 'ok-access-key'),
      passphrase: headerOf(request, 'ok-access-passphrase'),
      sign: headerOf(request, 'ok-access-sign'),
      timestamp: headerOf(request, 'ok-access-timestamp'),
      expiry: headerOf(request, 'exptime'),
    },
    payload: `${method}${url}${method === 'GET' ? '' : body}`,
    address: request.socket.remoteAddress ?? 'unknown',
  });
  if (fault?.kind === 'silence-after') return;
  if (fault?.kind.startsWith('reset')) return void request.socket.destroy();
  if (fault?.kind === 'delay') {
    setTimeout(() => sendAnswer(response, answer), fault.delayMillis).unref();
    return;
  }
  sendAnswer(response, answer);
}
