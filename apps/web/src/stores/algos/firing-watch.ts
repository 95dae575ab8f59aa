import { notify } from '../app/notices.ts';
import { algosStore } from './algos.ts';

/** What is still firing after this long is an alarm. */
const FIRING_MILLIS_MAX = 5_000;

/**
 * Says of each order that fires and does not become one that nobody knows yet what came of it: once, after its own five seconds,
 * wherever it waited.
 * @returns what ends it.
 */
export function watchFiring(): () => void {
  const watched = new Map<string, ReturnType<typeof setTimeout>>();
  const look = ({ open } = algosStore.getState()): void => {
    for (const [id, timer] of watched) {
      if (open.get(id)?.state === 'firing') continue;
      clearTimeout(timer);
      watched.delete(id);
    }
    for (const { algoId, state, symbol } of open.values()) {
      if (state !== 'firing' || watched.has(algoId)) continue;
      const say = () =>
        notify('error', { id: 'algo.stillFiring', values: { symbol } }, `algo ${algoId}`, {
          event: 'danger',
        });
      watched.set(algoId, setTimeout(say, FIRING_MILLIS_MAX));
    }
  };
  look();
  const leave = algosStore.subscribe(look);
  return () => {
    leave();
    for (const timer of watched.values()) clearTimeout(timer);
  };
}
