import type { UserStream } from '../venue-streams.ts';

/** Accounts' streams that end with their connector, where nobody has closed them before. */
export class FollowedStreams {
  readonly #streams = new Set<UserStream>();

  keep(stream: UserStream): UserStream {
    this.#streams.add(stream);
    return {
      close: () => {
        this.#streams.delete(stream);
        stream.close();
      },
    };
  }

  close(): void {
    for (const stream of this.#streams) stream.close();
    this.#streams.clear();
  }
}
