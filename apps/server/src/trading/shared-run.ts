/**
 * Runs of one key that are asked for side by side share their work: who comes while one runs gets the next, which all who
 * come by then share. So every asker is answered by a run that began after he asked, and there are never more than two.
 */
export function sharedRun<Answer>(): (key: string, run: () => Promise<Answer>) => Promise<Answer> {
  const running = new Map<string, { readonly now: Promise<Answer>; next?: Promise<Answer> }>();
  const begin = (key: string, run: () => Promise<Answer>): Promise<Answer> => {
    const entry = { now: run() };
    running.set(key, entry);
    const over = (): void => {
      if (running.get(key) === entry) running.delete(key);
    };
    entry.now.then(over, over);
    return entry.now;
  };
  return (key, run) => {
    const entry = running.get(key);
    if (entry === undefined) return begin(key, run);
    const after = () => begin(key, run);
    entry.next ??= entry.now.then(after, after);
    return entry.next;
  };
}
