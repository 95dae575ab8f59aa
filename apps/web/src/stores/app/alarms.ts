import { createStore } from 'zustand/vanilla';

/** Alarms: what must not be missed. A sound is played when `count` rises; `unseen` stands in the page's title. */
export interface AlarmsState {
  /** Of this sitting. */
  readonly count: number;
  /** What they were about, since the member last did anything on the page; several about one thing are one. */
  readonly unseen: ReadonlySet<string>;
}

/** Alarms so far. */
export const alarmsStore = createStore<AlarmsState>(() => ({ count: 0, unseen: new Set() }));

/** Things that the title counts; more of them are still sounded. */
const UNSEEN_MAX = 99;

/** Something happened that must not be missed. @param about the key of its notice. */
export function alarm(about: string): void {
  alarmsStore.setState(({ count, unseen }) => ({
    count: count + 1,
    unseen: unseen.size < UNSEEN_MAX ? new Set([...unseen, about]) : unseen,
  }));
}

/** Somebody is at the page: what happened before has been seen. */
export function seeAlarms(): void {
  if (alarmsStore.getState().unseen.size > 0) alarmsStore.setState({ unseen: new Set() });
}

/** The page's title with unseen alarms in front, where the narrow tab of a browser shows them. */
export function titleWithAlarms(title: string, unseen: number, word: string): string {
  return unseen === 0 ? title : `(${unseen}) ${word} · ${title}`;
}
