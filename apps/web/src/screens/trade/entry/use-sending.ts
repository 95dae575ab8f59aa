import { useEffect, useRef, useState } from 'react';
import { sayNotDone } from '../../../stores/member/own-service.ts';
import type { Said } from './Answer.tsx';

/** Something that is sent by a button, and what became of it. */
export interface Sending {
  /** It is on its way. */
  readonly busy: boolean;
  /** What was said of it last; `undefined` before that, and where it was done. */
  readonly said: Said | undefined;
  /**
   * Sends, unless it is on its way already: a second press is none.
   * @param act gives what is to be said, nothing where it was done.
   */
  readonly send: (act: () => Promise<Said | undefined>) => Promise<void>;
}

/** Sends one thing at a time. What is refused after its dialog was left is said as a notice: nobody would see it there. */
export function useSending(): Sending {
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<Said>();
  const underWay = useRef(false);
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  const send = async (act: () => Promise<Said | undefined>): Promise<void> => {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    setSaid(undefined);
    const answer = await act();
    underWay.current = false;
    setBusy(false);
    if (here.current) setSaid(answer);
    else if (answer !== undefined) sayNotDone(answer.message);
  };
  return { busy, said, send };
}
