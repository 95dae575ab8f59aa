import { ok, type Result, refused } from '@crossbook/domain';
import type { AccountNumber } from '../../exchange.ts';
import type { Desk } from './desk.ts';
import type { OkxError } from './errors.ts';
import type { ParamBag, ParamReader } from './params.ts';

/** What a call answers: the rows of `data`, or a whole envelope where the call has one of its own, or a refusal. */
export type Answer = Result<Reply, OkxError>;

/** The good answer of a call. */
export interface Reply {
  readonly code: string;
  readonly msg: string;
  /** Rows; one call has an object. */
  readonly data: readonly unknown[] | object;
  /** Trade calls tell when they were received and answered, in microseconds. */
  readonly times?: { readonly inTime: string; readonly outTime: string };
}

/** A plain good answer. */
export function rows(data: readonly unknown[]): Answer {
  return ok({ code: '0', msg: '', data });
}

/** What a call's reader found wrong, or the rows that `make` yields. */
export function rowsUnlessRefused(reader: ParamReader, make: () => readonly unknown[]): Answer {
  return reader.refusal === undefined ? rows(make()) : refused(reader.refusal);
}

/** One call of the API by REST. */
export interface Endpoint {
  /** A name of ours; fault plans match its beginning. */
  readonly name: string;
  /** `GET /api/v5/market/books`. */
  readonly route: string;
  /** Calls allowed in two seconds: of an address, or of an account where the call is signed. */
  readonly per2SecondsMax: number;
  /** Another window than two seconds. */
  readonly windowMillis?: number;
  readonly run:
    | { readonly kind: 'public'; readonly answer: (call: PublicCall) => Answer }
    | { readonly kind: 'signed'; readonly answer: (call: SignedCall) => Answer | Promise<Answer> };
}

/** A call that anybody may make. */
export interface PublicCall {
  readonly desk: Desk;
  readonly reader: ParamReader;
}

/** A call of an account. */
export interface SignedCall extends PublicCall {
  readonly account: AccountNumber;
  /** The key that signed. */
  readonly apiKey: string;
  /** Every object of the body; batches have several. */
  readonly bags: readonly ParamBag[];
}

/** Name, route and limit of a call; `head` is `books GET /api/v5/market/books`. */
function declared(head: string, per2SecondsMax: number): Omit<Endpoint, 'run'> {
  const cut = head.indexOf(' ');
  return { name: head.slice(0, cut), route: head.slice(cut + 1), per2SecondsMax };
}

/** Declares a call that needs no key: its name with its route, and how often an address may make it in two seconds. */
export function publicEndpoint(
  head: string,
  per2SecondsMax: number,
  answer: (call: PublicCall) => Answer,
): Endpoint {
  return { ...declared(head, per2SecondsMax), run: { kind: 'public', answer } };
}

/** Declares a call that must be signed: its name with its route, and how often an account may make it in two seconds. */
export function signedEndpoint(
  head: string,
  per2SecondsMax: number,
  answer: (call: SignedCall) => Answer | Promise<Answer>,
): Endpoint {
  return { ...declared(head, per2SecondsMax), run: { kind: 'signed', answer } };
}
