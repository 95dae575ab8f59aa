import { createRemembered, type Millis } from '@crossbook/domain';
import type { SessionEnd, SessionRecord, SessionStore } from '../ports.ts';
import type { SessionEvents } from './session-events.ts';

/** Sessions kept in memory, some 300 bytes each. */
const SESSIONS_REMEMBERED_MAX = 100_000;
/** A remembered session is read again after this long, so that what was changed by hand in the database counts, too. */
const REMEMBERED_MILLIS_MAX = 30_000;

interface Seen {
  readonly session: SessionRecord | undefined;
  readonly readAt: Millis;
}

/**
 * The same store, asked once for a session and then for what changes it. An ended session is unknown from the moment its
 * end begins to be written, and whatever ended it otherwise says so by `events`. One process only: a second one would not hear of the first one's log-outs.
 */
export function rememberSessions(store: SessionStore, events: SessionEvents): SessionStore {
  const memory = createRemembered<Seen>({
    entriesMax: SESSIONS_REMEMBERED_MAX,
    keeps: ({ session }) => session !== undefined,
  });
  const forget = ({ hashes }: SessionEnd): void => {
    for (const hash of hashes) memory.forget(hash);
  };
  events.onEnd(forget);
  events.onNewCookie(memory.forget);
  return {
    open: (user, session, replaces) =>
      memory.change(replaces === undefined ? [] : [replaces], () => store.open(user, session, replaces)),
    async live(hash, now) {
      const read = async (): Promise<Seen> => ({ session: await store.live(hash, now), readAt: now });
      const fits = ({ readAt }: Seen): boolean => now >= readAt && now - readAt < REMEMBERED_MILLIS_MAX;
      const { session } = await memory.get(hash, read, fits);
      return session !== undefined && session.expiresAt > now ? session : undefined;
    },
    seen: (id, at) => store.seen(id, at),
    byId: (id, now) => store.byId(id, now),
    end: (hash, now) => memory.change([hash], () => store.end(hash, now)),
  };
}
