import type { Platform } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { now } from './clock.ts';

/** How much a notice matters. */
export type NoticeTone = 'success' | 'info' | 'warning' | 'error';

/** What is said: `id` names a catalogue text; `text` is one that the server wrote. */
export type NoticeMessage =
  | { readonly text: string }
  | { readonly id: string; readonly values?: Readonly<Record<string, string | number>> };

/** A button of a notice: its text in the catalogue, and where it leads. */
export type NoticeAction = { readonly label: string } & (
  | { readonly does: 'add-margin' }
  | { readonly does: 'close' | 'history'; readonly platform: Platform; readonly symbol: string }
);

/** A short message to the user. */
export interface Notice {
  readonly serial: number;
  /** When it was said, ms. */
  readonly at: number;
  readonly tone: NoticeTone;
  /** Notices of the same key replace each other: three fills of an order are one toast. */
  readonly key?: string;
  readonly message: NoticeMessage;
  /** A second, quieter line: what it was about. */
  readonly detail?: NoticeMessage;
  /** Stays until it is put away. */
  readonly stays?: true;
  /** What can be done about it, nearest first. */
  readonly actions?: readonly NoticeAction[];
  /** Only kept in the list, never a toast. */
  readonly quiet?: true;
}

/** Notices kept; the oldest go first. */
export const NOTICES_MAX = 50;

let serial = 0;

/** What was said, oldest first. The shell shows new ones as toasts. */
export const noticesStore = createStore<{ readonly notices: readonly Notice[] }>(() => ({ notices: [] }));

/** Says something to the user. */
export function notify(
  tone: NoticeTone,
  message: NoticeMessage,
  key?: string,
  more: Pick<Notice, 'detail' | 'stays' | 'quiet' | 'actions'> = {},
): void {
  serial += 1;
  const notice: Notice = { serial, at: now(), tone, message, ...(key === undefined ? {} : { key }), ...more };
  noticesStore.setState(({ notices }) => ({ notices: [...notices, notice].slice(-NOTICES_MAX) }));
}
