import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerUnder } from '../../faults.ts';
import { readHead } from '../wire/request.ts';
import { carryOut, type Outcome } from './dispatch.ts';
import type { Desk, Endpoint } from './endpoint.ts';
import { REST_ENDPOINTS } from './endpoints.ts';
import { errorBody, illegalCharacters } from './errors.ts';
import { preflight, readForm, send } from './http-answer.ts';
import { type ParamBag, parseParams } from './params.ts';
import { restPayload } from './sign.ts';

const PATHS: ReadonlySet<string> = new Set(
  [...REST_ENDPOINTS.keys()].map((route) => route.slice(route.indexOf(' ') + 1)),
);

/** Whether this dialect answers for a path. */
export function ownsPath(path: string): boolean {
  return /^\/(api|sapi)\//.test(path);
}

function findEndpoint(method: string, path: string): Endpoint | undefined {
  return REST_ENDPOINTS.get(`${method} ${path}`);
}

/** A body counts only where Binance reads one: POST, PUT, DELETE with a form. */
function readParams(method: string, rawQuery: string, body: string): ParamBag {
  const bag = parseParams(rawQuery, method === 'GET' ? '' : body);
  if (bag.refusal !== undefined || method !== 'GET' || body === '') return bag;
  return { ...bag, refusal: illegalCharacters('body', '') };
}

function limitHeaders(desk: Desk, response: ServerResponse, address: string, outcome: Outcome): void {
  const now = desk.exchange.now();
  const weight = desk.rates.weight.used(address, now);
  response.setHeader('x-mbx-used-weight', weight);
  response.setHeader('x-mbx-used-weight-1m', weight);
  if (outcome.account === undefined) return;
  const account = String(outcome.account);
  response.setHeader('x-mbx-order-count-10s', desk.rates.orders10s.used(account, now));
  response.setHeader('x-mbx-order-count-1d', desk.rates.orders1d.used(account, now));
}

function reply(desk: Desk, response: ServerResponse, address: string, outcome: Outcome): void {
  limitHeaders(desk, response, address, outcome);
  const { answer } = outcome;
  if (answer.ok) {
    send(response, 200, answer.value);
    return;
  }
  const refusal = answer.code;
  if (refusal.retryAfterSeconds !== undefined) {
    response.setHeader('retry-after', refusal.retryAfterSeconds);
  }
  send(response, refusal.status, errorBody(refusal));
}

/** The REST door: raw request in, Binance's answer out. */
export async function handleRest(
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, path, rawQuery, address } = readHead(request);
  if (method === 'OPTIONS') return preflight(response);
  const endpoint = findEndpoint(method, path);
  if (endpoint === undefined) {
    const known = PATHS.has(path);
    return send(response, known ? 405 : 404, {
      code: -1020,
      msg: known ? `Request method '${method.slice(0, 16)}' is not supported.` : 'Path not found.',
    });
  }
  const body = await readForm(request, response);
  if (body === undefined) return;
  const key = request.headers['x-mbx-apikey'];
  const outcome = await carryOut(desk, {
    endpoint,
    bag: readParams(method, rawQuery, body),
    apiKey: typeof key === 'string' ? key : undefined,
    payload: restPayload(rawQuery, method === 'GET' ? '' : body),
    address,
  });
  answerUnder(outcome.fault, {
    answer: () => reply(desk, response, address, outcome),
    drop: () => request.socket.destroy(),
  });
}
