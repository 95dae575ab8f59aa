import { Link } from '@tanstack/react-router';
import { useText } from '../../i18n/i18n.ts';
import { Badge } from '../../ui/states.tsx';
import type { VenueEntry } from './navigation.ts';

/** A platform in a menu; one that cannot be traded says why. */
export function VenueLink({ venue, className }: { readonly venue: VenueEntry; readonly className: string }) {
  const t = useText();
  return (
    <Link to={venue.to} className={className}>
      {venue.name}
      {venue.label !== undefined && <Badge>{t(venue.label)}</Badge>}
    </Link>
  );
}
