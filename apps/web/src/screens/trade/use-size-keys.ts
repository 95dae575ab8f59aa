import type { RefObject } from 'react';
import { type KeyId, SIZE_KEYS } from '../../calculators/keys.ts';
import { useKeys } from './use-keys.ts';

/** Puts the focus into the ticket's size, selected: what is typed next replaces it. */
export function focusSize(form: RefObject<HTMLElement | null>): void {
  form.current?.querySelector<HTMLInputElement>('input[name="size"]')?.select();
}

/** The keys 1 to 5: shares of the largest size. */
export function useSizeKeys(form: RefObject<HTMLElement | null>, onPercent: (percent: number) => void): void {
  const entries = Object.entries(SIZE_KEYS).map(([id, percent]) => [
    id,
    () => {
      onPercent(percent);
      // The field has the new size after this turn.
      setTimeout(() => focusSize(form));
    },
  ]);
  useKeys(Object.fromEntries(entries) as Partial<Record<KeyId, () => void>>);
}
