import type { Platform } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';

/** At which platform all positions are to be closed: the positions tab asks before it does. */
export const closeAskedStore = createStore<{ readonly platform: Platform | undefined }>(() => ({
  platform: undefined,
}));

/** Asks for it, from anywhere; `undefined` once somebody has taken it up. */
export function askToClose(platform: Platform | undefined): void {
  closeAskedStore.setState({ platform });
}
