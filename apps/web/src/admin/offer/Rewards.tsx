import type { AdminRewardRow } from '@crossbook/contract';
import { useState } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { adminCall } from '../../stores/admin/admin-service.ts';
import type { Column } from '../../ui/tables/Table.tsx';
import { ON_PHONE, Part } from '../parts/Part.tsx';
import { useChangeColumn } from './ChangeButton.tsx';
import { useMaySet } from './may-set.ts';
import { fieldText, NextValues, SettingDialog, valueText } from './SettingDialog.tsx';

/** What the hub gives for bringing others. */
export function Rewards({ rows }: { readonly rows: readonly AdminRewardRow[] }) {
  const t = useText();
  const [chosen, setChosen] = useState<AdminRewardRow>();
  const maySet = useMaySet('x/admin/FeeSet');
  const change = useChangeColumn<AdminRewardRow>(maySet ? setChosen : undefined, ({ what }) =>
    fieldText(t, what),
  );
  const columns: readonly Column<AdminRewardRow>[] = [
    {
      id: 'what',
      head: t('admin.what'),
      cell: ({ what }) => <span className={ON_PHONE}>{fieldText(t, what)}</span>,
    },
    {
      id: 'value',
      head: t('admin.offer.value'),
      numeric: true,
      cell: ({ what, value }) => valueText(t, what, value),
    },
    { id: 'next', head: t('admin.offer.next'), cell: ({ next }) => <NextValues next={next} /> },
    {
      ...{ id: 'shipped', head: t('admin.offer.shipped'), numeric: true, wideOnly: true },
      cell: ({ what, shipped }) => valueText(t, what, shipped),
    },
    { id: 'by', head: t('admin.audit.actor'), cell: ({ by }) => by ?? '-', wideOnly: true },
    ...change,
  ];
  return (
    <>
      <Part
        title={t('admin.offer.rewards')}
        note={t('admin.offer.rewardsNote')}
        {...{ columns, rows }}
        rowKey={({ what }) => what}
        empty={t('admin.offer.noRewards')}
      />
      {chosen !== undefined && (
        <SettingDialog
          title={t('admin.offer.setName', { name: fieldText(t, chosen.what) })}
          values={[[chosen.what, chosen.value]]}
          next={chosen.next}
          onAsk={(changed, reason) =>
            adminCall('x/admin/FeeSet', { what: chosen.what, value: changed[chosen.what] ?? '', reason })
          }
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}
