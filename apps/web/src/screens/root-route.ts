import { createRootRoute, redirect } from '@tanstack/react-router';
import type { MessageId } from '../i18n/i18n.ts';
import { isMember, sessionStore } from '../stores/member/session.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Text of the page title behind the product name. */
    titleId?: MessageId;
    /** The screen fills the window: no footer, no page scroll on a desktop. */
    terminal?: boolean;
  }
}

/** The route that all others stand below. The router gives it the shell. */
export const root = createRootRoute();

/** Protected routes check for a stored token and redirect to /login when it is absent (spec section 4). */
export function requireToken({ location }: { location: { href: string } }): void {
  if (!isMember(sessionStore.getState())) throw redirect({ to: '/login', search: { next: location.href } });
}
