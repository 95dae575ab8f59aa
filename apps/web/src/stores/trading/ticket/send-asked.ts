import { createStore } from 'zustand/vanilla';

/** How often the ticket on screen was asked to send what stands in it. */
export const sendAskedStore = createStore<{ readonly count: number }>(() => ({ count: 0 }));

/** Asks the ticket to do what its button does. */
export function askToSend(): void {
  sendAskedStore.setState(({ count }) => ({ count: count + 1 }));
}
