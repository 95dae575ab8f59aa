import { algosStore, loadAlgos } from '../../../../stores/algos/algos.ts';
import { positionsStore } from '../../../../stores/trading/contracts/positions.ts';
import { loadOpenOrders, ordersStore } from '../../../../stores/trading/orders.ts';

/** Pause between two looks at what the private stream told. */
const LOOK_EVERY_MILLIS = 1_000;
/** Each of these looks reads the list anew: a change without an answer may never have arrived. */
const READ_EVERY_LOOKS = 3;
/** Looks in all; then the line stands where the newest list has it. */
const LOOKS_MAX = 600;

/** What stands of a line's order now: `open` while it is not known which terms the exchange has. */
function standing(id: string): 'open' | 'known' {
  const [kind, of = ''] = id.split(' ');
  if (kind === 'order') {
    const row = ordersStore.getState().open.get(of);
    return row !== undefined && (row.change !== null || row.cancelPending) ? 'open' : 'known';
  }
  const row = algosStore.getState().open.get(of);
  return row !== undefined && (row.unknown || row.cancelPending) ? 'open' : 'known';
}

/** Reads anew what a line stands for. */
async function readAnew(id: string): Promise<void> {
  const [kind, of = ''] = id.split(' ');
  const order = ordersStore.getState().open.get(of);
  const waiting = algosStore.getState().open.get(of) ?? positionsStore.getState().open.get(of);
  if (kind === 'order' && order !== undefined) await loadOpenOrders(order.exchange);
  else if (waiting !== undefined) await loadAlgos(waiting.exchange);
}

/**
 * Waits until it is known what became of a line's change. One that was open is over as soon as the stream says so; of one that
 * nobody has heard of only a list that is read later tells.
 */
export async function untilKnown(id: string, ended: AbortSignal): Promise<void> {
  let seen = standing(id) === 'open';
  for (let look = 1; look <= LOOKS_MAX && !ended.aborted; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MILLIS));
    if (!ended.aborted && look % READ_EVERY_LOOKS === 0) await readAnew(id);
    const open = standing(id) === 'open';
    if (!open && (seen || look >= READ_EVERY_LOOKS)) return;
    seen ||= open;
  }
}
