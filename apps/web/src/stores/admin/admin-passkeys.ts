import { text } from '../../i18n/i18n.ts';
import { answerPasskey, type CeremonyOutcome, createPasskey } from '../app/passkeys.ts';
import { adminCall, beginAdminSession, problemOf, readSelf } from './admin-service.ts';

function problemOfCeremony(outcome: CeremonyOutcome): string | undefined {
  return 'wrong' in outcome ? text(`admin.passkey.${outcome.wrong}`) : undefined;
}

/** Logs in by a passkey alone. @returns what went wrong, in words. */
export async function logInByPasskey(): Promise<string | undefined> {
  const begun = await adminCall('x/admin/PasskeyLogInOptions', {});
  if (!begun.ok) return problemOf(begun);
  const outcome = await answerPasskey(begun.data.options);
  if ('wrong' in outcome) return problemOfCeremony(outcome);
  const answer = await adminCall('x/admin/PasskeyLogIn', { passkey: outcome.passkey });
  if (!answer.ok) return problemOf(answer);
  await beginAdminSession(answer.data.token);
  return undefined;
}

/** Proves by a passkey who acts: changes are open for five minutes. @returns what went wrong, in words. */
export async function proveByPasskey(): Promise<string | undefined> {
  const begun = await adminCall('x/admin/PasskeyStepUpOptions', {});
  if (!begun.ok) return problemOf(begun);
  const outcome = await answerPasskey(begun.data.options);
  if ('wrong' in outcome) return problemOfCeremony(outcome);
  const answer = await adminCall('x/admin/StepUp', { passkey: outcome.passkey });
  if (!answer.ok) return problemOf(answer);
  await readSelf();
  return undefined;
}

/** Has the browser make a passkey, and keeps it. @returns what went wrong, in words. */
export async function addPasskey(name: string): Promise<string | undefined> {
  const begun = await adminCall('x/admin/PasskeyAddOptions', {});
  if (!begun.ok) return problemOf(begun);
  const outcome = await createPasskey(begun.data.options);
  if ('wrong' in outcome) return problemOfCeremony(outcome);
  return problemOf(await adminCall('x/admin/PasskeyAdd', { credential: outcome.passkey, name }));
}
