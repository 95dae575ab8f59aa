import type { IncomingMessage, ServerResponse } from 'node:http';
import { ok, type Result, refused } from '@crossbook/domain';
import { answerUnder } from '../../faults.ts';
import { allowOrigins, sendJson } from '../wire/json-answer.ts';
import { readBody, readHead } from '../wire/request.ts';
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

const ALLOWED = {
  methods: 'GET, POST, OPTIONS',
  headers: 'content-type, ok-access-key, ok-access-sign, ok-access-timestamp, ok-access-passphrase, exptime',
};

function sendAnswer(response: ServerResponse, answer: Answer): void {
  if (answer.ok) {
    const { code, msg, data, times } = answer.value;
    sendJson(response, 200, { code, data, ...times, msg });
  } else sendJson(response, answer.code.status, errorBody(answer.code));
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
  const { method, path, rawQuery, address } = readHead(request);
  if (method === 'OPTIONS') return allowOrigins(response, ALLOWED);
  const endpoint = REST_ENDPOINTS.get(`${method} ${path}`);
  if (endpoint === undefined) {
    return sendAnswer(response, refused(PATHS.has(path) ? ERRORS.badMethod : ERRORS.notFound));
  }
  const body = await readBody(request, BODY_BYTES_MAX);
  if (body === 'ABORTED') return void response.destroy();
  if (body === 'TOO_LARGE') {
    response.setHeader('connection', 'close');
    return sendJson(response, 413, { code: '50025', data: [], msg: 'Request body is too large.' });
  }
  const bags = bagsOf(request, rawQuery, body.text);
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
    payload: `${method}${request.url ?? '/'}${method === 'GET' ? '' : body.text}`,
    address,
  });
  answerUnder(fault, { answer: () => sendAnswer(response, answer), drop: () => request.socket.destroy() });
}
