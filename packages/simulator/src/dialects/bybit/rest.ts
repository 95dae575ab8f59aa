import type { IncomingMessage, ServerResponse } from 'node:http';
import { refused } from '@crossbook/domain';
import { carryOut, type Outcome } from './dispatch.ts';
import type { Answer, Desk } from './endpoint.ts';
import { REST_ENDPOINTS } from './endpoints.ts';
import { ERRORS } from './errors.ts';
import { parseBody, parseQuery } from './params.ts';
import type { Visit } from './rate-limits.ts';

/** Largest JSON body; Bybit's own calls stay far below. */
export const BODY_BYTES_MAX = 65_536;

/** Whether a REST path is Bybit's. */
export function ownsPath(path: string): boolean {
  return path.startsWith('/v5/');
}

/** The body as UTF-8, or why it cannot be had. */
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

function preflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers':
      'x-bapi-api-key, x-bapi-timestamp, x-bapi-sign, x-bapi-recv-window, x-bapi-sign-type, x-referer, referer, content-type',
    'access-control-max-age': '600',
  });
  response.end();
}

/** The envelope that every answer has (guide, 2026-07-24). */
export function envelopeOf(answer: Answer, time: number): object {
  return answer.ok
    ? {
        retCode: 0,
        retMsg: 'OK',
        result: answer.value.result,
        retExtInfo: answer.value.retExtInfo ?? {},
        time,
      }
    : { retCode: answer.code.code, retMsg: answer.code.message, result: {}, retExtInfo: {}, time };
}

/** Where the account stands with a call, as headers name it. */
export function limitHeaders(visit: Visit): Readonly<Record<string, string>> {
  return {
    'X-Bapi-Limit': String(visit.limit),
    'X-Bapi-Limit-Status': String(visit.left),
    'X-Bapi-Limit-Reset-Timestamp': String(visit.resetAt),
  };
}

function send(desk: Desk, response: ServerResponse, { answer, visit }: Outcome): void {
  const now = desk.venue.spot.now();
  const text = JSON.stringify(envelopeOf(answer, now));
  response.writeHead(answer.ok ? 200 : (answer.code.status ?? 200), {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'access-control-allow-origin': '*',
    'cache-control': 'no-store',
    traceid: desk.randomText(32),
    timenow: String(now),
    ...(visit === undefined ? {} : limitHeaders(visit)),
  });
  response.end(text);
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The REST door: raw request in, Bybit's answer out. */
export async function handleRest(
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const method = request.method ?? 'GET';
  const url = request.url ?? '/';
  const cut = url.indexOf('?');
  const path = cut < 0 ? url : url.slice(0, cut);
  const rawQuery = cut < 0 ? '' : url.slice(cut + 1);
  if (method === 'OPTIONS') return preflight(response);
  const address = request.socket.remoteAddress ?? 'unknown';
  if (!desk.rates.visitAddress(address, desk.venue.spot.now())) {
    return send(desk, response, { answer: refused(ERRORS.tooManyRequests) });
  }
  const endpoint = REST_ENDPOINTS.get(`${method} ${path}`);
  if (endpoint === undefined) return send(desk, response, { answer: refused(ERRORS.noRoute) });
  const body = await readBody(request);
  if (body === 'ABORTED') return void response.destroy();
  if (body === 'TOO_LARGE') {
    response.setHeader('connection', 'close');
    return send(desk, response, { answer: refused(ERRORS.bodyTooLarge) });
  }
  const get = method === 'GET';
  const outcome = await carryOut(desk, {
    endpoint,
    bag: get ? parseQuery(rawQuery) : parseBody(body),
    credentials: {
      kind: 'headers',
      apiKey: header(request, 'x-bapi-api-key'),
      timestamp: header(request, 'x-bapi-timestamp'),
      receiveWindow: header(request, 'x-bapi-recv-window'),
      signature: header(request, 'x-bapi-sign'),
      sent: get ? rawQuery : body,
    },
  });
  const { fault } = outcome;
  if (fault?.kind === 'silence-after') return;
  if (fault?.kind.startsWith('reset')) return void request.socket.destroy();
  if (fault?.kind === 'delay') {
    setTimeout(() => send(desk, response, outcome), fault.delayMillis).unref();
    return;
  }
  send(desk, response, outcome);
}
