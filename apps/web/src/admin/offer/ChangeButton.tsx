import { useText } from '../../i18n/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import type { Column } from '../../ui/tables/Table.tsx';

/** The last column of a table whose rows can be changed: none for who may not. */
export function useChangeColumn<Row>(
  onChange: ((row: Row) => void) | undefined,
  nameOf: (row: Row) => string,
): readonly Column<Row>[] {
  const t = useText();
  if (onChange === undefined) return [];
  return [
    {
      ...{ id: 'set', head: <span className="sr-only">{t('admin.offer.set')}</span>, numeric: true },
      sticky: 'always',
      cell: (row) => (
        <Button
          size="small"
          aria-label={t('admin.offer.setName', { name: nameOf(row) })}
          onClick={() => onChange(row)}
        >
          {t('admin.offer.set')}
        </Button>
      ),
    },
  ];
}
