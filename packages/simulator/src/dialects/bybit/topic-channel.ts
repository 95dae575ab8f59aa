import type { Millis } from '@crossbook/domain';
import type { SimBookChange, SimTrade } from '../../exchange.ts';

/** One topic that somebody listens to: gathers what happens, writes whole frames when it is due. */
export interface TopicChannel {
  readonly symbol: string;
  /** How often it speaks; 0 is at every tick of the hub. */
  readonly everyMillis: number;
  onTrade?(trade: SimTrade): void;
  onBookChange?(change: SimBookChange): void;
  /** What one who joins hears first: the whole of what the others have been told so far. */
  greeting(now: Millis): string | undefined;
  /** The frames since the last flush, as JSON text. */
  flush(now: Millis): readonly string[];
}
