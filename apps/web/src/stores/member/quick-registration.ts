import { readStored, writeStored } from '../app/browser-storage.ts';

const KEY = 'quick registration';
const CHARACTERS_MAX = 254;

/** The e-mail or phone text that the home page kept in the browser; nothing else is checked there (spec section 5). */
export function readQuickRegistration(): string {
  return readStored(KEY) ?? '';
}

/** Keeps the text until the visitor has registered; an empty one is forgotten. */
export function keepQuickRegistration(text: string): void {
  writeStored(KEY, text === '' ? undefined : text.slice(0, CHARACTERS_MAX));
}
