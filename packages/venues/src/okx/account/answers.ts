import { type AnswerWith, MESSAGE_LENGTH_MAX, provenRefusal } from '../../trading/call-answers.ts';
import type { VenueRefusal } from '../../venue-answers.ts';
import { asArray, asObject, asText, parseJson, type WireObject } from '../../wire/guards.ts';
import { isDefinitive, type VenueError } from './errors.ts';

/** What came back from one call, whichever way it went. */
export type CallAnswer = AnswerWith<
  { readonly rows: readonly unknown[] },
  {
    readonly error: VenueError;
    /** The code is that of the only item of the answer, which says nothing of others that the call named. */
    readonly ofItem?: true;
  }
>;

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

/** Codes above several items of which all, or some, were refused. */
const ITEMS_REFUSED: ReadonlySet<string> = new Set(['1', '2']);

/**
 * `{code, msg, data: [{…, sCode, sMsg}]}`. The code of an only item is the nearest to the truth: 1 and 2 above it say only that
 * not everything succeeded, and 0 may stand above a refused item. Several are read one by one ({@link answerOfItem}).
 */
function answerOfEnvelope(body: WireObject, status: number): CallAnswer {
  const code = codeIn(body) ?? '';
  const rows = asArray(body.data);
  if (rows !== undefined && rows.length > 1 && status < 300 && ITEMS_REFUSED.has(code))
    return { kind: 'result', rows };
  const item = rows?.length === 1 ? asObject(rows[0]) : undefined;
  const itemCode = asText(item?.sCode);
  if (itemCode !== undefined && itemCode !== '0')
    return { ...errorOf(status, itemCode, item?.sMsg), ofItem: true };
  // Behind another status, and beside a code that contradicts it, a code 0 says nothing.
  if (code === '0' && (status < 200 || status >= 300)) return errorOf(status, undefined, '');
  if (code !== '0') return errorOf(status, code, body.msg);
  return rows === undefined ? { kind: 'lost', why: 'unreadable answer' } : { kind: 'result', rows };
}

/** What a good answer to several items says of one of them. */
export function answerOfItem(row: WireObject): CallAnswer {
  const code = asText(row.sCode);
  if (code === undefined) return { kind: 'lost', why: 'unreadable answer' };
  return code === '0' ? { kind: 'result', rows: [row] } : errorOf(200, code, row.sMsg);
}

function errorOf(status: number, code: string | undefined, message: unknown): CallAnswer & { kind: 'error' } {
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
  return provenRefusal(answer, answer.kind === 'error' && isDefinitive(answer.error));
}

/** A refusal of every order that a call named, or `undefined`: where it is that of an only item it says nothing of the others. */
export function refusalOfAll(answer: CallAnswer): VenueRefusal | undefined {
  return answer.kind === 'error' && answer.ofItem === true ? undefined : refusalOf(answer);
}

/** Whether an answer is this refusal, and not from a failing server. */
export function isRefusal(answer: CallAnswer, codes: ReadonlySet<string>): boolean {
  if (answer.kind !== 'error' || answer.error.status >= 500) return false;
  return answer.error.code !== undefined && codes.has(answer.error.code);
}
