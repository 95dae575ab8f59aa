import { formatDateTime } from '../../i18n/format.ts';
import { useLocale, useText } from '../../i18n/i18n.ts';
import type { Column } from '../../ui/tables/Table.tsx';
import { byText } from '../parts/by-text.ts';
import { ON_PHONE, Part } from '../parts/Part.tsx';
import { type Change, fieldText, valueText } from './SettingDialog.tsx';

/** What was set last of fees, currencies and networks. */
export function SettingHistory({ rows }: { readonly rows: readonly Change[] }) {
  const t = useText();
  const locale = useLocale();
  if (rows.length === 0) return null;
  const columns: readonly Column<Change>[] = [
    { id: 'at', head: t('common.time'), cell: ({ at }) => formatDateTime(at, locale) },
    {
      id: 'what',
      head: t('admin.what'),
      cell: ({ subject, field }) => (
        <span className={ON_PHONE}>
          {subject === 'rewards' ? fieldText(t, field) : `${subject} · ${fieldText(t, field)}`}
        </span>
      ),
    },
    { id: 'value', head: t('admin.offer.value'), cell: ({ field, value }) => valueText(t, field, value) },
    { id: 'from', head: t('admin.offer.from'), cell: ({ from }) => formatDateTime(from, locale) },
    { id: 'by', head: t('admin.audit.actor'), cell: ({ by }) => byText(t, by), wideOnly: true },
    { id: 'reason', head: t('admin.reason'), cell: ({ reason }) => reason, wideOnly: true },
  ];
  return <Part title={t('admin.offer.settings')} {...{ columns, rows }} rowKey={({ id }) => id} />;
}
