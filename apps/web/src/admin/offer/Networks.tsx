import type { AdminNetworkRow, AdminResponse } from '@crossbook/contract';
import { useState } from 'react';
import { groupDigits } from '../../i18n/format.ts';
import { useText } from '../../i18n/i18n.ts';
import { adminCall } from '../../stores/admin/admin-service.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import type { Column } from '../../ui/tables/Table.tsx';
import { byText } from '../parts/by-text.ts';
import { ON_PHONE, Part } from '../parts/Part.tsx';
import { useChangeColumn } from './ChangeButton.tsx';
import { useMaySet } from './may-set.ts';
import { NextValues, openText, SettingDialog, type SettingDialogProps, yesNo } from './SettingDialog.tsx';

type Known = AdminResponse<'x/admin/Offer'>['knownNetworks'];
type Network = AdminNetworkRow['network'];

/** Currencies on their networks, and what a deposit or withdrawal there takes. */
export function Networks(props: { readonly rows: readonly AdminNetworkRow[]; readonly known: Known }) {
  const t = useText();
  const { rows, known } = props;
  const [chosen, setChosen] = useState<AdminNetworkRow | 'new'>();
  const maySet = useMaySet('x/admin/NetworkSet');
  const change = useChangeColumn<AdminNetworkRow>(
    maySet ? setChosen : undefined,
    ({ asset, name }) => `${asset} · ${name}`,
  );
  const columns: readonly Column<AdminNetworkRow>[] = [
    {
      id: 'network',
      head: t('admin.offer.network'),
      cell: ({ asset, name }) => (
        <span className={ON_PHONE}>
          {asset} · {name}
        </span>
      ),
    },
    {
      id: 'open',
      head: t('admin.offer.open'),
      cell: (row) => <span className={ON_PHONE}>{openText(t, row)}</span>,
    },
    {
      ...{ id: 'confirmations', head: t('admin.offer.field.confirmations'), numeric: true, wideOnly: true },
      cell: ({ confirmations }) => confirmations,
    },
    {
      ...{ id: 'minimum', head: t('admin.offer.field.minimum'), numeric: true, wideOnly: true },
      cell: ({ minimum }) => groupDigits(minimum),
    },
    { id: 'fee', head: t('admin.offer.fee'), numeric: true, cell: ({ fee }) => groupDigits(fee) },
    {
      ...{ id: 'memo', head: t('admin.offer.field.memo'), wideOnly: true },
      cell: ({ memo }) => t(`admin.offer.memo.${memo}`),
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
        title={t('admin.offer.networksTitle')}
        note={t('admin.offer.networksNote')}
        {...{ columns, rows }}
        rowKey={({ asset, network }) => `${asset} ${network}`}
      />
      {maySet && (
        <Button className="self-start" onClick={() => setChosen('new')}>
          {t('admin.offer.add')}
        </Button>
      )}
      {chosen === 'new' && <AddNetwork known={known} onClose={() => setChosen(undefined)} />}
      {chosen !== undefined && chosen !== 'new' && (
        <SettingDialog
          title={t('admin.offer.setName', { name: `${chosen.asset} · ${chosen.name}` })}
          values={valuesOf(chosen)}
          next={chosen.next}
          onAsk={(changed, reason) => askFor(chosen, changed, reason)}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}

function valuesOf(row: AdminNetworkRow): SettingDialogProps['values'] {
  return [
    ['deposits', yesNo(row.deposits)],
    ['withdrawals', yesNo(row.withdrawals)],
    ['confirmations', String(row.confirmations)],
    ['minimum', row.minimum],
    ['fee', row.fee],
    ['memo', row.memo],
  ];
}

function askFor(
  { asset, network }: { readonly asset: string; readonly network: Network },
  changed: Parameters<SettingDialogProps['onAsk']>[0],
  reason: string,
) {
  const { deposits, withdrawals, confirmations, minimum, fee, memo } = changed;
  return adminCall('x/admin/NetworkSet', {
    ...{ asset, network, reason },
    ...(deposits === undefined ? {} : { deposits: deposits === 'true' }),
    ...(withdrawals === undefined ? {} : { withdrawals: withdrawals === 'true' }),
    ...(confirmations === undefined ? {} : { confirmations }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(fee === undefined ? {} : { fee }),
    ...(memo === undefined ? {} : { memo: memo as AdminNetworkRow['memo'] }),
  });
}

/** A currency on a network that it has not been on. */
function AddNetwork({ known, onClose }: { readonly known: Known; readonly onClose: () => void }) {
  const t = useText();
  const [asset, setAsset] = useState('');
  const [network, setNetwork] = useState<Network>(known[0]?.network ?? 'bitcoin');
  return (
    <SettingDialog
      title={t('admin.offer.add')}
      values={[
        ['minimum', ''],
        ['fee', ''],
      ]}
      next={[]}
      whole
      onAsk={(changed, reason) => askFor({ asset: asset.trim().toUpperCase(), network }, changed, reason)}
      onClose={onClose}
    >
      <Field
        label={t('admin.funds.asset')}
        value={asset}
        maxLength={20}
        onChange={({ target }) => setAsset(target.value)}
      />
      <Select
        label={t('admin.offer.network')}
        value={network}
        options={known.map(({ network: value, name: label }) => ({ value, label }))}
        onChange={setNetwork}
      />
    </SettingDialog>
  );
}
