import { useState } from 'react';
import { useStore } from 'zustand';
import { type SessionState, sessionStore } from '../../stores/member/session.ts';
import { Skeleton } from '../../ui/states.tsx';

/** Who opens a page for logging in or signing up. */
export type Comer = 'visitor' | 'demo' | 'member';

/** Who it is now. What was typed stays when another tab logs in, or keeps the demo: a visitor or demo becomes no member here. */
function comerNow(before: Comer | undefined, { token, user }: SessionState): Comer | undefined {
  if (token === undefined) return 'visitor';
  if (user?.demo === true) return 'demo';
  return before ?? (user === undefined ? undefined : 'member');
}

/** Who opened this page; not known before a member's profile is. */
export function useComer(): Comer | undefined {
  const session = useStore(sessionStore);
  const [before, setComer] = useState<Comer>();
  const comer = comerNow(before, session);
  if (comer !== before) setComer(comer);
  return comer;
}

/** What stands there until it is known. */
export function ComerUnknown() {
  return (
    <div aria-busy="true" className="mx-auto w-full max-w-[400px] flex-1 px-4 py-10">
      <Skeleton className="h-96 w-full" />
    </div>
  );
}
