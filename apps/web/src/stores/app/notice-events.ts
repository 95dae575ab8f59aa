import type { NoticeEvent } from './notices.ts';

/** Sounds, the gravest last. */
export const SOUNDS = ['order', 'filled', 'fired', 'alert', 'warn', 'error', 'alarm'] as const;
/** What is heard. */
export type SoundName = (typeof SOUNDS)[number];

/** How an event of trading is told. */
export interface EventTelling {
  /** How long its toast is shown, ms; `stays`: until it is put away; `none`: it has no toast. */
  readonly toast: number | 'stays' | 'none';
  readonly sound?: SoundName;
  /** The list of notices does not keep it: the member did it and saw the answer. */
  readonly passing?: true;
}

/** Toast, sound and list of each event of trading, in one table. */
export const EVENT_TELLINGS: Readonly<Record<NoticeEvent, EventTelling>> = {
  own: { toast: 2_000, sound: 'order', passing: true },
  filled: { toast: 5_000, sound: 'filled' },
  fired: { toast: 5_000, sound: 'fired' },
  failed: { toast: 8_000, sound: 'error' },
  unknown: { toast: 'stays', sound: 'error' },
  settings: { toast: 8_000 },
  near: { toast: 'stays', sound: 'warn' },
  danger: { toast: 'stays', sound: 'alarm' },
  alert: { toast: 8_000, sound: 'alert' },
  booked: { toast: 'none' },
};
