import { createStore } from 'zustand/vanilla';

/** Alarms: what must not be missed. A sound is played when `count` rises; `unseen` stands in the page's title. */
export interface AlarmsState {
  /** Of this sitting. */
  readonly count: number;
  /** Since the member last did anything on the page. */
  readonly unseen: number;
}

/** Alarms so far. */
export const alarmsStore = createStore<AlarmsState>(() => ({ count: 0, unseen: 0 }));

/** Something happened that must not be missed. */
export function alarm(): void {
  alarmsStore.setState(({ count, unseen }) => ({ count: count + 1, unseen: unseen + 1 }));
}

/** Somebody is at the page: what happened before has been seen. */
export function seeAlarms(): void {
  if (alarmsStore.getState().unseen > 0) alarmsStore.setState({ unseen: 0 });
}

/** The page's title with unseen alarms in front, where the narrow tab of a browser shows them. */
export function titleWithAlarms(title: string, unseen: number, word: string): string {
  return unseen === 0 ? title : `(${unseen}) ${word} · ${title}`;
}
