import { useRef } from 'react';
import { heldStill, type Said } from '../../../calculators/ticket/held-still.ts';

/** Words under a field, held still where the market would move them (see `heldStill`). */
export function useHeldStill<Words>(of: string | undefined, words: Words): Words {
  const held = useRef<Said<Words>>(undefined);
  held.current = heldStill(held.current, { of, words });
  return held.current.words;
}
