import {
  type CallInput,
  type CallName,
  type CallResponse,
  CODE_SUCCESS,
  CODE_TOKEN_INVALID,
  type VenueReason,
} from '@crossbook/contract';

/** A call is given up after this long (spec section 9). Its outcome is then unknown, not failed. */
export const CALL_TIMEOUT_MILLIS_MAX = 30_000;
/** Marks requests of the web application (spec section 7). */
const SOSFLAG = '3';

/**
 * Public reads, which a visitor's browser asks for by GET. Who is logged in asks by POST as for everything else: a token has no
 * place in an address. Neither has a contact, so captchas, which may name one, are not among them.
 */
export const READ_BY_GET: readonly CallName[] = [
  'common/country',
  'connexbasicdata/QuerySymInfo',
  'connexbasicdata/GetCurrencies',
  'connexbasicdata/GetNetWorks',
  'x/content/List',
  'x/content/Get',
];

/**
 * What a call came to. `refused` carries the server's code and message; `silent` means no usable answer
 * (another HTTP status, no network, time-out): the outcome of a call that changes something is then unknown.
 */
export type CallResult<Data> =
  | { readonly ok: true; readonly data: Data }
  | {
      readonly ok: false;
      readonly kind: 'refused';
      readonly code: number;
      readonly message: string;
      /** What an exchange said, where it was the one that refused. */
      readonly venue?: VenueReason | null;
    }
  | { readonly ok: false; readonly kind: 'silent' };

/** What the client needs from its surroundings; handed in by `stores/member/own-service.ts`. */
export interface ApiSurroundings {
  readonly fetch: typeof fetch;
  /** Base of own-service calls, without a trailing slash; empty for the own origin. */
  base(): string;
  tenant(): string;
  language(): string;
  /** The stored token; `undefined` before login. */
  token(): string | undefined;
  /** Code -2: the token is worth nothing any more. */
  onTokenInvalid(): void;
  /** A refusal to show; called for every code but 1 and -2 of what a member did. */
  onRefusal(message: string, code: number, about: string | undefined, venue: VenueReason | null): void;
}

/** Options of one call. */
export interface CallOptions {
  /**
   * No refusal of it becomes a toast: the page reads it by itself (decision 0068). With codes, none of these does: the page answers them
   * itself, by doing it again.
   */
  readonly quiet?: true | readonly number[];
  /** Id of what is asked for, where an event may tell of its refusal too: whoever shows both shows one. */
  readonly about?: string;
  readonly signal?: AbortSignal;
}

/** A typed own-service call by name. Never throws. */
export type Call = <Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  options?: CallOptions,
) => Promise<CallResult<CallResponse<Name>>>;

function fieldsOf(input: object): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined || value === null) continue;
    fields.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return fields;
}

/** The fields of a request as they travel: text; nested values as JSON; absent ones left out. */
export function formFields(input: object, token: string | undefined): URLSearchParams {
  const form = fieldsOf(input);
  if (token !== undefined) form.set('stoken', token);
  form.set('sosflag', SOSFLAG);
  return form;
}

function isEnvelope(value: unknown): value is { code: number; msg: string; data: unknown } {
  if (typeof value !== 'object' || value === null) return false;
  const { code, msg } = value as Record<string, unknown>;
  return Number.isInteger(code) && typeof msg === 'string' && 'data' in value;
}

/** What an answer came to, told to who must know: an end of the session, and a refusal of what a member did. */
export function resultOf<Data>(
  surroundings: ApiSurroundings,
  answer: unknown,
  { tokenSent, quiet, about }: CallOptions & { readonly tokenSent: string | undefined },
): CallResult<Data> {
  if (!isEnvelope(answer)) return { ok: false, kind: 'silent' };
  // The server parsed its own answer against the same contract; the browser carries types only.
  if (answer.code === CODE_SUCCESS) return { ok: true, data: answer.data as Data };
  const venue = answer.data as VenueReason | null;
  if (answer.code === CODE_TOKEN_INVALID) {
    // An answer to an older session must not end the one that began meanwhile.
    if (surroundings.token() === tokenSent) surroundings.onTokenInvalid();
  } else if (quiet !== true && quiet?.includes(answer.code) !== true)
    surroundings.onRefusal(answer.msg, answer.code, about, venue);
  return { ok: false, kind: 'refused', code: answer.code, message: answer.msg, venue };
}

/** Builds the client of the own service: form POST, GET for public reads, envelope, codes 1 and -2 (spec section 7). */
export function createApiClient(surroundings: ApiSurroundings): Call {
  async function ask(name: CallName, input: object, signal: AbortSignal | undefined): Promise<unknown> {
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MILLIS_MAX);
    const token = surroundings.token();
    const headers = { 'Tenant-Id': surroundings.tenant(), Language: surroundings.language() };
    const url = `${surroundings.base()}/api/${name}`;
    const query = fieldsOf(input).toString();
    const byGet = token === undefined && READ_BY_GET.includes(name);
    const response = await surroundings.fetch(byGet && query !== '' ? `${url}?${query}` : url, {
      ...(byGet
        ? { headers }
        : {
            method: 'POST',
            headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
            body: formFields(input, token).toString(),
          }),
      credentials: 'same-origin',
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    if (response.status !== 200 && response.status !== 201) return undefined;
    return response.json();
  }

  return async (name, input, options = {}) => {
    const tokenSent = surroundings.token();
    // A network failure, a time-out and a body that is no JSON all end the same way: without a usable answer.
    const answer = await ask(name, input as object, options.signal).catch(() => undefined);
    return resultOf(surroundings, answer, { ...options, tokenSent });
  };
}
