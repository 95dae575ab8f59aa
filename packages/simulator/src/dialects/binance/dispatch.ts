import { refused } from '@crossbook/domain';
import type { AccountNumber } from '../../exchange.ts';
import type { FaultPlan } from '../../faults.ts';
import { hexHmacFits } from '../wire/hmac.ts';
import type { Answer, Desk, Endpoint, Prepared } from './endpoint.ts';
import { type BinanceError, ERRORS, mandatory, tooManyOrders, tooMuchWeight } from './errors.ts';
import { type ParamBag, ParamReader } from './params.ts';

/** One call as a door received it. */
export interface IncomingCall {
  readonly endpoint: Endpoint;
  readonly bag: ParamBag;
  readonly apiKey: string | undefined;
  /** The bytes the client signed. */
  readonly payload: string;
  readonly address: string;
}

/** The answer, the fault the call met, and whose call it was. */
export interface Outcome {
  readonly answer: Answer;
  readonly fault: FaultPlan | undefined;
  readonly account: AccountNumber | undefined;
}

// Binance's keys have 64 characters; the simulator's own are at least this long.
const KEY = /^[A-Za-z0-9]{16,128}$/;
const RECV_WINDOW_DEFAULT_MILLIS = 5000;
const RECV_WINDOW_MILLIS_MAX = 60_000;
const AHEAD_MILLIS_MAX = 1000;
/** Timestamps above this are microseconds (year 2286 in milliseconds). */
const MILLIS_CEILING = 1e13;

interface Signing {
  readonly timestamp: number;
  readonly recvWindow: number;
  readonly signature: string;
}

function readSigning(reader: ParamReader): Signing {
  const timestamp = reader.integer('timestamp');
  if (timestamp === undefined) reader.refuse(mandatory('timestamp'));
  const recvWindow = readRecvWindow(reader);
  const signature = reader.requiredText('signature');
  return { timestamp: timestamp ?? 0, recvWindow, signature };
}

function readRecvWindow(reader: ParamReader): number {
  const text = reader.text('recvWindow');
  if (text === undefined) return RECV_WINDOW_DEFAULT_MILLIS;
  const value = /^[0-9]{1,10}(\.[0-9]{1,3})?$/.test(text) ? Number(text) : undefined;
  if (value === undefined) reader.refuse(mandatory('recvWindow'));
  if (value !== undefined && value > RECV_WINDOW_MILLIS_MAX) reader.refuse(ERRORS.recvWindowTooLarge);
  return value ?? RECV_WINDOW_DEFAULT_MILLIS;
}

/** `timestamp < server + 1000 && server - timestamp <= recvWindow`. */
function timingRefusal(signing: Signing, now: number): BinanceError | undefined {
  const { timestamp, recvWindow } = signing;
  const sentAt = timestamp > MILLIS_CEILING ? timestamp / 1000 : timestamp;
  if (sentAt >= now + AHEAD_MILLIS_MAX) return ERRORS.early;
  return now - sentAt <= recvWindow ? undefined : ERRORS.late;
}

/** The counters a call is held against before anything else. */
function weightRefusal(desk: Desk, address: string): BinanceError | undefined {
  const now = desk.exchange.now();
  const { rates } = desk;
  desk.rates.raw.add(address, 1, now);
  if (rates.raw.used(address, now) > rates.limits.rawRequestsPer5MinutesMax) {
    return tooMuchWeight(rates.limits.rawRequestsPer5MinutesMax, rates.raw.secondsLeft(now));
  }
  if (rates.weight.used(address, now) < rates.limits.requestWeightPerMinuteMax) return undefined;
  return tooMuchWeight(rates.limits.requestWeightPerMinuteMax, rates.weight.secondsLeft(now));
}

function orderRefusal(desk: Desk, account: string): BinanceError | undefined {
  const now = desk.exchange.now();
  const { rates } = desk;
  const { ordersPer10SecondsMax, ordersPerDayMax } = rates.limits;
  if (rates.orders10s.used(account, now) >= ordersPer10SecondsMax) {
    return tooManyOrders(ordersPer10SecondsMax, '10 SECOND', rates.orders10s.secondsLeft(now));
  }
  if (rates.orders1d.used(account, now) >= ordersPerDayMax) {
    return tooManyOrders(ordersPerDayMax, '1 DAY', rates.orders1d.secondsLeft(now));
  }
  return undefined;
}

/**
 * Carries out one call; both doors end here, so both refuse alike. The order of the checks is Binance's:
 * weight, key format, parameters, time, key, signature, order count, then the exchange's own rules.
 */
export async function carryOut(desk: Desk, call: IncomingCall): Promise<Outcome> {
  try {
    return await carryOutUnguarded(desk, call);
  } catch (fault) {
    // A fault of ours (the disk failed, the exchange closes) leaves the outcome unknown, and says so.
    desk.onFault(fault);
    return { answer: refused(ERRORS.timeout), fault: undefined, account: undefined };
  }
}

async function carryOutUnguarded(desk: Desk, call: IncomingCall): Promise<Outcome> {
  const { endpoint, address } = call;
  const stop = (error: BinanceError, account?: AccountNumber): Outcome => ({
    answer: refused(error),
    fault: undefined,
    account,
  });
  const overweight = weightRefusal(desk, address);
  if (overweight !== undefined) return stop(overweight);
  if (endpoint.security !== 'NONE' && !KEY.test(call.apiKey ?? '')) return stop(ERRORS.badKeyFormat);

  const reader = new ParamReader(call.bag);
  const signing = endpoint.security === 'SIGNED' ? readSigning(reader) : undefined;
  const prepared = endpoint.prepare(reader, desk);
  reader.finish(endpoint.params);
  desk.rates.weight.add(address, prepared.weight, desk.exchange.now());
  if (reader.refusal !== undefined) return stop(reader.refusal);

  const late = signing === undefined ? undefined : timingRefusal(signing, desk.exchange.now());
  if (late !== undefined) return stop(late);
  const owner = endpoint.security === 'NONE' ? undefined : desk.exchange.keyOwner(call.apiKey ?? '');
  if (endpoint.security !== 'NONE' && owner === undefined) return stop(ERRORS.rejectedKey);
  if (signing !== undefined && !hexHmacFits(owner?.secret ?? '', call.payload, signing.signature)) {
    return stop(ERRORS.badSignature);
  }
  const account = owner?.account;
  if (endpoint.countsOrder) {
    const tooMany = orderRefusal(desk, String(account));
    if (tooMany !== undefined) return stop(tooMany, account);
  }
  return await run(desk, call, prepared, account);
}

async function run(
  desk: Desk,
  call: IncomingCall,
  prepared: Prepared,
  account: AccountNumber | undefined,
): Promise<Outcome> {
  const { endpoint, address } = call;
  const fault = desk.faults.take(endpoint.name);
  if (fault?.kind.endsWith('-before')) return { answer: refused(ERRORS.timeout), fault, account };
  const answer = await prepared.run({ account, apiKey: call.apiKey, address });
  // What an account is shown must outlive a crash: a private read waits for the disk as its commands do.
  if (account !== undefined) await desk.exchange.durable();
  const now = desk.exchange.now();
  if (answer.ok && endpoint.countsOrder) {
    desk.rates.orders10s.add(String(account), 1, now);
    desk.rates.orders1d.add(String(account), 1, now);
  }
  if (answer.ok && endpoint.freeWhenOk) desk.rates.weight.add(address, -prepared.weight, now);
  if (fault?.kind === 'timeout-after') return { answer: refused(ERRORS.timeout), fault, account };
  return { answer, fault, account };
}
