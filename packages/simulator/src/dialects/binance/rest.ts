import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerUnder } from '../../faults.ts';
import { readHead } from '../wire/request.ts';
import { carryOut, type Outcome, weightScope } from './dispatch.ts';
import type { CallDesk, Endpoint } from './endpoint.ts';
import { type BinanceError, ERRORS, errorBody, illegalCharacters } from './errors.ts';
import { preflight, readForm, send } from './http-answer.ts';
import { type ParamBag, parseParams } from './params.ts';
import type { WeightScope } from './rate-limits.ts';
import { restPayload } from './sign.ts';
import { inTimeUnit, type TimeUnit, timeUnitOf } from './time-unit.ts';

/** The REST door of spot or of the futures. */
export interface RestDoor<Room extends CallDesk> {
  readonly desk: Room;
  /** By `METHOD /path`. */
  readonly endpoints: ReadonlyMap<string, Endpoint<Room>>;
  /** Whether a path obeys `X-MBX-TIME-UNIT`. */
  hasTimeUnit?(path: string): boolean;
  /** What a path or method is answered with that is none of the endpoints'. */
  unknown(method: string, path: string): BinanceError;
}

/** A body counts only where Binance reads one: POST, PUT, DELETE with a form. */
function readParams(method: string, rawQuery: string, body: string): ParamBag {
  const bag = parseParams(rawQuery, method === 'GET' ? '' : body);
  if (bag.refusal !== undefined || method !== 'GET' || body === '') return bag;
  return { ...bag, refusal: illegalCharacters('body', '') };
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

interface Reply {
  readonly scope: WeightScope;
  readonly unit: TimeUnit;
  readonly outcome: Outcome;
}

function reply(desk: CallDesk, response: ServerResponse, { scope, unit, outcome }: Reply): void {
  const headers = desk.rates.headers(scope, outcome.account, desk.exchange.now());
  for (const [name, value] of headers) response.setHeader(name, value);
  const { answer } = outcome;
  if (answer.ok) {
    send(response, 200, inTimeUnit(answer.value, unit));
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
  { desk, endpoints, unknown, hasTimeUnit }: RestDoor<Room>,
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
  const unit = hasTimeUnit?.(path) ? timeUnitOf(headerOf(request, 'x-mbx-time-unit')) : 'MILLISECOND';
  if (unit === undefined) return send(response, ERRORS.badTimeUnit.status, errorBody(ERRORS.badTimeUnit));
  const body = await readForm(request, response);
  if (body === undefined) return;
  const apiKey = headerOf(request, 'x-mbx-apikey');
  const outcome = await carryOut(desk, {
    endpoint,
    bag: readParams(method, rawQuery, body),
    apiKey,
    payload: restPayload(rawQuery, method === 'GET' ? '' : body),
    address,
  });
  answerUnder(outcome.fault, {
    answer: () =>
      reply(desk, response, { scope: weightScope(desk, { endpoint, apiKey, address }), unit, outcome }),
    drop: () => request.socket.destroy(),
  });
}
