import { useEffect, useRef } from 'react';
import { boundKeys } from '../../../calculators/key-bindings.ts';
import { createKeyReader, type Key, type KeyId, type KeyScene } from '../../../calculators/keys.ts';
import { tradeSettingsStore } from '../../../stores/app/settings.ts';
import { isTyping } from '../../../ui/entry/typing.ts';

/** What a part of the page does at its keys. */
export type KeyHandlers = Readonly<Partial<Record<KeyId, (key: Key) => void>>>;

function sceneOf(target: EventTarget | null): KeyScene {
  const { tradingKeys, keyBindings } = tradeSettingsStore.getState();
  const inTicket = target instanceof HTMLElement && target.closest('[data-ticket]') !== null;
  return {
    keys: boundKeys(keyBindings),
    trading: tradingKeys,
    field: isTyping(target) ? (inTicket ? 'ticket' : 'other') : 'none',
    dialog: document.querySelector('dialog[open]') !== null,
  };
}

/** Does what a key is for, for as long as the part is on screen: each part of a page hears its own keys. */
export function useKeys(handlers: KeyHandlers): void {
  const current = useRef(handlers);
  current.current = handlers;
  useEffect(() => {
    const read = createKeyReader();
    const onKey = (event: KeyboardEvent): void => {
      const key = read(event, sceneOf(event.target));
      const act = key === undefined ? undefined : current.current[key.id];
      if (key === undefined || act === undefined) return;
      event.preventDefault();
      act(key);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
