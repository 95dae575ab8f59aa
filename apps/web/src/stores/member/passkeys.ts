import type { CallInput, CallResponse } from '@crossbook/contract';
import { text } from '../../i18n/i18n.ts';
import type { CallResult } from '../../wire/api-client.ts';
import { call, problemOf } from './own-service.ts';
import { securityChanged } from './security.ts';
import { renewSession, whileRenewing } from './session.ts';

/** A passkey of the member. */
export type MemberPasskey = CallResponse<'x/passkey/List'>[number];
/** What was made of an authenticator's answer, or what went wrong, in words. */
export type PasskeyOutcome = { readonly passkey: string } | { readonly problem: string };

/** Why this page cannot have passkeys: browsers make none for a host that is a number, and old ones none at all. */
export function passkeyObstacle(): 'host' | 'browser' | undefined {
  if (/^\[|^[\d.]+$/.test(window.location.hostname)) return 'host';
  return window.PublicKeyCredential === undefined ? 'browser' : undefined;
}

/** Read when somebody uses a passkey, and not before. */
const library = () => import('@simplewebauthn/browser');

/** What browsers call it when the member closed their dialog or did nothing. */
const CANCELLED: readonly string[] = ['NotAllowedError', 'AbortError'];

function problemOfCeremony(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') return text('passkey.known');
  return text(CANCELLED.includes(name) ? 'passkey.cancelled' : 'passkey.failed');
}

type Options = CallResult<{ readonly options: string }>;

async function answered(options: Options): Promise<PasskeyOutcome> {
  if (!options.ok) return { problem: problemOf(options) ?? '' };
  try {
    const { startAuthentication } = await library();
    const answer = await startAuthentication({ optionsJSON: JSON.parse(options.data.options) });
    return { passkey: JSON.stringify(answer) };
  } catch (error) {
    return { problem: problemOfCeremony(error) };
  }
}

/** Asks the member for a passkey: to log in, as a step of a log-in, or for a new password. */
export async function askPasskey(input: CallInput<'x/passkey/LoginOptions'>): Promise<PasskeyOutcome> {
  return answered(await call('x/passkey/LoginOptions', input, { quiet: true }));
}

/** Asks the member for a passkey, to prove once more who acts in this session. */
export async function askPasskeyAgain(): Promise<PasskeyOutcome> {
  return answered(await call('x/passkey/StepUpOptions', {}, { quiet: true }));
}

/** Has the browser make a passkey. @param options of x/passkey/RegisterOptions; they serve for five minutes. */
export async function makePasskey(options: string): Promise<PasskeyOutcome> {
  try {
    const { startRegistration } = await library();
    const made = await startRegistration({ optionsJSON: JSON.parse(options) });
    return { passkey: JSON.stringify(made) };
  } catch (error) {
    return { problem: problemOfCeremony(error) };
  }
}

/** Keeps a passkey that was made; the session goes on under another token. */
export async function keepPasskey(
  credential: string,
  name: string,
): Promise<CallResult<CallResponse<'x/passkey/Register'>>> {
  const answer = await whileRenewing(async () => {
    const added = await call('x/passkey/Register', { credential, name }, { quiet: true });
    if (added.ok) renewSession(added.data.token);
    return added;
  });
  if (answer.ok) securityChanged();
  return answer;
}

/** Rejects when there was no usable answer, so that the query shows its error state. */
export async function readPasskeys(): Promise<readonly MemberPasskey[]> {
  const answer = await call('x/passkey/List', {}, { quiet: true });
  if (!answer.ok) throw new Error('the passkeys were not answered');
  return answer.data;
}
