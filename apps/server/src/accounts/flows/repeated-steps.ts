import type { CallAnswer, Caller, CallHandlers, CallName } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { CODE_LIFE_MILLIS } from '../factors/codes.ts';
import type { Devices } from '../factors/devices.ts';
import { keyedHash, type SecretKey, sha256Hex } from '../keyed-hash.ts';
import { refusal, type SessionStore } from '../ports.ts';
import type { SecurityStore } from '../security-ports.ts';

/** The same step sent again gets the same answer for so long: its first answer may have been lost. */
export const REPEATED_MILLIS = 60_000;

/** Calls that use up a code or a ticket, so that no request to one of them succeeds twice. A log-in's steps have a ticket that tells. */
export const STEPS = [
  'user/usernew',
  'user/forgetpwd',
  'x/account/Unfreeze',
  'x/account/OtpResetFinish',
  'x/recovery/Ask',
  'x/recovery/Finish',
  'x/oauth/BindPassword',
  'x/oauth/Link',
  'x/demo/Keep',
  'security/bindphone',
  'security/bindemail',
  'security/modifyphone',
  'security/modifyemail',
  'security/bindgoogle',
] as const satisfies readonly CallName[];

/** What telling a repeated step needs. */
export interface RepeatDeps {
  /** Secret of the codes. */
  readonly codeKey: SecretKey;
  readonly devices: Pick<Devices, 'askerOf'>;
  readonly security: Pick<SecurityStore, 'keepAnswer' | 'keptAnswer'>;
  readonly sessionStore: Pick<SessionStore, 'live'>;
}

type Step = (typeof STEPS)[number];
type AnyStep = (caller: Caller, request: object) => Promise<CallAnswer<unknown>>;

/** Names a request by all that is in it and the session it came in; whoever lacks a part of it cannot make the name. */
function stepId(key: SecretKey, call: CallName, caller: Caller, request: object): string {
  const content = JSON.stringify(
    Object.entries(request).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
  const session = 'sessionId' in caller ? String(caller.sessionId) : '';
  const hex = Buffer.from(keyedHash(key, 'step', call, session, content), 'base64url').toString('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** An answer is true as long as the session that it opened, or went on in, still has the cookie it gave. */
async function stillTrue(deps: RepeatDeps, answer: CallAnswer<unknown>, now: Millis): Promise<boolean> {
  if (!answer.ok || answer.cookie === undefined || 'clear' in answer.cookie) return true;
  const hash = sha256Hex(answer.cookie.set);
  return (await deps.sessionStore.live(hash, now))?.hash === hash;
}

/** What the same request is answered once it has succeeded; `undefined` where it has not. */
async function keptAnswer(
  deps: RepeatDeps,
  caller: Caller,
  { id, asker }: { readonly id: string; readonly asker: string },
): Promise<CallAnswer<unknown> | undefined> {
  const kept = await deps.security.keptAnswer(id, caller.now);
  if (kept === undefined) return undefined;
  // The answer that carried the browser's next cookie may be the one that was lost.
  const sameBrowser = asker === kept.device || (kept.cookie !== undefined && kept.cookie === caller.device);
  if (!sameBrowser || caller.now - kept.answeredAt >= REPEATED_MILLIS)
    return refusal({ error: 'flow-invalid' });
  const answer = JSON.parse(kept.answer) as CallAnswer<unknown>;
  return (await stillTrue(deps, answer, caller.now)) ? answer : refusal({ error: 'flow-invalid' });
}

/** Takes a step that was not taken before, and keeps what it answered. */
async function takeOnce(
  deps: RepeatDeps,
  caller: Caller,
  { id, step }: { readonly id: string; readonly step: () => Promise<CallAnswer<unknown>> },
): Promise<CallAnswer<unknown>> {
  const asker = await deps.devices.askerOf(caller);
  const kept = await keptAnswer(deps, caller, { id, asker });
  if (kept !== undefined) return kept;
  const answer = await step();
  if (!answer.ok) return answer;
  // It is done. Where its answer cannot be kept any more, a repetition meets what is used up.
  await deps.security
    .keepAnswer({
      ...{ id, device: asker, cookie: caller.device, answer: JSON.stringify(answer) },
      ...{ answeredAt: caller.now, expiresAt: (caller.now + CODE_LIFE_MILLIS) as Millis },
    })
    .catch(() => undefined);
  return answer;
}

/**
 * The same handlers. Of them a step that uses up a code or a ticket answers the same for a minute to the same request of the same
 * browser, in the same session, and is never taken twice. The same request from elsewhere, or later, is over; any other is for the
 * step itself to refuse.
 */
export function repeatable<Handlers extends Pick<CallHandlers, Step>>(
  deps: RepeatDeps,
  handlers: Handlers,
): Handlers {
  /** Steps under way: the same one sent twice at once waits for the first, and gets its answer. */
  const underWay = new Map<string, Promise<unknown>>();
  const inTurn = async (id: string, take: () => Promise<CallAnswer<unknown>>) => {
    const taken = (underWay.get(id) ?? Promise.resolve()).then(take);
    const settled = taken.catch(() => undefined);
    underWay.set(id, settled);
    try {
      return await taken;
    } finally {
      if (underWay.get(id) === settled) underWay.delete(id);
    }
  };
  const onceEach = STEPS.map((call): readonly [Step, AnyStep] => {
    const step = handlers[call] as unknown as AnyStep;
    return [
      call,
      async (caller, request) => {
        const id = stepId(deps.codeKey, call, caller, request);
        return inTurn(id, () => takeOnce(deps, caller, { id, step: () => step(caller, request) }));
      },
    ];
  });
  // What is kept under a call's name is an answer of that call.
  return { ...handlers, ...Object.fromEntries(onceEach) };
}
