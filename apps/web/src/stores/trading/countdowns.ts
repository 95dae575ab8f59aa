import type { CountdownRow } from '@crossbook/contract';
import { type Platform, platformFacts } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { text } from '../../i18n/i18n.ts';
import { call } from '../member/own-service.ts';

/** What exchanges are to cancel once the hub is not heard of; `undefined` until it was read, and for a visitor. */
export interface CountdownsState {
  readonly rows: readonly CountdownRow[] | undefined;
  readonly failed: boolean;
}

const AT_REST: CountdownsState = { rows: undefined, failed: false };

/** The newest answer. */
export const countdownsStore = createStore<CountdownsState>(() => AT_REST);

/** How often it is looked whether an exchange counts, while any is to. */
const LOOK_MILLIS = 5_000;

/** Reads them; without an answer what was read before stays. */
export async function loadCountdowns(): Promise<void> {
  const answer = await call('x/trade/Countdowns', {}, { quiet: true });
  if (answer.ok) countdownsStore.setState({ rows: answer.data, failed: false });
  else countdownsStore.setState({ failed: true });
}

/** Reads them, and again while one is on and the page is seen. @returns what ends that. */
export function keepCountdowns(): () => void {
  void loadCountdowns();
  const timer = setInterval(() => {
    const on = countdownsStore.getState().rows?.some(({ seconds }) => seconds > 0);
    if (on === true && document.visibilityState === 'visible') void loadCountdowns();
  }, LOOK_MILLIS);
  return () => clearInterval(timer);
}

/** Sets one; 0 seconds turn it off. @returns what to say where it was not done. */
export async function setCountdown(platform: Platform, seconds: number): Promise<string | undefined> {
  const { platformType } = platformFacts(platform);
  const answer = await call('x/trade/SetCountdown', { platformType, seconds });
  if (!answer.ok) {
    void loadCountdowns();
    return answer.kind === 'refused' ? answer.message : text('common.noAnswer');
  }
  countdownsStore.setState(({ rows }) => ({
    rows: rows?.map((row) => (row.exchange === platform ? answer.data : row)),
  }));
  return undefined;
}

/** Forgets everything: another member, or none. */
export function forgetCountdowns(): void {
  countdownsStore.setState(AT_REST, true);
}
