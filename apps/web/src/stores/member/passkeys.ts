import type { CallInput, CallResponse } from '@crossbook/contract';
import { text } from '../../i18n/i18n.ts';
import type { CallResult } from '../../wire/api-client.ts';
import { answerPasskey, type CeremonyOutcome, createPasskey } from '../app/passkeys.ts';
import { call, problemOf, refusalCode } from './own-service.ts';
import { securityChanged } from './security.ts';
import { renewSession, whileRenewing } from './session.ts';

/** A passkey of the member. */
export type MemberPasskey = CallResponse<'x/passkey/List'>[number];
/** What was made of an authenticator's answer, or what went wrong, in words; with its code where the hub refused to ask for one. */
export type PasskeyOutcome =
  | { readonly passkey: string }
  | { readonly problem: string; readonly code?: number | undefined };

function inWords(outcome: CeremonyOutcome): PasskeyOutcome {
  return 'wrong' in outcome ? { problem: text(`passkey.${outcome.wrong}`) } : outcome;
}

type Options = CallResult<{ readonly options: string }>;

async function answered(options: Options): Promise<PasskeyOutcome> {
  if (!options.ok) return { problem: problemOf(options) ?? '', code: refusalCode(options) };
  return inWords(await answerPasskey(options.data.options));
}

/** Asks the member for a passkey: to log in, as a step of a log-in, or for a new password. */
export async function askPasskey(input: CallInput<'x/passkey/LoginOptions'>): Promise<PasskeyOutcome> {
  return answered(await call('x/passkey/LoginOptions', input));
}

/** Asks the member for a passkey, to prove once more who acts in this session. */
export async function askPasskeyAgain(): Promise<PasskeyOutcome> {
  return answered(await call('x/passkey/StepUpOptions', {}));
}

/** Has the browser make a passkey. @param options of x/passkey/RegisterOptions; they serve for five minutes. */
export async function makePasskey(options: string): Promise<PasskeyOutcome> {
  return inWords(await createPasskey(options));
}

/** Keeps a passkey that was made; the session goes on under another token. */
export async function keepPasskey(
  credential: string,
  name: string,
): Promise<CallResult<CallResponse<'x/passkey/Register'>>> {
  const answer = await whileRenewing(async () => {
    const added = await call('x/passkey/Register', { credential, name });
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
