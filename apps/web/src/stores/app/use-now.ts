import { useEffect, useState } from 'react';
import { now } from './clock.ts';

/** The time, told again every so often while the screen is shown: for ages and countdowns. */
export function useNow(everyMillis: number): number {
  const [time, setTime] = useState<number>(now);
  useEffect(() => {
    const id = setInterval(() => setTime(now()), everyMillis);
    return () => clearInterval(id);
  }, [everyMillis]);
  return time;
}
