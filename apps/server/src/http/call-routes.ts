import type { IncomingHttpHeaders } from 'node:http';
import {
  CALLS,
  type CallAnswer,
  type Caller,
  type CallHandlers,
  type CallName,
  type MemberCaller,
  type Refusal,
} from '@crossbook/contract';
import { CALL_SCHEMAS } from '@crossbook/contract/schema';
import type { Millis, UserId } from '@crossbook/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../accounts/budgets.ts';
import type { SessionRecord } from '../accounts/ports.ts';
import { cookieHash, type Sessions } from '../accounts/sessions/sessions.ts';
import { type Admission, isLong, type Shares, workOf } from './admission.ts';
import { type CallOutcome, envelopeOf } from './answers.ts';
import { isMultipart, parseForm, parseUpload, parseUrlencoded, type UploadForm } from './body/form.ts';
import { BODY_BYTES_MAX, readBody, SenderGone } from './body/request-body.ts';
import { type UploadPlace, uploadPlaces } from './body/upload-places.ts';
import { readCookie, writeDeviceCookie, writeSessionCookie } from './cookies.ts';
import { fieldProblem } from './field-problem.ts';
import type { HttpMetrics } from './metrics.ts';
import { addressOf, isOwnPage, type PublicFace, type Target, targetOf } from './own-origin.ts';
import type { RequestClass, RequestLimits } from './request-limits.ts';
import type { SecurityLog } from './security-log.ts';

/** Where failures and slow calls are written; secrets never are. */
export interface HttpLog {
  warn(facts: object, event: string): void;
  error(facts: object, event: string): void;
}

/** What the calls need. */
export interface CallRoutesDeps {
  readonly handlers: CallHandlers;
  /** Calls that this installation does not have: they answer as any unknown name. */
  readonly absent?: readonly CallName[];
  readonly sessions: Sessions;
  readonly face: PublicFace;
  readonly tenant: string;
  readonly limits: RequestLimits;
  readonly admission: Admission;
  readonly metrics: HttpMetrics;
  readonly clock: () => Millis;
  readonly log: HttpLog;
  readonly security: SecurityLog;
  /** Whether a thrown error means that a commit may have happened (storage's `OutcomeUnknown`). */
  readonly isOutcomeUnknown: (error: unknown) => boolean;
}

/** A call slower than this is written to the log. */
const SLOW_MILLIS = 1_000;
/** No token of ours is as long. */
export const STOKEN_LENGTH_MAX = 100;

type AnyHandler = (caller: MemberCaller, request: unknown) => Promise<CallAnswer<unknown>>;

interface Arrival {
  readonly upload: UploadPlace;
  readonly name: CallName;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly now: Millis;
}

/** What the door established before the call itself is looked at. */
interface Admitted extends UploadForm {
  readonly target: Target;
  readonly caller: Caller;
  readonly cookie: string | undefined;
}

type Step<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: Refusal };

function no(code: Refusal): { readonly ok: false; readonly code: Refusal } {
  return { ok: false, code };
}

/** The language asked for; Korean counts only for members who may choose it. */
function languageOf(headers: IncomingHttpHeaders): Caller['language'] {
  const wanted = String(headers.language ?? '')
    .slice(0, 2)
    .toLowerCase();
  return wanted === 'ja' ? 'ja' : 'en';
}

function mayBeKorean(headers: IncomingHttpHeaders, session: SessionRecord): boolean {
  return (
    session.tkropen &&
    String(headers.language ?? '')
      .slice(0, 2)
      .toLowerCase() === 'ko'
  );
}

function classOf(name: CallName): RequestClass {
  if (name.startsWith('connextrade/') || name === 'x/trade/PlaceScaled') return 'order';
  return CALLS[name].access;
}

/** Which cookies came along, as hashes; not checked. */
type CookieHashes = Pick<Caller, 'previousSession' | 'device'>;

function callerOf(arrival: Arrival, address: string, cookies: CookieHashes): Caller {
  const { headers } = arrival.request;
  return {
    address,
    userAgent: String(headers['user-agent'] ?? ''),
    origin: headers.origin?.toLowerCase() ?? '',
    language: languageOf(headers),
    now: arrival.now,
    ...cookies,
  };
}

/** A form with a file: read for a live session only, one at a time for each member; of others nothing is kept. */
async function uploadOf(
  deps: CallRoutesDeps,
  { name, request, reply, now, upload }: Arrival,
  session: string | undefined,
): Promise<Step<UploadForm>> {
  const { field = '', bytesMax = 0 } = CALLS[name].file ?? {};
  const user = session === undefined ? undefined : await deps.sessions.userOf(session, now);
  const hasPlace = user !== undefined && upload.take(user);
  const body = await readBody(request.raw, hasPlace ? bytesMax + BODY_BYTES_MAX : 0);
  if (body.kind === 'too-large' && !body.drained) reply.header('connection', 'close');
  if (user === undefined) return no({ error: 'token-invalid' });
  if (!hasPlace) return no({ error: 'busy' });
  if (body.kind === 'too-large') return no({ error: 'file-too-large' });
  const form = parseUpload(body.bytes, request.headers['content-type'] ?? '', field);
  const isTooLarge = form.ok && (form.value.file?.length ?? 0) > bytesMax;
  return isTooLarge ? no({ error: 'file-too-large' }) : form;
}

async function formOf(
  deps: CallRoutesDeps,
  arrival: Arrival,
  session: string | undefined,
): Promise<Step<UploadForm>> {
  const takesFile = CALLS[arrival.name].file !== undefined;
  if (takesFile && isMultipart(arrival.request.headers['content-type'])) {
    return uploadOf(deps, arrival, session);
  }
  const fields = await fieldsOf(arrival);
  return fields.ok ? { ok: true, value: { fields: fields.value, file: undefined } } : fields;
}

/** The fields of a request: of the query of a GET, else of the body, which has its bounds. */
export async function fieldsOf(
  arrival: Pick<Arrival, 'request' | 'reply'>,
): Promise<Step<UploadForm['fields']>> {
  const { request, reply } = arrival;
  const url = request.raw.url ?? '';
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  if (request.method === 'GET') return parseUrlencoded(query);
  const body = await readBody(request.raw);
  if (body.kind === 'too-large') {
    if (!body.drained) reply.header('connection', 'close');
    return no({ error: 'body-too-large' });
  }
  if (query !== '') {
    return no({
      error: 'field-invalid',
      field: 'query',
      allowed: 'none: a POST carries its fields in the body',
    });
  }
  return parseForm(body.bytes, request.headers['content-type']);
}

/** Everything that can refuse a request before its call matters, in the order of the error catalogue. */
async function admit(deps: CallRoutesDeps, arrival: Arrival): Promise<Step<Admitted>> {
  const { headers, socket } = arrival.request.raw;
  const target = targetOf(headers, deps.face);
  if (target === undefined || !isOwnPage(headers, target)) return no({ error: 'origin-refused' });
  const tenant = headers['tenant-id'];
  if (tenant !== undefined && tenant !== deps.tenant) {
    return no({ error: 'tenant-unknown', given: String(tenant).slice(0, 64) });
  }
  const address = addressOf(headers, socket.remoteAddress, deps.face);
  const wait = deps.limits.take(classOf(arrival.name), address);
  if (wait !== undefined) return no({ error: 'rate-limited', allowed: String(wait) });
  const work = workOf(arrival.name, CALLS[arrival.name].access);
  if (deps.admission.full(work)) return no({ error: 'busy' });
  const cookie = readCookie(headers.cookie, 'sid', target.secure);
  const previousSession = cookieHash(cookie);
  const form = await formOf(deps, arrival, previousSession);
  if (!form.ok) return form;
  const { fields } = form.value;
  if (deps.admission.full(work, fields.platformType)) return no({ error: 'busy' });
  if (arrival.request.method === 'POST' && fields.sosflag !== '3') return no({ error: 'sosflag-invalid' });
  const device = cookieHash(readCookie(headers.cookie, 'did', target.secure));
  const caller = callerOf(arrival, address, {
    ...(previousSession === undefined ? {} : { previousSession }),
    ...(device === undefined ? {} : { device }),
  });
  return { ok: true, value: { ...form.value, target, caller, cookie } };
}

async function memberOf(
  deps: CallRoutesDeps,
  arrival: Arrival,
  admitted: Admitted,
): Promise<MemberCaller | undefined> {
  const { stoken } = admitted.fields;
  if (stoken !== undefined && stoken.length > STOKEN_LENGTH_MAX) return undefined;
  const session = await deps.sessions.authenticate(admitted.cookie, stoken, arrival.now);
  if (session === undefined) return undefined;
  const korean = mayBeKorean(arrival.request.headers, session);
  return {
    ...admitted.caller,
    ...(korean ? { language: 'ko' as const } : {}),
    user: session.user,
    ...(session.demo ? { demo: true as const } : {}),
    sessionId: session.id,
  };
}

async function perform(
  deps: CallRoutesDeps,
  arrival: Arrival,
  admitted: Admitted & { readonly caller: Caller | MemberCaller },
): Promise<CallOutcome> {
  const { name } = arrival;
  const { caller } = admitted;
  if (CALLS[name].access === 'member' && !('user' in caller)) return no({ error: 'token-invalid' });
  if (CALLS[name].ownAccount === true && 'demo' in caller) return no({ error: 'own-account-needed' });
  const { sosflag: _sosflag, stoken: _stoken, ...texts } = admitted.fields;
  const { file } = CALLS[name];
  const isThere = file !== undefined && admitted.file !== undefined;
  const fields = isThere ? { ...texts, [file.field]: admitted.file } : texts;
  const parsed = CALL_SCHEMAS[name].request.safeParse(fields);
  if (!parsed.success) return { ok: false, code: fieldProblem(parsed.error, fields) };
  const more = ordersOf(name, parsed.data) - 1;
  const wait = more === 0 ? undefined : deps.limits.take(classOf(name), caller.address, more);
  if (wait !== undefined) return no({ error: 'rate-limited', allowed: String(wait) });
  // The map is complete and typed per call (`CallHandlers`); a member's handler gets a caller with a member above.
  const handler = deps.handlers[name] as unknown as AnyHandler;
  const leave = deps.admission.enter(workOf(name, CALLS[name].access), sharesOf(name, caller, parsed.data));
  if (leave === undefined) return no({ error: 'busy' });
  try {
    return await handler(caller as MemberCaller, parsed.data);
  } finally {
    leave();
  }
}

/** As how many requests a call counts: a scaled order costs what its orders would. */
function ordersOf(name: CallName, request: object): number {
  return name === 'x/trade/PlaceScaled' && 'count' in request ? Number(request.count) : 1;
}

function sharesOf(name: CallName, caller: Caller | MemberCaller, request: object): Shares {
  const who = 'user' in caller ? String(caller.user) : networkOf(caller.address);
  const shares = { caller: who, isLong: isLong(name) };
  return 'platformType' in request ? { ...shares, venue: String(request.platformType) } : shares;
}

/** Answers one call. Whatever happens inside, the answer is an envelope with HTTP 200 (decision 0012). */
async function answer(deps: CallRoutesDeps, arrival: Arrival): Promise<FastifyReply> {
  const { name, request, reply } = arrival;
  let outcome: CallOutcome;
  let secure = false;
  let language = languageOf(request.headers);
  let who: UserId | undefined;
  try {
    const admitted = await admit(deps, arrival);
    if (admitted.ok) {
      secure = admitted.value.target.secure;
      const member =
        CALLS[name].access === 'member' ? await memberOf(deps, arrival, admitted.value) : undefined;
      const caller = member ?? admitted.value.caller;
      who = member?.user;
      language = caller.language;
      outcome = await perform(deps, arrival, { ...admitted.value, caller });
    } else outcome = admitted;
  } catch (error) {
    outcome = failed(deps, { call: name, requestId: request.id }, error);
  } finally {
    arrival.upload.leave();
  }
  const envelope = envelopeOf(outcome, language);
  deps.security.note(outcome, {
    ...{ call: name, requestId: request.id },
    address: addressOf(request.headers, request.raw.socket.remoteAddress, deps.face),
    ...(who === undefined ? {} : { who: String(who) }),
  });
  const millis = deps.clock() - arrival.now;
  deps.metrics.call(name, envelope.code, millis);
  if (millis > SLOW_MILLIS) deps.log.warn({ requestId: request.id, call: name, millis }, 'slow call');
  if (outcome.ok && outcome.cookie !== undefined) {
    reply.header('set-cookie', writeSessionCookie(outcome.cookie, secure));
    if ('clear' in outcome.cookie) reply.header('clear-site-data', '"cache"');
  }
  if (outcome.ok && outcome.device !== undefined) {
    reply.header('set-cookie', writeDeviceCookie(outcome.device, secure));
  }
  return sendEnvelope(reply, envelope);
}

/** What a call that threw is answered. An abandoned request needs no log line. */
export function failed(
  { log, isOutcomeUnknown }: Pick<CallRoutesDeps, 'log' | 'isOutcomeUnknown'>,
  facts: { readonly call: string; readonly requestId: string },
  error: unknown,
): CallOutcome {
  if (!(error instanceof SenderGone)) log.error({ ...facts, error }, 'call failed');
  return no({ error: isOutcomeUnknown(error) ? 'outcome-unknown' : 'unavailable' });
}

/** Writes an envelope; never stored by anybody on the way. */
export function sendEnvelope(reply: FastifyReply, envelope: object): FastifyReply {
  return reply
    .code(200)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(envelope));
}

/** Answers a path or method below /api that is not in the contract. */
export function sendUnknownCall(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendEnvelope(reply, envelopeOf(no({ error: 'unknown-call' }), languageOf(request.headers)));
}

/** One route per call of the contract: the table is the inventory, nothing else answers below /api. */
export function addCallRoutes(server: FastifyInstance, deps: CallRoutesDeps): void {
  const upload = uploadPlaces();
  for (const name of Object.keys(CALLS) as CallName[]) {
    if (deps.absent?.includes(name) === true) continue;
    server.route({
      method: CALLS[name].get ? ['GET', 'POST'] : ['POST'],
      url: `/api/${name}`,
      handler: (request, reply) =>
        answer(deps, { name, request, reply, now: deps.clock(), upload: upload() }),
    });
  }
}
