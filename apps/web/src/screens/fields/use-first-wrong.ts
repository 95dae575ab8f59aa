import { type RefObject, useEffect, useRef } from 'react';

/**
 * After each try the first wrong field of a form gets the focus, first as the form is read and not as its fields were named.
 * @returns the form's `ref`; the form leaves focusing to it (`shouldFocusError: false`).
 */
export function useFirstWrong(submitCount: number): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (submitCount > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [submitCount]);
  return form;
}
