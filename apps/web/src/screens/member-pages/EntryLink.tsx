import { Link } from '@tanstack/react-router';
import { useText } from '../../i18n/i18n.ts';
import { Badge } from '../../ui/states.tsx';
import type { Entry } from './entries.ts';

/** A menu entry; one whose screen comes later says so. */
export function EntryLink({ entry, className }: { readonly entry: Entry; readonly className: string }) {
  const t = useText();
  return (
    <Link to={entry.to} className={className}>
      {t(entry.labelId)}
      {entry.later && <Badge>{t('nav.later')}</Badge>}
    </Link>
  );
}
