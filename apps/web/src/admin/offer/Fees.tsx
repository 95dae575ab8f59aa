import type { AdminFeeRow } from '@crossbook/contract';
import { useText } from '../../i18n/i18n.ts';
import type { Column } from '../../ui/tables/Table.tsx';
import { Part } from '../parts/Part.tsx';

/** A fraction as a percent, to the letter: `0.0005` is `0.05 %`. */
function percentOf(fraction: string): string {
  return `${Number((Number(fraction) * 100).toFixed(6))} %`;
}

/** What the exchanges take. */
export function Fees({ rows }: { readonly rows: readonly AdminFeeRow[] }) {
  const t = useText();
  const columns: readonly Column<AdminFeeRow>[] = [
    { id: 'name', head: t('admin.platform'), cell: ({ name }) => name },
    { id: 'type', head: t('admin.offer.market'), cell: ({ symbolType }) => t(`admin.offer.${symbolType}`) },
    { id: 'maker', head: t('admin.offer.maker'), numeric: true, cell: ({ maker }) => percentOf(maker) },
    { id: 'taker', head: t('admin.offer.taker'), numeric: true, cell: ({ taker }) => percentOf(taker) },
    {
      ...{ id: 'instruments', head: t('admin.offer.instruments'), numeric: true, wideOnly: true },
      cell: ({ instruments }) => instruments,
    },
  ];
  return (
    <Part
      title={t('admin.offer.fees')}
      note={t('admin.offer.feesNote')}
      {...{ columns, rows }}
      rowKey={({ name, symbolType }) => `${name} ${symbolType}`}
    />
  );
}
