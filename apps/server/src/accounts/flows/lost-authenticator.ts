import type { CallAnswer, Caller, CallRequest, CallResponse } from '@crossbook/contract';
import type { Millis, UserId } from '@crossbook/domain';
import { factorProof, logInPurpose, secondFactorsOf } from '../acts/second-factor.ts';
import { carryOut, type SecurityDeps } from '../acts/security-desk.ts';
import { masked } from '../contacts.ts';
import { CODE_LIFE_MILLIS, compareCode, sendTo } from '../factors/codes.ts';
import type { PasskeyAnswer } from '../factors/passkeys.ts';
import { type Refused, refusal } from '../ports.ts';
import type { Proof } from '../security-ports.ts';
import { flowOfTicket } from './log-in-steps.ts';

/** How many resets end in one sweep. */
const ENDS_PER_SWEEP_MAX = 100;
/** How long second factors are still asked for: time for who did not want it to notice. */
const WAIT_HOURS = 24;

interface Contacts {
  readonly ok: true;
  readonly user: UserId;
  readonly flow: string;
  readonly email: string;
  readonly mobile: string;
}

/** Both contacts of who has proved the password and was asked for the authenticator, in the same browser. */
async function contactsOf(deps: SecurityDeps, caller: Caller, ticket: string): Promise<Contacts | Refused> {
  const flow = await flowOfTicket(deps, caller, ticket);
  if (flow === undefined || !flow.steps.includes('totp')) return refusal({ error: 'flow-invalid' });
  if ((await deps.devices.askerOf(caller)) !== flow.device) return refusal({ error: 'flow-invalid' });
  const { email, mobile } = await deps.security.profile(flow.user);
  if (email === undefined || mobile === undefined || deps.texts === undefined)
    return refusal({ error: 'otp-reset-contacts' });
  return { ok: true, user: flow.user, flow: flow.id, email, mobile };
}

/** x/account/OtpResetBegin: codes to phone and mailbox of who knows the password. */
export async function beginOtpReset(
  deps: SecurityDeps,
  caller: Caller,
  { ticket }: CallRequest<'x/account/OtpResetBegin'>,
): Promise<CallAnswer<CallResponse<'x/account/OtpResetBegin'>>> {
  const contacts = await contactsOf(deps, caller, ticket);
  if (!contacts.ok) return contacts;
  const { email, mobile } = contacts;
  for (const target of [email, mobile]) {
    const limited = await sendTo(deps, caller, { target, purpose: 'otp-reset' });
    if (limited !== undefined) return limited;
  }
  const maskedTo = [masked({ kind: 'email', to: email }), masked({ kind: 'mobile', to: mobile })];
  return { ok: true, value: { validMinutes: CODE_LIFE_MILLIS / 60_000, maskedTo } };
}

/**
 * A passkey in a browser where its member has logged in before: its owner is there, and waits for nobody. In any other browser it
 * spares no time.
 */
async function proofsAtOnce(
  deps: SecurityDeps,
  caller: Caller,
  { contacts, passkey }: { readonly contacts: Contacts; readonly passkey: PasskeyAnswer | undefined },
): Promise<{ readonly ok: true; readonly proofs: readonly Proof[] } | Refused> {
  const { user, flow, email } = contacts;
  if (passkey === undefined || (await deps.devices.trusted(email, caller)) === undefined)
    return { ok: true, proofs: [] };
  const factors = await secondFactorsOf(deps, user);
  if (factors?.secret === undefined) return refusal({ error: 'flow-invalid' });
  const purpose = await logInPurpose(deps, caller, flow);
  return factorProof(deps, caller, { factors, given: { passkey }, purpose });
}

/**
 * x/account/OtpResetFinish: password, mailbox and phone together, and a day's wait in which a freeze, the authenticator or a
 * passkey ends it. Money is locked from now until a day after the removal. Who has a passkey at hand is rid of the lost
 * authenticator at once, and keeps the passkey.
 */
export async function finishOtpReset(
  deps: SecurityDeps,
  caller: Caller,
  { ticket, emailCode, mobileCode, passkey }: CallRequest<'x/account/OtpResetFinish'>,
): Promise<CallAnswer<CallResponse<'x/account/OtpResetFinish'>>> {
  const contacts = await contactsOf(deps, caller, ticket);
  if (!contacts.ok) return contacts;
  const { user, email, mobile } = contacts;
  if (!(await deps.security.takeTry(contacts.flow))) return refusal({ error: 'flow-invalid' });
  const atOnce = await proofsAtOnce(deps, caller, { contacts, passkey });
  if (!atOnce.ok) return atOnce;
  const proofs: Proof[] = [...atOnce.proofs];
  for (const [target, code] of [
    [email, emailCode],
    [mobile, mobileCode],
  ] as const) {
    const checked = await compareCode(deps, caller, { target, purpose: 'otp-reset', code });
    if (!checked.ok) return checked;
    proofs.push({ kind: 'code', id: checked.id, target, purpose: 'otp-reset' });
  }
  const waits = atOnce.proofs.length === 0;
  const done = await carryOut(deps, caller, {
    ...{ user, call: 'x/account/OtpResetFinish', proofs, locks: 'otp' },
    effects: [{ kind: waits ? 'otp-reset' : 'otp-removed' }],
    ...(waits ? { tells: 'otp-reset-waiting' } : { tells: 'otp-removed', ends: 'all' }),
  });
  return done.ok ? { ok: true, value: { waitHours: waits ? WAIT_HOURS : 0 } } : done;
}

/** Takes off what the day of a reset was waited for, and tells its owner, who may still freeze the account. Each ends once. */
export async function endOtpResets(deps: SecurityDeps, now: Millis): Promise<void> {
  const hub = { address: '', userAgent: '', origin: '', language: 'en', now } as const;
  for (const user of await deps.security.resetsDone(ENDS_PER_SWEEP_MAX))
    await carryOut(deps, hub, {
      ...{ user, call: 'x/account/OtpResetFinish', proofs: [] },
      ...{ effects: [{ kind: 'otp-reset-done' }], tells: 'otp-reset-done' },
    });
}
