import type { UserId } from '@crossbook/domain';

/** Bodies with a file that may be here at once: with the largest size they bound the memory that they take. */
const UPLOADS_MAX = 24;

/** The place of one request, from before its body until its answer. */
export interface UploadPlace {
  /** Takes the one place of a member, whatever session he uses; false when it or all are taken. */
  take(user: UserId): boolean;
  /** Gives back what was taken, if anything. */
  leave(): void;
}

/** Makes the places, all free; each request asks for its own. A sender that takes his time keeps only his. */
export function uploadPlaces(): () => UploadPlace {
  const taken = new Set<UserId>();
  return () => {
    let own: UserId | undefined;
    return {
      take(user) {
        if (taken.has(user) || taken.size >= UPLOADS_MAX) return false;
        taken.add(user);
        own = user;
        return true;
      },
      leave() {
        if (own !== undefined) taken.delete(own);
        own = undefined;
      },
    };
  };
}
