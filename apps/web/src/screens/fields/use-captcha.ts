import { useCallback, useEffect, useRef, useState } from 'react';
import { solveCaptcha } from '../../stores/member/captcha.ts';

/** The background proof of work of a form. */
export interface Captcha {
  /** Whole percent of the work done; 100 when a solution is ready. */
  readonly percent: number;
  readonly failed: boolean;
  /** The solution, waiting for it if need be; it is used up, and the next one, for this account, is begun when asked for. */
  readonly take: (account?: string) => Promise<string | undefined>;
}

/** Begins the work when the form appears, so that it is done when the button is pressed. */
export function useCaptcha(): Captcha {
  const [percent, setPercent] = useState(0);
  const [failed, setFailed] = useState(false);
  const work = useRef<Promise<string | undefined> | undefined>(undefined);
  const ending = useRef<AbortController | undefined>(undefined);

  const begin = useCallback((account?: string) => {
    const controller = new AbortController();
    ending.current = controller;
    setFailed(false);
    setPercent(0);
    const solving = solveCaptcha(
      (share) => {
        if (!controller.signal.aborted) setPercent(Math.floor(share * 100));
      },
      controller.signal,
      account,
    );
    work.current = solving;
    void solving.then((solution) => {
      if (solution === undefined && !controller.signal.aborted) setFailed(true);
    });
    return solving;
  }, []);

  useEffect(() => {
    void begin();
    return () => {
      ending.current?.abort();
      work.current = undefined;
    };
  }, [begin]);

  const take = useCallback(
    async (account?: string) => {
      let solution = await (work.current ?? begin(account));
      // A challenge that could not be fetched a minute ago may be there now.
      if (solution === undefined) solution = await begin(account);
      work.current = undefined;
      return solution;
    },
    [begin],
  );

  return { percent, failed, take };
}
