import type { AdminCurrencyRow } from '@crossbook/contract';
import { useState } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { adminCall } from '../../stores/admin/admin-service.ts';
import type { Column } from '../../ui/tables/Table.tsx';
import { byText } from '../parts/by-text.ts';
import { ON_PHONE, Part } from '../parts/Part.tsx';
import { useChangeColumn } from './ChangeButton.tsx';
import { useMaySet } from './may-set.ts';
import { NextValues, openText, SettingDialog, yesNo } from './SettingDialog.tsx';

/** Currencies: where they are listed, what lists show of them, and what is open. */
export function Currencies({ rows }: { readonly rows: readonly AdminCurrencyRow[] }) {
  const t = useText();
  const [chosen, setChosen] = useState<AdminCurrencyRow>();
  const maySet = useMaySet('x/admin/CurrencySet');
  const change = useChangeColumn<AdminCurrencyRow>(maySet ? setChosen : undefined, ({ asset }) => asset);
  const columns: readonly Column<AdminCurrencyRow>[] = [
    { id: 'asset', head: t('admin.funds.asset'), cell: ({ asset }) => asset },
    { id: 'name', head: t('admin.offer.field.name'), cell: ({ name }) => name, wideOnly: true },
    {
      id: 'on',
      head: t('admin.page.platforms'),
      cell: ({ platforms }) => (platforms.length === 0 ? '-' : platforms.join(', ')),
      wideOnly: true,
    },
    {
      id: 'shown',
      head: t('admin.offer.field.shown'),
      cell: ({ shown }) => t(shown ? 'admin.yes' : 'admin.no'),
    },
    {
      id: 'open',
      head: t('admin.offer.open'),
      cell: (row) => <span className={ON_PHONE}>{openText(t, row)}</span>,
    },
    {
      ...{ id: 'position', head: t('admin.offer.field.position'), numeric: true, wideOnly: true },
      cell: ({ position }) => position,
    },
    { id: 'next', head: t('admin.offer.next'), cell: ({ next }) => <NextValues next={next} /> },
    {
      id: 'by',
      head: t('admin.audit.actor'),
      cell: ({ by }) => (by === null ? '-' : byText(t, by)),
      wideOnly: true,
    },
    ...change,
  ];
  return (
    <>
      <Part
        title={t('admin.offer.currencies')}
        note={t('admin.offer.currenciesNote')}
        {...{ columns, rows }}
        rowKey={({ asset }) => asset}
      />
      {chosen !== undefined && <SetCurrency row={chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}

function SetCurrency({ row, onClose }: { readonly row: AdminCurrencyRow; readonly onClose: () => void }) {
  const t = useText();
  const { asset, name, shown, deposits, withdrawals, position, next } = row;
  return (
    <SettingDialog
      title={t('admin.offer.setName', { name: asset })}
      values={[
        ['shown', yesNo(shown)],
        ['deposits', yesNo(deposits)],
        ['withdrawals', yesNo(withdrawals)],
        ['position', String(position)],
        ['name', name],
      ]}
      next={next}
      onAsk={({ shown: listed, deposits: into, withdrawals: out, position: place, name: called }, reason) =>
        adminCall('x/admin/CurrencySet', {
          asset,
          ...(listed === undefined ? {} : { shown: listed === 'true' }),
          ...(into === undefined ? {} : { deposits: into === 'true' }),
          ...(out === undefined ? {} : { withdrawals: out === 'true' }),
          ...(place === undefined ? {} : { position: place }),
          ...(called === undefined ? {} : { name: called }),
          reason,
        })
      }
      onClose={onClose}
    />
  );
}
