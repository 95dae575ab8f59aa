import { createStore } from 'zustand/vanilla';

/**
 * Where in the phone's menu the page on screen says how it stands: there while the menu is open. The menu knows nothing of
 * pages, and a phone has no room for their status line.
 */
export const menuPlaceStore = createStore<{ readonly element: HTMLElement | null }>(() => ({
  element: null,
}));

/** Gives the place, and takes it away with the menu. */
export function offerMenuPlace(element: HTMLElement | null): void {
  menuPlaceStore.setState({ element });
}
