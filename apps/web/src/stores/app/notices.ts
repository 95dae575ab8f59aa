import { createStore } from 'zustand/vanilla';

/** How much a notice matters. */
export type NoticeTone = 'success' | 'info' | 'warning' | 'error';

/** A short message to the user. `id` names a catalogue text; `text` is one that the server wrote. */
export interface Notice {
  readonly serial: number;
  readonly tone: NoticeTone;
  /** Notices of the same key replace each other: three fills of an order are one toast. */
  readonly key?: string;
  readonly message:
    | { readonly text: string }
    | { readonly id: string; readonly values?: Readonly<Record<string, string | number>> };
}

/** Notices kept; the oldest go first. */
export const NOTICES_MAX = 50;

let serial = 0;

/** What was said, oldest first. The shell shows new ones as toasts. */
export const noticesStore = createStore<{ readonly notices: readonly Notice[] }>(() => ({ notices: [] }));

/** Says something to the user. */
export function notify(tone: NoticeTone, message: Notice['message'], key?: string): void {
  serial += 1;
  const notice: Notice = { serial, tone, message, ...(key === undefined ? {} : { key }) };
  noticesStore.setState(({ notices }) => ({ notices: [...notices, notice].slice(-NOTICES_MAX) }));
}
