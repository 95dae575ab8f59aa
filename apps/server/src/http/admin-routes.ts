import {
  ADMIN_CALLS,
  type AdminCaller,
  type AdminCallName,
  type AdminFileKind,
  type AdminHandlers,
  type CallAnswer,
  type Caller,
  mayCall,
  type Refusal,
  type RefusedAct,
} from '@crossbook/contract';
import { ADMIN_SCHEMAS } from '@crossbook/contract/schema';
import type { Result } from '@crossbook/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../accounts/budgets.ts';
import { cookieHash } from '../accounts/sessions/sessions.ts';
import { type CallOutcome, envelopeOf } from './answers.ts';
import { type CallRoutesDeps, failed, fieldsOf, STOKEN_LENGTH_MAX, sendEnvelope } from './call-routes.ts';
import { readCookie, writeDeviceCookie, writeSessionCookie } from './cookies.ts';
import { fieldProblem } from './field-problem.ts';
import { addressOf, isOwnPage, targetOf } from './own-origin.ts';

/** What the door of the back office needs besides that of the members. */
export interface AdminRoutesDeps {
  readonly handlers: AdminHandlers;
  /** Who calls; `undefined` for everybody who is no admin with a live session. */
  authenticate(
    cookie: string | undefined,
    stoken: string | undefined,
    caller: Caller,
  ): Promise<AdminCaller | undefined>;
  /** Writes what an admin was refused into the audit log, where it is one that has to stand there. */
  refused(tried: RefusedAct): Promise<void>;
  /** Counts a change before it is tried; a refusal where there were too many. */
  changing(caller: AdminCaller): Promise<Refusal | undefined>;
}

type Deps = Omit<CallRoutesDeps, 'handlers' | 'sessions'> & { readonly admin: AdminRoutesDeps };
type AnyHandler = (caller: Caller, request: unknown) => Promise<CallAnswer<unknown>>;

interface Arrival {
  readonly name: AdminCallName;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function no(code: Refusal): { readonly ok: false; readonly code: Refusal } {
  return { ok: false, code };
}

/** Whether a call comes before a session. */
function isOpen(name: AdminCallName): boolean {
  return ADMIN_CALLS[name].roles === 'anyone';
}

/** Staff speak all three. */
function languageOf(request: FastifyRequest): Caller['language'] {
  const wanted = String(request.headers.language ?? '').slice(0, 2);
  return wanted === 'ja' || wanted === 'ko' ? wanted : 'en';
}

function callerOf({ request }: Arrival, deps: Deps, secure: boolean): Caller {
  const { headers, socket } = request.raw;
  const device = cookieHash(readCookie(headers.cookie, 'oid', secure));
  return {
    ...(device === undefined ? {} : { device }),
    address: addressOf(headers, socket.remoteAddress, deps.face),
    userAgent: String(headers['user-agent'] ?? ''),
    origin: headers.origin?.toLowerCase() ?? '',
    language: languageOf(request),
    now: deps.clock(),
  };
}

/** Role, fresh proof and how many changes, in this order; all before a field is looked at. */
async function permission(
  { admin }: Deps,
  caller: AdminCaller,
  name: AdminCallName,
): Promise<Refusal | undefined> {
  if (!mayCall(name, caller.roles)) return { error: 'role-missing' };
  const isProved = caller.provedUntil !== undefined && caller.provedUntil > caller.now;
  if (!ADMIN_CALLS[name].changes) return undefined;
  return isProved ? admin.changing(caller) : { error: 'grant-invalid' };
}

/** Who calls, when he may: for the calls before a session a stranger is enough. */
async function callerFor(
  deps: Deps,
  { name, request }: Arrival,
  given: {
    readonly stranger: Caller;
    readonly secure: boolean;
    readonly stoken: string | undefined;
    readonly fields: Readonly<Record<string, string>>;
  },
): Promise<Result<Caller | AdminCaller, Refusal>> {
  const { stranger, secure, stoken, fields } = given;
  if (isOpen(name)) return { ok: true, value: stranger };
  const cookie = readCookie(request.raw.headers.cookie, 'aid', secure);
  const token = (stoken ?? '').length > STOKEN_LENGTH_MAX ? undefined : stoken;
  const admin = await deps.admin.authenticate(cookie, token, stranger);
  if (admin === undefined) return no({ error: 'token-invalid' });
  const refused = await permission(deps, admin, name);
  if (refused === undefined) return { ok: true, value: admin };
  // Too many changes of strangers are counted, and not written down one by one.
  if (refused.error !== 'rate-limited') {
    const { data: wanted } = ADMIN_SCHEMAS[name].request.safeParse(fields);
    await deps.admin.refused({ caller: admin, call: name, outcome: refused.error, request: wanted });
  }
  return no(refused);
}

/** The checks of the members' door in its order; then session, role, proof, fields; a place only when all is here. */
async function outcomeOf(deps: Deps, arrival: Arrival): Promise<CallOutcome & { secure?: boolean }> {
  const { name, request } = arrival;
  const { headers } = request.raw;
  const target = targetOf(headers, deps.face, 'office');
  if (target === undefined || !isOwnPage(headers, target)) return no({ error: 'origin-refused' });
  const { secure } = target;
  const stranger = callerOf(arrival, deps, secure);
  const wait = deps.limits.take('member', stranger.address);
  if (wait !== undefined) return no({ error: 'rate-limited', allowed: String(wait) });
  // Strangers never use the places of admins.
  const work = isOpen(name) ? 'public' : 'admin';
  if (deps.admission.full(work)) return no({ error: 'busy' });
  const form = await fieldsOf(arrival);
  if (!form.ok) return form;
  const { sosflag, stoken, ...fields } = form.value;
  if (sosflag !== '3') return no({ error: 'sosflag-invalid' });
  const known = await callerFor(deps, arrival, { stranger, secure, stoken, fields });
  if (!known.ok) return known;
  const caller = known.value;
  const parsed = ADMIN_SCHEMAS[name].request.safeParse(fields);
  if (!parsed.success) return { ok: false, code: fieldProblem(parsed.error, fields) };
  const who = 'admin' in caller ? String(caller.admin) : networkOf(caller.address);
  const leave = deps.admission.enter(work, { caller: who });
  if (leave === undefined) return no({ error: 'busy' });
  try {
    // The map is complete and typed per call (`AdminHandlers`); only open calls get a stranger.
    const handler = deps.admin.handlers[name] as unknown as AnyHandler;
    const done = await handler(caller, parsed.data);
    if (!done.ok && 'admin' in caller)
      await deps.admin.refused({ caller, call: name, outcome: done.code.error, request: parsed.data });
    return { ...done, secure };
  } finally {
    leave();
  }
}

async function answer(deps: Deps, arrival: Arrival): Promise<FastifyReply> {
  const { name, request, reply } = arrival;
  const started = deps.clock();
  let outcome: CallOutcome & { secure?: boolean };
  try {
    outcome = await outcomeOf(deps, arrival);
  } catch (error) {
    outcome = failed(deps, { call: name, requestId: request.id }, error);
  }
  const envelope = envelopeOf(outcome, languageOf(request));
  const { answers } = ADMIN_CALLS[name];
  const address = addressOf(request.headers, request.raw.socket.remoteAddress, deps.face);
  deps.security.note(outcome, { call: name, requestId: request.id, address });
  deps.metrics.call(name, envelope.code, deps.clock() - started);
  if (outcome.ok && outcome.cookie !== undefined) {
    reply.header('set-cookie', writeSessionCookie(outcome.cookie, outcome.secure === true, 'aid'));
    if ('clear' in outcome.cookie) reply.header('clear-site-data', '"cache"');
  }
  if (outcome.ok && outcome.device !== undefined)
    reply.header('set-cookie', writeDeviceCookie(outcome.device, outcome.secure === true, 'oid'));
  if (outcome.ok && answers !== undefined) return sendFile(reply, answers, outcome.value);
  return sendEnvelope(reply, envelope);
}

const FILE_NAMES: Readonly<Record<AdminFileKind, string>> = {
  'image/jpeg': 'picture.jpg',
  'application/jsonl': 'audit-log.jsonl',
};

/** Bytes of one fixed kind, kept by nobody on the way and opened as nothing else. */
function sendFile(reply: FastifyReply, kind: AdminFileKind, bytes: unknown): FastifyReply {
  if (!(bytes instanceof Uint8Array)) throw new Error('a call that answers a file answered none');
  return reply
    .code(200)
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${FILE_NAMES[kind]}"`)
    .type(kind)
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/** One route per call of the back office; all are POST, and none of them knows a member's session. */
export function addAdminRoutes(server: FastifyInstance, deps: Deps): void {
  for (const name of Object.keys(ADMIN_CALLS) as AdminCallName[]) {
    server.post(`/api/${name}`, (request, reply) => answer(deps, { name, request, reply }));
  }
}
