import { refusalOfUnsent, type Unsent, waitOf } from '../../trading/unsent.ts';
import type { VenueRead, VenueRefusal } from '../../venue-answers.ts';
import { asArray, asObject, asText, parseJson, type WireObject } from '../../wire/guards.ts';
import { isDefinitive, type VenueError } from './errors.ts';

/**
 * What came back from one call, whichever way it went. `unsent`: certainly never written to the wire. `lost`: written,
 * but nothing that can be read came back; the venue may have carried it out.
 */
export type CallAnswer =
  | { readonly kind: 'result'; readonly rows: readonly unknown[] }
  | { readonly kind: 'error'; readonly error: VenueError }
  | { readonly kind: 'lost'; readonly why: string }
  | Unsent;

/** Venue texts are shown to members and logged: bounded. */
const MESSAGE_LENGTH_MAX = 200;

/** Reads an HTTP answer. A body without a code proves nothing, except behind a status that does by itself. */
export function answerOfHttp(status: number, text: string): CallAnswer {
  const body = asObject(parseJson(text));
  const success = status >= 200 && status < 300;
  if (body !== undefined && codeIn(body) !== undefined) return answerOfEnvelope(body, status);
  if (success) return { kind: 'lost', why: 'unreadable answer' };
  return { kind: 'error', error: { status, code: undefined, message: '' } };
}

/** One answer frame of the private socket. */
export interface SocketAnswer {
  readonly id: string;
  readonly answer: CallAnswer;
}

/** Reads an answer to an operation or its refusal; `undefined` when the frame answers no request of ours. */
export function answerOfSocket(frame: WireObject): SocketAnswer | undefined {
  const id = asText(frame.id);
  if (id === undefined) return undefined;
  if (codeIn(frame) === undefined) return { id, answer: { kind: 'lost', why: 'unreadable answer' } };
  return { id, answer: answerOfEnvelope(frame, 200) };
}

/**
 * `{code, msg, data: [{…, sCode, sMsg}]}`. Only a request of one item is ever sent, so that the item's own code is the
 * nearest to the truth: 1 and 2 above it say only that not everything succeeded, and 0 may stand above a refused item.
 */
function answerOfEnvelope(body: WireObject, status: number): CallAnswer {
  const code = codeIn(body) ?? '';
  const rows = asArray(body.data);
  const item = rows?.length === 1 ? asObject(rows[0]) : undefined;
  const itemCode = asText(item?.sCode);
  if (itemCode !== undefined && itemCode !== '0') return errorOf(status, itemCode, item?.sMsg);
  // Behind another status, and beside a code that contradicts it, a code 0 says nothing.
  if (code === '0' && (status < 200 || status >= 300)) return errorOf(status, undefined, '');
  if (code !== '0') return errorOf(status, code, body.msg);
  return rows === undefined ? { kind: 'lost', why: 'unreadable answer' } : { kind: 'result', rows };
}

function errorOf(status: number, code: string | undefined, message: unknown): CallAnswer {
  const text = (asText(message) ?? '').slice(0, MESSAGE_LENGTH_MAX);
  return { kind: 'error', error: { status, code: code?.slice(0, 10), message: text } };
}

function codeIn(body: WireObject): string | undefined {
  const { code } = body;
  return typeof code === 'string' && /^[0-9]{1,6}$/.test(code) ? code : undefined;
}

/** The only row of a good answer; `undefined` when there is none or more than one. */
export function onlyRow(rows: readonly unknown[]): WireObject | undefined {
  return rows.length === 1 ? asObject(rows[0]) : undefined;
}

/** A refusal that proves that nothing happened, or `undefined`. */
export function refusalOf(answer: CallAnswer): VenueRefusal | undefined {
  if (answer.kind === 'unsent') return refusalOfUnsent(answer);
  if (answer.kind !== 'error' || !isDefinitive(answer.error)) return undefined;
  return { outcome: 'refused', venueCode: codeOf(answer.error), message: answer.error.message };
}

/** Why an outcome is unknown, in a few words that contain no secret. */
export function reasonOf(answer: CallAnswer): string {
  if (answer.kind === 'lost') return answer.why;
  if (answer.kind === 'error') return `venue answered ${codeOf(answer.error)}`;
  return answer.kind === 'unsent' ? answer.code : 'unreadable answer';
}

/** What a read came to that gave nothing. */
export function failedRead(answer: CallAnswer): VenueRead<never> {
  const silent = answer.kind === 'lost' || (answer.kind === 'error' && answer.error.status >= 500);
  return { ok: false, code: silent ? 'network' : 'refused', ...waitOf(answer) };
}

/** Whether an answer is this refusal, and not from a failing server. */
export function isRefusal(answer: CallAnswer, codes: ReadonlySet<string>): boolean {
  if (answer.kind !== 'error' || answer.error.status >= 500) return false;
  return answer.error.code !== undefined && codes.has(answer.error.code);
}

function codeOf(error: VenueError): string {
  return error.code ?? `HTTP ${error.status}`;
}
