import { ok, type Result, refused } from '@crossbook/domain';
import { mayTrade } from '../../accounts/key-rights.ts';
import type { AccountNumber } from '../../exchange.ts';
import type { FaultPlan } from '../../faults.ts';
import { sameText } from '../wire/hmac.ts';
import { limitRefusal } from './call-limits.ts';
import type { Desk } from './desk.ts';
import type { Answer, Endpoint } from './endpoint.ts';
import { ERRORS, type OkxError } from './errors.ts';
import { type ParamBag, ParamReader } from './params.ts';
import { signatureFits } from './sign.ts';

/** The headers that sign a call; absent ones are empty. */
export interface SigningHeaders {
  readonly key: string;
  readonly passphrase: string;
  readonly sign: string;
  readonly timestamp: string;
  /** `expTime`: the moment after which the request must not be carried out. */
  readonly expiry: string;
}

/** One call as the REST door received it. */
export interface IncomingCall {
  readonly endpoint: Endpoint;
  readonly bags: readonly ParamBag[];
  readonly signing: SigningHeaders;
  /** Method, path with query, and body: the bytes that are signed behind the timestamp. */
  readonly payload: string;
  readonly address: string;
}

/** The answer and the fault that the call met. */
export interface Outcome {
  readonly answer: Answer;
  readonly fault: FaultPlan | undefined;
}

/** `2020-12-08T09:08:57.715Z`, milliseconds optional. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/;
const CLOCK_DIFFERENCE_MILLIS_MAX = 30_000;

interface Owner {
  readonly account: AccountNumber;
  readonly apiKey: string;
}

/** Who signed a call, or at which of the door's checks it stopped (OKX v5 guide, "API Class" of the error codes). */
function ownerOf(desk: Desk, { signing, payload }: IncomingCall): Result<Owner, OkxError> {
  const { key, passphrase, sign, timestamp } = signing;
  if (key === '') return refused(ERRORS.noKey);
  if (passphrase === '') return refused(ERRORS.noPassphrase);
  if (sign === '') return refused(ERRORS.noSign);
  if (timestamp === '') return refused(ERRORS.noTimestamp);
  const sentAt = ISO_TIME.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(sentAt)) return refused(ERRORS.badTimestamp);
  if (Math.abs(desk.now() - sentAt) > CLOCK_DIFFERENCE_MILLIS_MAX) return refused(ERRORS.timestampExpired);
  const owner = desk.venue.spot.keyOwner(key);
  if (owner === undefined) return refused(ERRORS.badKey);
  if (!sameText(owner.passphrase ?? '', passphrase)) return refused(ERRORS.badPassphrase);
  if (!signatureFits(owner.secret, timestamp + payload, sign)) return refused(ERRORS.badSign);
  return ok({ account: owner.account, apiKey: key });
}

/** Whether the deadline that a request carries has passed; one that is no time is ignored, as at OKX. */
export function hasExpired(desk: Desk, expiry: string): boolean {
  return /^[0-9]{1,15}$/.test(expiry) && Number(expiry) < desk.now();
}

/**
 * Carries out one call of the REST door. The order of the checks is the door's (key, passphrase, time, signature,
 * permission: whatever is no reading needs that to trade), the limiter's, the deadline's, then the call's own.
 */
export async function carryOut(desk: Desk, call: IncomingCall): Promise<Outcome> {
  try {
    return await carryOutUnguarded(desk, call);
  } catch (fault) {
    // A fault of ours (the disk failed, the exchange closes) leaves the outcome unknown, and says so.
    desk.onFault(fault);
    return { answer: refused(ERRORS.timeout), fault: undefined };
  }
}

async function carryOutUnguarded(desk: Desk, call: IncomingCall): Promise<Outcome> {
  const { endpoint, bags, address, signing } = call;
  const { run } = endpoint;
  const stop = (error: OkxError): Outcome => ({ answer: refused(error), fault: undefined });
  const reader = new ParamReader(bags[0] ?? new Map());
  if (run.kind === 'public') {
    const tooOften = limitRefusal(desk, { ...endpoint, who: address, bags });
    if (tooOften !== undefined) return stop(tooOften);
    return await withFault(desk, endpoint.name, () => run.answer({ desk, reader }));
  }
  const owner = ownerOf(desk, call);
  if (!owner.ok) return stop(owner.code);
  const { account, apiKey } = owner.value;
  if (endpoint.route.startsWith('POST ') && !mayTrade(desk.venue.spot, apiKey, 'contracts'))
    return stop(ERRORS.noPermission);
  const tooOften = limitRefusal(desk, { ...endpoint, who: String(account), bags });
  if (tooOften !== undefined) return stop(tooOften);
  if (endpoint.name.startsWith('order.') && hasExpired(desk, signing.expiry)) {
    return stop(ERRORS.expiryPassed);
  }
  return await withFault(desk, endpoint.name, async () => {
    const answer = await run.answer({ desk, reader, account, apiKey, bags });
    // What an account is shown must outlive a crash: a private read waits for the disk as its commands do.
    await desk.venue.spot.durable();
    return answer;
  });
}

/** Runs a call as the fault plan that it meets demands. */
export async function withFault(
  desk: Desk,
  name: string,
  run: () => Answer | Promise<Answer>,
): Promise<Outcome> {
  const fault = desk.faults.take(name);
  if (fault?.kind.endsWith('-before')) return { answer: refused(ERRORS.timeout), fault };
  const answer = await run();
  return { answer: fault?.kind === 'timeout-after' ? refused(ERRORS.timeout) : answer, fault };
}
