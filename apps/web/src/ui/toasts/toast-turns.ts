/** Shows a toast under a name; the second must be called when it begins to leave. */
type Show = (id: string, leaves: () => void) => void;

interface Turn {
  readonly id: string;
  readonly show: Show;
}

/** The newest toast of each key that has not begun to leave. */
const newest = new Map<string, Turn>();
let names = 0;

/**
 * Shows a toast in the place of the one of the same key. One that is leaving takes whatever is put into it along when it goes, so
 * what comes meanwhile is shown under a name of its own.
 */
export function showInTurn(key: string, show: Show): void {
  names += 1;
  const turn = { id: newest.get(key)?.id ?? `${key} ${names}`, show };
  newest.set(key, turn);
  show(turn.id, () => {
    const last = newest.get(key);
    if (last?.id !== turn.id) return;
    newest.delete(key);
    // It was handed in before this one left, and came too late to be shown in it.
    if (last !== turn) showInTurn(key, last.show);
  });
}
