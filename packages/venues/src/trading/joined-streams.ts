import type { UserStream, UserStreamHandlers } from '../venue-streams.ts';

/**
 * One private stream made of several sockets: it is open while all of them are, and every one that opens besides is a
 * moment to read again what it tells of.
 * @param open starts one socket with the handlers it is given.
 */
export function joinedStreams(
  handlers: UserStreamHandlers,
  open: readonly ((handlers: UserStreamHandlers) => UserStream)[],
): UserStream {
  const live = new Set<number>();
  const streams = open.map((start, at) =>
    start({
      onOrder: (event) => handlers.onOrder(event),
      onBalances: (balances) => handlers.onBalances(balances),
      onContracts: (event) => handlers.onContracts?.(event),
      onAlgo: (state) => handlers.onAlgo?.(state),
      onMalformed: (why) => handlers.onMalformed(why),
      onOpen() {
        live.add(at);
        if (live.size === open.length) handlers.onOpen();
      },
      onClosed(why) {
        live.delete(at);
        handlers.onClosed(why);
      },
    }),
  );
  return {
    close() {
      for (const stream of streams) stream.close();
    },
  };
}
