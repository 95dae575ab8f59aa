import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { MessageId } from '../../i18n/i18n.ts';
import { root } from '../root-route.ts';

const screens = () => import('./content-screens.tsx');

function page<const Path extends string>(
  path: Path,
  titleId: MessageId,
  screen: keyof Awaited<ReturnType<typeof screens>>,
) {
  return createRoute({
    getParentRoute: () => root,
    path,
    staticData: { titleId },
    component: lazyRouteComponent(screens, screen),
  });
}

/** Texts of the hub: its own pages where the operator names none of his. */
export const contentRoutes = [
  page('/event', 'title.events', 'EventsScreen'),
  page('/eventDetail/$eventId', 'title.events', 'EventScreen'),
  page('/announcements', 'footer.announcements', 'AnnouncementsScreen'),
  page('/announcements/$slug', 'footer.announcements', 'AnnouncementScreen'),
  page('/terms', 'footer.terms', 'TermsScreen'),
  page('/privacy', 'footer.privacy', 'PrivacyScreen'),
  page('/support', 'footer.support', 'SupportScreen'),
  page('/community', 'title.community', 'CommunityScreen'),
] as const;
