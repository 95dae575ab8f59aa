import type { CallResponse } from '@crossbook/contract';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { now } from '../app/clock.ts';
import { repeatWhileShown } from '../market-lists/tickers.ts';
import { call } from '../member/own-service.ts';
import { sessionStore } from '../member/session.ts';
import { balancesStore } from './balances.ts';

/** The member's estimated equity as it was last read. */
export interface EquityState {
  /** `undefined` until it was read once. */
  readonly equity: CallResponse<'x/wallet/Equity'> | undefined;
  /** When it was last read, ms by the browser's clock. */
  readonly at: number | undefined;
  /** Whether the newest try failed: what is shown is what was read before. */
  readonly failing: boolean;
}

const UNREAD: EquityState = { equity: undefined, at: undefined, failing: false };

/** Estimated equity of the member; unread for a visitor. */
export const equityStore = createStore<EquityState>(() => UNREAD);

/** Balance events come in bursts; what follows one is read once. */
const SETTLING_MILLIS = 500;

let asked = 0;
let kept = 0;

/** Reads the estimate. A failure is silent: what was read before stays, and its age tells. */
export async function loadEquity(): Promise<void> {
  const turn = ++asked;
  const { token } = sessionStore.getState();
  const answer = await call('x/wallet/Equity', {}, { quiet: true });
  // Another member's figures, or older ones than those on screen.
  if (token !== sessionStore.getState().token || turn < kept) return;
  kept = turn;
  if (answer.ok) equityStore.setState({ equity: answer.data, at: now(), failing: false });
  else equityStore.setState({ failing: true });
}

/** Reads the estimate now, every so often while the page is seen, and after balance events, until it is released. */
export function keepEquity(): () => void {
  let settling: ReturnType<typeof setTimeout> | undefined;
  const stopRepeating = repeatWhileShown(() => void loadEquity());
  const stopListening = balancesStore.subscribe(() => {
    if (settling !== undefined) return;
    settling = setTimeout(() => {
      settling = undefined;
      void loadEquity();
    }, SETTLING_MILLIS);
  });
  return () => {
    stopRepeating();
    stopListening();
    clearTimeout(settling);
  };
}

/** The estimate, kept current while the screen is shown. */
export function useEquity(): EquityState {
  useEffect(keepEquity, []);
  return useStore(equityStore);
}

sessionStore.subscribe((next, before) => {
  if (next.token !== before.token) equityStore.setState(UNREAD, true);
});
