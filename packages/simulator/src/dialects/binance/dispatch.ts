import { refused } from '@crossbook/domain';
import { mayTrade } from '../../accounts/key-rights.ts';
import type { AccountNumber, KeyRights } from '../../exchange.ts';
import type { FaultPlan } from '../../faults.ts';
import { hexHmacFits } from '../wire/hmac.ts';
import { type Answer, type CallDesk, type Endpoint, FUTURES_PREFIX, type Prepared } from './endpoint.ts';
import { type BinanceError, ERRORS, mandatory } from './errors.ts';
import { MILLIS_CEILING, type ParamBag, ParamReader } from './params.ts';
import type { WeightScope } from './rate-limits.ts';

/** One call as a door received it. */
export interface IncomingCall<Room extends CallDesk> {
  readonly endpoint: Endpoint<Room>;
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

/** In whose minute a call is counted. A key that nobody has is counted by its address. */
export function weightScope<Room extends CallDesk>(
  desk: Room,
  { endpoint, apiKey, address }: Pick<IncomingCall<Room>, 'endpoint' | 'apiKey' | 'address'>,
): WeightScope {
  const { name: call, walletLimit } = endpoint;
  if (walletLimit === undefined) return { address };
  const account = walletLimit === 'UID' ? desk.exchange.keyOwner(apiKey ?? '')?.account : undefined;
  if (account === undefined) return { address, wallet: { call, by: 'IP', whose: address } };
  return { address, wallet: { call, by: 'UID', whose: String(account) } };
}

/**
 * Carries out one call; both doors end here, so both refuse alike. The order of the checks is Binance's:
 * weight, key format, parameters, time, key, signature, permission, order count, then the exchange's own rules.
 */
export async function carryOut<Room extends CallDesk>(
  desk: Room,
  call: IncomingCall<Room>,
): Promise<Outcome> {
  try {
    return await carryOutUnguarded(desk, call);
  } catch (fault) {
    // A fault of ours (the disk failed, the exchange closes) leaves the outcome unknown, and says so.
    desk.onFault(fault);
    return { answer: refused(ERRORS.timeout), fault: undefined, account: undefined };
  }
}

async function carryOutUnguarded<Room extends CallDesk>(
  desk: Room,
  call: IncomingCall<Room>,
): Promise<Outcome> {
  const { endpoint } = call;
  const scope = weightScope(desk, call);
  const stop = (error: BinanceError, account?: AccountNumber): Outcome => ({
    answer: refused(error),
    fault: undefined,
    account,
  });
  const overweight = desk.rates.admit(scope, desk.exchange.now());
  if (overweight !== undefined) return stop(overweight);
  if (endpoint.security !== 'NONE' && !KEY.test(call.apiKey ?? '')) return stop(ERRORS.badKeyFormat);

  const reader = new ParamReader(call.bag);
  const signing = endpoint.security === 'SIGNED' ? readSigning(reader) : undefined;
  const prepared = endpoint.prepare(reader, desk);
  if (endpoint.params !== 'ANY') reader.finish(endpoint.params);
  desk.rates.weigh(scope, prepared.weight, desk.exchange.now());
  if (reader.refusal !== undefined) return stop(reader.refusal);

  const late = signing === undefined ? undefined : timingRefusal(signing, desk.exchange.now());
  if (late !== undefined) return stop(late);
  const owner = endpoint.security === 'NONE' ? undefined : desk.exchange.keyOwner(call.apiKey ?? '');
  if (endpoint.security !== 'NONE' && owner === undefined) return stop(ERRORS.rejectedKey);
  if (signing !== undefined && !hexHmacFits(owner?.secret ?? '', call.payload, signing.signature)) {
    return stop(ERRORS.badSignature);
  }
  const traded = tradedBy(endpoint);
  if (traded !== undefined && !mayTrade(desk.exchange, call.apiKey, traded)) return stop(ERRORS.rejectedKey);
  const account = owner?.account;
  if (endpoint.countsOrder && account !== undefined) {
    const tooMany = desk.rates.orderRefusal(account, desk.exchange.now());
    if (tooMany !== undefined) return stop(tooMany, account);
  }
  return await run(desk, call, prepared, account);
}

/** For what a key needs permission: orders on pairs, and whatever is asked of the futures in its owner's name. */
function tradedBy<Room extends CallDesk>(endpoint: Endpoint<Room>): keyof KeyRights | undefined {
  if (endpoint.name.startsWith(FUTURES_PREFIX)) return endpoint.security === 'NONE' ? undefined : 'contracts';
  return endpoint.freeWhenOk ? 'pairs' : undefined;
}

async function run<Room extends CallDesk>(
  desk: Room,
  call: IncomingCall<Room>,
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
  if (answer.ok && endpoint.countsOrder && account !== undefined) {
    desk.rates.countOrders(account, now, prepared.orders ?? 1);
  }
  if (answer.ok && endpoint.freeWhenOk) desk.rates.weigh({ address }, -prepared.weight, now);
  if (fault?.kind === 'timeout-after') return { answer: refused(ERRORS.timeout), fault, account };
  return { answer, fault, account };
}
