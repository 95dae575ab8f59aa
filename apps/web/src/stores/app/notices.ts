import type { OrderRow } from '@crossbook/contract';
import type { Platform } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { alarm } from './alarms.ts';
import { now } from './clock.ts';

/** How much a notice matters. */
export type NoticeTone = 'success' | 'info' | 'warning' | 'error';

/**
 * What happened in trading; how long it is shown, what it sounds like and whether it is kept stands in `notice-events.ts`. `own`
 * is what the member did, `danger` what must not be missed: it is an alarm as well.
 */
export type NoticeEvent =
  | 'own'
  | 'filled'
  | 'fired'
  | 'failed'
  | 'unknown'
  | 'settings'
  | 'near'
  | 'danger'
  | 'alert'
  | 'booked';

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
  /** Why an exchange refused: its code stands under "Details". */
  readonly venue?: OrderRow['refusal'] | undefined;
  /** Absent: nothing of trading, and shown as long as its tone says. */
  readonly event?: NoticeEvent;
  /** What can be done about it, nearest first. */
  readonly actions?: readonly NoticeAction[];
}

/** Notices kept; the oldest go first. */
export const NOTICES_MAX = 50;

let serial = 0;

/** What was said, oldest first. The shell shows new ones as toasts. */
export const noticesStore = createStore<{
  readonly notices: readonly Notice[];
  /** The serial of the newest that the list was opened for. */
  readonly seen: number;
}>(() => ({ notices: [], seen: 0 }));

/** Says something to the user. */
export function notify(
  tone: NoticeTone,
  message: NoticeMessage,
  key?: string,
  more: Pick<Notice, 'venue' | 'detail' | 'event' | 'actions'> = {},
): void {
  serial += 1;
  const notice: Notice = { serial, at: now(), tone, message, ...(key === undefined ? {} : { key }), ...more };
  noticesStore.setState(({ notices }) => ({ notices: [...notices, notice].slice(-NOTICES_MAX) }));
  if (more.event === 'danger') alarm(key ?? String(serial));
}
