import type { IncomingMessage, ServerResponse } from 'node:http';
import { refused } from '@crossbook/domain';
import { answerUnder, type FaultPlan } from '../../../faults.ts';
import { readHead } from '../../wire/request.ts';
import { ERRORS, errorBody, illegalCharacters } from '../errors.ts';
import { preflight, readForm, send } from '../http-answer.ts';
import { ParamReader, parseParams } from '../params.ts';
import { FUTURES_CALLS, isAccountPath } from './calls.ts';
import type { FuturesAnswer, FuturesCall, FuturesDesk, PreparedCall } from './desk.ts';
import { FUTURES_ERRORS, invalidPath, tooManyCalls } from './errors.ts';

/** The answer of one call and the fault it met. */
interface Outcome {
  readonly answer: FuturesAnswer;
  readonly fault?: FaultPlan;
}

/** Whether this dialect answers for a path. */
export function ownsFuturesPath(path: string): boolean {
  return /^\/[fd]api\//.test(path);
}

/** The budget that a prepared call needs, taken; or why it is used up. */
function budgetRefusal(desk: FuturesDesk, call: PreparedCall, address: string): FuturesAnswer | undefined {
  if (call.fundingBudget !== true) return undefined;
  const now = desk.perps.now();
  const { funding, limits } = desk.rates;
  if (funding.add(address, 1, now) <= limits.fundingCallsPer5MinutesMax) return undefined;
  const wait = funding.secondsLeft(now);
  return refused(tooManyCalls(limits.fundingCallsPer5MinutesMax, '5 minutes', wait));
}

/** Carries out one call. The order of the checks is Binance's: weight, parameters, then what is asked for. */
function carryOut(desk: FuturesDesk, call: FuturesCall, rawQuery: string, address: string): Outcome {
  const now = desk.perps.now();
  const { weight, limits } = desk.rates;
  if (weight.used(address, now) >= limits.requestWeightPerMinuteMax) {
    const wait = weight.secondsLeft(now);
    return { answer: refused(tooManyCalls(limits.requestWeightPerMinuteMax, 'minute', wait)) };
  }
  const reader = new ParamReader(parseParams(rawQuery, ''));
  const prepared = call.prepare(reader, desk);
  weight.add(address, prepared.weight, now);
  if (reader.refusal !== undefined) return { answer: refused(reader.refusal) };
  const overBudget = budgetRefusal(desk, prepared, address);
  if (overBudget !== undefined) return { answer: overBudget };
  const fault = desk.faults.take(call.name);
  if (fault === undefined) return { answer: prepared.run() };
  const timedOut = fault.kind.startsWith('timeout') || fault.kind.endsWith('-before');
  return { answer: timedOut ? refused(ERRORS.timeout) : prepared.run(), fault };
}

function guarded(desk: FuturesDesk, call: FuturesCall, rawQuery: string, address: string): Outcome {
  try {
    return carryOut(desk, call, rawQuery, address);
  } catch (fault) {
    desk.onFault(fault);
    return { answer: refused(ERRORS.timeout) };
  }
}

function answerOf(
  desk: FuturesDesk,
  asked: {
    readonly method: string;
    readonly path: string;
    readonly rawQuery: string;
    readonly body: string;
    readonly address: string;
  },
): Outcome {
  const { method, path, rawQuery, body, address } = asked;
  const call = FUTURES_CALLS.get(path);
  if (call !== undefined && method === 'GET') {
    if (body !== '') return { answer: refused(illegalCharacters('body', '')) };
    return guarded(desk, call, rawQuery, address);
  }
  return { answer: refused(isAccountPath(path) ? FUTURES_ERRORS.notTraded : invalidPath(method, path)) };
}

function reply(desk: FuturesDesk, response: ServerResponse, address: string, answer: FuturesAnswer): void {
  response.setHeader('x-mbx-used-weight-1m', desk.rates.weight.used(address, desk.perps.now()));
  if (answer.ok) {
    send(response, 200, answer.value);
    return;
  }
  const refusal = answer.code;
  if (refusal.retryAfterSeconds !== undefined) response.setHeader('retry-after', refusal.retryAfterSeconds);
  send(response, refusal.status, errorBody(refusal));
}

/** The REST door of the futures: raw request in, Binance's answer out. */
export async function handleFuturesRest(
  desk: FuturesDesk,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, path, rawQuery, address } = readHead(request);
  if (method === 'OPTIONS') return preflight(response);
  const body = await readForm(request, response);
  if (body === undefined) return;
  const { answer, fault } = answerOf(desk, { method, path, rawQuery, body, address });
  answerUnder(fault, {
    answer: () => reply(desk, response, address, answer),
    drop: () => request.socket.destroy(),
  });
}
