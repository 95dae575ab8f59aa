import type { ServerFrame, UserEvent } from '@crossbook/contract';
import type { UserId } from '@crossbook/domain';

/** A logged-in connection that private events go to. */
export interface PrivateListener {
  send(frame: ServerFrame): void;
}

/** Private events of members who are connected; each member's events carry a sequence without gaps (decision 0005). */
export interface UserEvents {
  publish(user: UserId, event: UserEvent): void;
  /** Whether the member has a connection now. */
  heard(user: UserId): boolean;
  /** Adds a connection and greets it with the newest sequence number. Returns what removes it. */
  listen(user: UserId, listener: PrivateListener): () => void;
  /** Tells one connection something that is for it alone and after which it hears no more, such as the end of its session. */
  tellLast(user: UserId, listener: PrivateListener, event: UserEvent): void;
}

/**
 * Makes the private side of the stream. Sequence numbers start above those of any former process, so that a client that
 * reconnects after a restart sees a gap and reads again by REST: the truth is in the database, the stream only hurries.
 * @param start a number that grows from one start of the process to the next, such as its start time in ms.
 */
export function createUserEvents(start: number): UserEvents {
  const members = new Map<UserId, { sequence: number; readonly listeners: Set<PrivateListener> }>();
  return {
    publish(user, event) {
      const member = members.get(user);
      if (member === undefined) return;
      member.sequence += 1;
      const frame: ServerFrame = { ch: 'user', q: member.sequence, d: event };
      for (const listener of member.listeners) listener.send(frame);
    },
    heard: (user) => (members.get(user)?.listeners.size ?? 0) > 0,
    listen(user, listener) {
      const member = members.get(user) ?? { sequence: start, listeners: new Set() };
      members.set(user, member);
      member.listeners.add(listener);
      listener.send({ ch: 'user', q: member.sequence, d: { kind: 'hello' } });
      return () => {
        member.listeners.delete(listener);
      };
    },
    tellLast(user, listener, event) {
      const member = members.get(user);
      if (member === undefined || !member.listeners.delete(listener)) return;
      // The number that follows for this listener; the others' sequence does not move.
      listener.send({ ch: 'user', q: member.sequence + 1, d: event });
    },
  };
}
