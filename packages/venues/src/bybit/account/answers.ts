import { type AnswerWith, MESSAGE_LENGTH_MAX, provenRefusal } from '../../trading/call-answers.ts';
import type { VenueRefusal } from '../../venue-answers.ts';
import { asArray, asCounter, asObject, asText, parseJson, type WireObject } from '../../wire/guards.ts';
import { asEnvelope } from '../wire.ts';
import { isDefinitive, type VenueError } from './errors.ts';

/** What came back from one call, whichever way it went. */
export type CallAnswer = AnswerWith<
  {
    readonly value: WireObject;
    /** What it says besides: of a batch, the code of each order. */
    readonly further: WireObject;
  },
  { readonly error: VenueError }
>;

/** Reads an HTTP answer. A body without envelope proves nothing, except behind a status that does by itself. */
export function answerOfHttp(status: number, text: string): CallAnswer {
  const envelope = asEnvelope(parseJson(text));
  const success = status >= 200 && status < 300;
  if (success && envelope === undefined) return { kind: 'lost', why: 'unreadable answer' };
  if (success && envelope?.code === 0)
    return { kind: 'result', value: envelope.result, further: envelope.further };
  // Behind another status the code 0 says nothing.
  const code = envelope?.code === 0 ? undefined : envelope?.code;
  const message = (envelope?.message ?? '').slice(0, MESSAGE_LENGTH_MAX);
  const reason = firstReason(envelope?.result);
  return { kind: 'error', error: { status, code, message, ...(reason === undefined ? {} : { reason }) } };
}

/** Some refusals say beside their code why (account/set-margin-mode). */
function firstReason(result: WireObject | undefined): VenueError['reason'] {
  const reason = asObject(asArray(result?.reasons)?.[0]);
  const code = asText(reason?.reasonCode);
  if (code === undefined || code.length > REASON_CODE_LENGTH_MAX) return undefined;
  return { code, message: (asText(reason?.reasonMsg) ?? '').slice(0, MESSAGE_LENGTH_MAX) };
}

const REASON_CODE_LENGTH_MAX = 10;

/** One answer frame of the trade socket. */
export interface SocketAnswer {
  readonly requestId: string;
  readonly answer: CallAnswer;
}

/** Reads an answer of the trade socket; `undefined` when the frame answers no request of ours. */
export function answerOfSocket(frame: WireObject): SocketAnswer | undefined {
  const requestId = asText(frame.reqId);
  if (requestId === undefined) return undefined;
  const code = frame.retCode;
  if (typeof code !== 'number' || !Number.isSafeInteger(code)) {
    return { requestId, answer: { kind: 'lost', why: 'unreadable answer' } };
  }
  if (code === 0) {
    const further = asObject(frame.retExtInfo) ?? {};
    return { requestId, answer: { kind: 'result', value: asObject(frame.data) ?? {}, further } };
  }
  const message = (asText(frame.retMsg) ?? '').slice(0, MESSAGE_LENGTH_MAX);
  return { requestId, answer: { kind: 'error', error: { status: 200, code, message } } };
}

/** What the answer to a batch says of the order at this place. */
export function answerOfItem(answer: CallAnswer & { readonly kind: 'result' }, at: number): CallAnswer {
  const value = asObject(asArray(answer.value.list)?.[at]);
  const said = asObject(asArray(answer.further.list)?.[at]);
  const code = asCounter(said?.code);
  if (code === undefined) return { kind: 'lost', why: 'unreadable answer' };
  if (code === 0) return { kind: 'result', value: value ?? {}, further: {} };
  const message = (asText(said?.msg) ?? '').slice(0, MESSAGE_LENGTH_MAX);
  return { kind: 'error', error: { status: 200, code, message } };
}

/** A refusal that proves that nothing happened, or `undefined`. */
export function refusalOf(answer: CallAnswer): VenueRefusal | undefined {
  const refusal = provenRefusal(answer, answer.kind === 'error' && isDefinitive(answer.error));
  const reason = answer.kind === 'error' ? answer.error.reason : undefined;
  if (refusal === undefined || reason === undefined) return refusal;
  return { ...refusal, venueCode: reason.code, message: reason.message };
}
