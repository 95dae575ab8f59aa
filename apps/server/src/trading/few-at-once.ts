/** What waits for a price is cancelled so many at a time: those of one market go together where their exchange takes several by a call. */
export const ALGOS_AT_ONCE_MAX = 10;

/** Works on all, a few at a time, and keeps their order. */
export async function fewAtOnce<Item, Outcome>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = items.entries();
  const one = async (): Promise<void> => {
    for (const [at, item] of waiting) outcomes[at] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return outcomes;
}
