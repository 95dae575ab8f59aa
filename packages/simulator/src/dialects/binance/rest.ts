import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerUnder } from '../../faults.ts';
import { readHead } from '../wire/request.ts';
import { carryOut, type Outcome } from './dispatch.ts';
import type { CallDesk, Endpoint } from './endpoint.ts';
import { type BinanceError, errorBody, illegalCharacters } from './errors.ts';
import { preflight, readForm, send } from './http-answer.ts';
import { type ParamBag, parseParams } from './params.ts';
import { restPayload } from './sign.ts';

/** The REST door of spot or of the futures. */
export interface RestDoor<Room extends CallDesk> {
  readonly desk: Room;
  /** By `METHOD /path`. */
  readonly endpoints: ReadonlyMap<string, Endpoint<Room>>;
  /** What a path or method is answered with that is none of the endpoints'. */
  unknown(method: string, path: string): BinanceError;
}

/** A body counts only where Binance reads one: POST, PUT, DELETE with a form. */
function readParams(method: string, rawQuery: string, body: string): ParamBag {
  const bag = parseParams(rawQuery, method === 'GET' ? '' : body);
  if (bag.refusal !== undefined || method !== 'GET' || body === '') return bag;
  return { ...bag, refusal: illegalCharacters('body', '') };
}

function reply(desk: CallDesk, response: ServerResponse, address: string, outcome: Outcome): void {
  const headers = desk.rates.headers(address, outcome.account, desk.exchange.now());
  for (const [name, value] of headers) response.setHeader(name, value);
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

/** Raw request in, Binance's answer out. */
export async function handleRest<Room extends CallDesk>(
  { desk, endpoints, unknown }: RestDoor<Room>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, path, rawQuery, address } = readHead(request);
  if (method === 'OPTIONS') return preflight(response);
  const endpoint = endpoints.get(`${method} ${path}`);
  if (endpoint === undefined) {
    const refusal = unknown(method, path);
    return send(response, refusal.status, errorBody(refusal));
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
