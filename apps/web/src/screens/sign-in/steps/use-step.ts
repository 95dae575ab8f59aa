import type { CallInput } from '@crossbook/contract';
import { useNavigate } from '@tanstack/react-router';
import { forgetStep, type LogInStep, takeAnswer } from '../../../stores/member/log-in.ts';
import { call, problemOf, refusalCode } from '../../../stores/member/own-service.ts';
import { askPasskey, type PasskeyOutcome } from '../../../stores/member/passkeys.ts';

/** Codes of the error catalogue after which there is nothing more to try here, and where it goes on. */
const ENDS = [
  { code: 2009, to: { to: '/login' } },
  { code: 2019, to: { to: '/forgotPassword_A', search: { for: 'unfreeze' } } },
] as const;

/**
 * Goes to where a log-in goes on that cannot go on here: back to /login where its ticket is worth nothing any more, or to where a
 * frozen account is opened. @returns false where the refusal leaves something to try.
 */
export function useEnds() {
  const navigate = useNavigate();
  return async (code: number | undefined): Promise<boolean> => {
    const end = ENDS.find((one) => one.code === code);
    if (end === undefined) return false;
    forgetStep();
    await navigate({ ...end.to, replace: true });
    return true;
  };
}

/**
 * Takes a step of a log-in and goes on: to the next step, to where the visitor wanted to go, or where it cannot go on here. What it
 * answers is what is wrong with the proof, in words.
 */
export function useStep({ ticket }: LogInStep) {
  const navigate = useNavigate();
  const ends = useEnds();
  return async (proof: Omit<CallInput<'user/loginstep2'>, 'ticket'>): Promise<string | undefined> => {
    const answer = await call('user/loginstep2', { ticket, ...proof });
    if (answer.ok) {
      await navigate({ to: takeAnswer(answer.data), replace: true });
      return undefined;
    }
    return (await ends(refusalCode(answer))) ? undefined : problemOf(answer);
  };
}

/** Asks for a passkey as the step of a log-in; one whose time is over begins again. */
export function useAskPasskey({ ticket }: LogInStep) {
  const ends = useEnds();
  return async (): Promise<PasskeyOutcome> => {
    const outcome = await askPasskey({ ticket });
    if ('problem' in outcome) await ends(outcome.code);
    return outcome;
  };
}
