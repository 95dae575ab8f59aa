import { useEffect, useRef } from 'react';
import { createKeyReader, type KeyId } from '../../calculators/keys.ts';
import { isTyping } from '../../ui/typing.ts';

/**
 * Does what a key is for, for as long as the part is on screen: each part of a page hears its own keys. In a text field
 * only those with Ctrl count, behind a dialog none.
 */
export function useKeys(handlers: Readonly<Partial<Record<KeyId, () => void>>>): void {
  const current = useRef(handlers);
  current.current = handlers;
  useEffect(() => {
    const read = createKeyReader();
    const onKey = (event: KeyboardEvent): void => {
      const behindDialog = document.querySelector('dialog[open]') !== null;
      if (behindDialog || (isTyping(event.target) && !event.ctrlKey)) return;
      const id = read(event);
      const act = id === undefined ? undefined : current.current[id];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
