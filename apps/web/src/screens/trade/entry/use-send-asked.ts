import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { sendAskedStore } from '../../../stores/trading/ticket/send-asked.ts';

/** Does what the ticket's button does when that is asked for elsewhere on the page. */
export function useSendAsked(submit: () => void): void {
  const count = useStore(sendAskedStore, (state) => state.count);
  const seen = useRef(count);
  const current = useRef(submit);
  current.current = submit;
  useEffect(() => {
    if (seen.current === count) return;
    seen.current = count;
    current.current();
  }, [count]);
}
