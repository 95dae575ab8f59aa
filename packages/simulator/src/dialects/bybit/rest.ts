import type { IncomingMessage, ServerResponse } from 'node:http';
import { refused } from '@crossbook/domain';
import { answerUnder } from '../../faults.ts';
import { allowOrigins, sendJson } from '../wire/json-answer.ts';
import { readBody, readHead } from '../wire/request.ts';
import { carryOut, type Outcome } from './dispatch.ts';
import type { Answer, Desk } from './endpoint.ts';
import { REST_ENDPOINTS } from './endpoints.ts';
import { ERRORS } from './errors.ts';
import { parseBody, parseQuery } from './params.ts';
import { limitHeaders } from './rate-limits.ts';

/** Largest JSON body; Bybit's own calls stay far below. */
const BODY_BYTES_MAX = 65_536;

/** Whether a REST path is Bybit's. */
export function ownsPath(path: string): boolean {
  return path.startsWith('/v5/');
}

const ALLOWED = {
  methods: 'GET, POST, OPTIONS',
  headers:
    'x-bapi-api-key, x-bapi-timestamp, x-bapi-sign, x-bapi-recv-window, x-bapi-sign-type, x-referer, referer, content-type',
};

/** The envelope that every answer has (guide, 2026-07-24). */
function envelopeOf(answer: Answer, time: number): object {
  return answer.ok
    ? {
        retCode: 0,
        retMsg: 'OK',
        result: answer.value.result,
        retExtInfo: answer.value.retExtInfo ?? {},
        time,
      }
    : {
        retCode: answer.code.code,
        retMsg: answer.code.message,
        result: answer.code.result ?? {},
        retExtInfo: answer.code.retExtInfo ?? {},
        time,
      };
}

function send(desk: Desk, response: ServerResponse, { answer, visit }: Outcome): void {
  const now = desk.venue.spot.now();
  const status = answer.ok ? 200 : (answer.code.status ?? 200);
  sendJson(response, status, envelopeOf(answer, now), {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    traceid: desk.randomText(32),
    timenow: String(now),
    ...(visit === undefined ? {} : limitHeaders(visit)),
  });
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
  const { method, path, rawQuery, address } = readHead(request);
  if (method === 'OPTIONS') return allowOrigins(response, ALLOWED);
  if (!desk.rates.visitAddress(address, desk.venue.spot.now())) {
    return send(desk, response, { answer: refused(ERRORS.tooManyRequests) });
  }
  const endpoint = REST_ENDPOINTS.get(`${method} ${path}`);
  if (endpoint === undefined) return send(desk, response, { answer: refused(ERRORS.noRoute) });
  const body = await readBody(request, BODY_BYTES_MAX);
  if (body === 'ABORTED') return void response.destroy();
  if (body === 'TOO_LARGE') {
    response.setHeader('connection', 'close');
    return send(desk, response, { answer: refused(ERRORS.bodyTooLarge) });
  }
  const get = method === 'GET';
  const outcome = await carryOut(desk, {
    endpoint,
    bag: get ? parseQuery(rawQuery) : parseBody(body.text),
    credentials: {
      kind: 'headers',
      apiKey: header(request, 'x-bapi-api-key'),
      timestamp: header(request, 'x-bapi-timestamp'),
      receiveWindow: header(request, 'x-bapi-recv-window'),
      signature: header(request, 'x-bapi-sign'),
      sent: get ? rawQuery : body.text,
    },
  });
  answerUnder(outcome.fault, {
    answer: () => send(desk, response, outcome),
    drop: () => request.socket.destroy(),
  });
}
