import type { CallResponse } from '@crossbook/contract';
import { createStore } from 'zustand/vanilla';
import { notify } from '../app/notices.ts';
import { beginSession } from './session.ts';

/** What a log-in still asks for; lives no longer than the page, like the ticket itself, which is good for ten minutes. */
export interface LogInStep {
  readonly next: 'device' | 'totp';
  readonly ticket: string;
  /** What serves for it. */
  readonly methods: readonly ('code' | 'totp' | 'passkey' | 'recovery')[];
  /** Where the code went, masked; `null` for an authenticator. */
  readonly maskedTo: string | null;
}

/** A log-in under way: the account as it was given, and where to go after it. */
export interface LogInState {
  readonly account: string;
  readonly goTo: string | undefined;
  readonly step: LogInStep | undefined;
}

const NONE: LogInState = { account: '', goTo: undefined, step: undefined };

/** The log-in of this page. */
export const logInStore = createStore<LogInState>(() => NONE);

/** Where the further steps of a log-in are taken. */
const STEP_PATHS = { device: '/otp', totp: '/otpauth' } as const;

/** Remembers who logs in, so that nothing is typed twice when the log-in has to begin again. */
export function keepLogIn(account: string, goTo: string | undefined): void {
  logInStore.setState({ account, goTo, step: undefined });
}

/** A log-in that cannot go on begins again at /login, with its account. */
export function forgetStep(): void {
  logInStore.setState({ step: undefined });
}

/** Takes the answer of a step. @returns the path that comes next: another step, or where the visitor wanted to go. */
export function takeAnswer(answer: CallResponse<'user/login'>): string {
  if ('next' in answer) {
    logInStore.setState({ step: answer });
    return STEP_PATHS[answer.next];
  }
  const { goTo } = logInStore.getState();
  logInStore.setState(NONE, true);
  beginSession(answer);
  notify('success', { id: 'sign.loggedIn' });
  return goTo ?? '/wallet/WalletOverviewSub';
}
