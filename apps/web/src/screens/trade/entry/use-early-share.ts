import { useEffect, useRef } from 'react';

/**
 * A share that was chosen before the ticket knew of what becomes a size as soon as it does.
 * @param known whether the largest size is.
 * @param empty no size stands in the ticket.
 */
export function useEarlyShare(
  percent: number | undefined,
  { known, empty }: { readonly known: boolean; readonly empty: boolean },
  onShare: (percent: number) => void,
): void {
  const act = useRef(onShare);
  act.current = onShare;
  useEffect(() => {
    if (percent !== undefined && percent > 0 && known && empty) act.current(percent);
  }, [percent, known, empty]);
}
