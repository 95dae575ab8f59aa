import type { Millis } from '@crossbook/domain';
import type { SimCandle } from '../../exchange.ts';

/** Bars that may have closed between two messages of a busy process. */
export const BARS_PER_MESSAGE_MAX = 5;

/** Which bars a stream has sent, and so which it sends next. */
export class BarUpdates {
  #lastOpen: Millis | undefined;
  #lastTrades = -1;

  /**
   * Of the newest bars, ascending, those of the next message: every one that closed since the last message, then
   * the running one if it changed. The first time it is the running one alone.
   */
  take(newest: readonly SimCandle[]): readonly SimCandle[] {
    const running = newest.at(-1);
    if (running === undefined) return [];
    const since = this.#lastOpen;
    const closed = since === undefined ? [] : newest.slice(0, -1).filter((bar) => bar.time >= since);
    const changed = running.time !== since || running.trades !== this.#lastTrades;
    this.#lastOpen = running.time;
    this.#lastTrades = running.trades;
    return changed ? [...closed, running] : closed;
  }
}
