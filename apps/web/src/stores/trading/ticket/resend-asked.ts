import type { OrderRow } from '@crossbook/contract';
import { createStore } from 'zustand/vanilla';

/** Which order of the history the ticket of its market is to be filled in with. */
export const resendAskedStore = createStore<{ readonly row: OrderRow | undefined }>(() => ({
  row: undefined,
}));

/** Asks for it; `undefined` once the ticket has taken it up. */
export function askToResend(row: OrderRow | undefined): void {
  resendAskedStore.setState({ row });
}
