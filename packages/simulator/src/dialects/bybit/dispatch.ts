import { refused } from '@crossbook/domain';
import { mayTrade } from '../../accounts/key-rights.ts';
import type { AccountNumber, KeyRights } from '../../exchange.ts';
import type { FaultPlan } from '../../faults.ts';
import { hexHmacFits } from '../wire/hmac.ts';
import { type Answer, countedAs, type Desk, type Endpoint, type Run } from './endpoint.ts';
import { type BybitError, ERRORS, invalid, outsideWindow } from './errors.ts';
import { type ParamBag, ParamReader } from './params.ts';
import type { Visit } from './rate-limits.ts';
import { restPayload } from './sign.ts';

/** Who asks, and how that was proved. */
export type Credentials =
  | {
      readonly kind: 'headers';
      readonly apiKey: string | undefined;
      readonly timestamp: string | undefined;
      readonly receiveWindow: string | undefined;
      readonly signature: string | undefined;
      /** The query or the body as the bytes were sent. */
      readonly sent: string;
    }
  /** A trade socket that has logged on: its requests carry only their time. */
  | {
      readonly kind: 'session';
      readonly apiKey: string;
      readonly account: AccountNumber;
      readonly timestamp: string | undefined;
      readonly receiveWindow: string | undefined;
    };

/** One call as a door received it. */
export interface IncomingCall {
  readonly endpoint: Endpoint;
  readonly bag: ParamBag;
  readonly credentials: Credentials;
}

/** The answer, the fault the call met, and where the account stands with this call. */
export interface Outcome {
  readonly answer: Answer;
  readonly fault?: FaultPlan;
  readonly visit?: Visit;
}

const RECEIVE_WINDOW_DEFAULT_MILLIS = 5000;
const AHEAD_MILLIS_MAX = 1000;
const DIGITS = /^[0-9]{1,16}$/;

/** Carries out one call; both doors end here, so both refuse alike. It never throws. */
export async function carryOut(desk: Desk, call: IncomingCall): Promise<Outcome> {
  try {
    return await carryOutUnguarded(desk, call);
  } catch (fault) {
    // A fault of ours (the disk failed, the exchange closes) leaves the outcome unknown, and says so.
    desk.onFault(fault);
    return { answer: refused(ERRORS.internal) };
  }
}

/** The order of the checks is Bybit's: key, time, signature, permission, rate, parameters, then the exchange's own rules. */
async function carryOutUnguarded(desk: Desk, call: IncomingCall): Promise<Outcome> {
  const { endpoint, credentials, bag } = call;
  if (!endpoint.signed) return await run(desk, call, prepare(desk, call), undefined);
  const now = desk.venue.spot.now();
  const owner = ownerOf(desk, credentials);
  if (owner === undefined) return { answer: refused(ERRORS.badKey) };
  const refusal = timingRefusal(credentials, now) ?? signatureRefusal(owner.secret, credentials);
  if (refusal !== undefined) return { answer: refused(refusal) };
  const traded = tradedBy(call);
  if (traded !== undefined && !mayTrade(desk.venue.spot, credentials.apiKey, traded))
    return { answer: refused(ERRORS.noPermission) };
  const category = bag.values.get('category') === 'linear' ? 'linear' : 'spot';
  const counted = countedAs(endpoint, category);
  const visit = desk.rates.visit(String(owner.account), counted, now);
  if (!visit.allowed) return { answer: refused(ERRORS.tooManyVisits), visit };
  const outcome = await run(desk, call, prepare(desk, call), owner.account);
  // A batch has used more than the one.
  return { ...outcome, visit: desk.rates.standing(String(owner.account), counted, now) };
}

/** For what a key needs its owner's permission: orders, and what is set about positions. */
function tradedBy({ endpoint, bag }: IncomingCall): keyof KeyRights | undefined {
  if (endpoint.route.startsWith('POST /v5/position/')) return 'contracts';
  if (!endpoint.route.startsWith('POST /v5/order/')) return undefined;
  return bag.values.get('category') === 'spot' ? 'pairs' : 'contracts';
}

function prepare(desk: Desk, { endpoint, bag }: IncomingCall): Run {
  const reader = new ParamReader(bag);
  const prepared = endpoint.prepare(reader, desk);
  const { refusal } = reader;
  return refusal === undefined ? prepared : () => refused(refusal);
}

function ownerOf(
  desk: Desk,
  credentials: Credentials,
): { readonly account: AccountNumber; readonly secret: string } | undefined {
  if (credentials.kind === 'session') return { account: credentials.account, secret: '' };
  return credentials.apiKey === undefined ? undefined : desk.venue.spot.keyOwner(credentials.apiKey);
}

/** `server - window <= timestamp < server + 1000` (guide, "Authentication"). */
function timingRefusal(credentials: Credentials, now: number): BybitError | undefined {
  const { timestamp = '', receiveWindow } = credentials;
  if (receiveWindow !== undefined && !DIGITS.test(receiveWindow)) return invalid('recv_window');
  const window = receiveWindow === undefined ? RECEIVE_WINDOW_DEFAULT_MILLIS : Number(receiveWindow);
  const sentAt = DIGITS.test(timestamp) ? Number(timestamp) : Number.NaN;
  return now - window <= sentAt && sentAt < now + AHEAD_MILLIS_MAX
    ? undefined
    : outsideWindow(timestamp.slice(0, 20), now, window);
}

function signatureRefusal(secret: string, credentials: Credentials): BybitError | undefined {
  if (credentials.kind === 'session') return undefined;
  const { timestamp = '', apiKey = '', receiveWindow = '', sent, signature = '' } = credentials;
  const payload = restPayload({ timestamp, apiKey, receiveWindow, sent });
  return hexHmacFits(secret, payload, signature) ? undefined : ERRORS.badSignature;
}

async function run(
  desk: Desk,
  call: IncomingCall,
  prepared: Run,
  account: AccountNumber | undefined,
): Promise<Outcome> {
  const fault = desk.faults.take(call.endpoint.name);
  if (fault?.kind.endsWith('-before')) return { answer: refused(ERRORS.timeout), fault };
  const answer = await prepared({ account, apiKey: call.credentials.apiKey });
  // What an account is shown must outlive a crash: a private read waits for the disk as its commands do.
  if (account !== undefined) await desk.venue.spot.durable();
  if (fault === undefined) return { answer };
  return fault.kind === 'timeout-after' ? { answer: refused(ERRORS.timeout), fault } : { answer, fault };
}
