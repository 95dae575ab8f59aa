import { type AdminLimitRow, type AdminResponse, mayCall } from '@crossbook/contract';
import { useState } from 'react';
import { useStore } from 'zustand';
import { formatDateTime, groupDigits } from '../../i18n/format.ts';
import { useLocale, useText } from '../../i18n/i18n.ts';
import { adminCall, adminSession, say } from '../../stores/admin/admin-service.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import type { Column } from '../../ui/tables/Table.tsx';
import { ActDialog } from '../parts/ActDialog.tsx';
import { byText } from '../parts/by-text.ts';
import { readAgain } from '../parts/PagedTable.tsx';
import { ON_PHONE, Part } from '../parts/Part.tsx';

/** Enough to be sent; the hub says what it does not take. */
const TYPED = /^(?=.*[1-9])\d+(\.\d+)?$/;

type Offer = AdminResponse<'x/admin/Offer'>;

/** What each tier may have, what follows, and what it was. */
export function Limits({ offer }: { readonly offer: Offer }) {
  const t = useText();
  const locale = useLocale();
  const self = useStore(adminSession, (state) => state.self);
  const [chosen, setChosen] = useState<AdminLimitRow>();
  const maySet = self !== undefined && !self.demo && mayCall('x/admin/LimitSet', self.roles);
  const shown = (most: string, asset: string) => `${groupDigits(most)} ${asset}`;
  const columns: Column<AdminLimitRow>[] = [
    {
      id: 'what',
      head: t('admin.what'),
      cell: ({ hours }) => <span className={ON_PHONE}>{t('admin.offer.testFunds', { hours })}</span>,
    },
    { id: 'tier', head: t('admin.offer.tier'), cell: ({ tier }) => tier },
    {
      id: 'most',
      head: t('admin.offer.most'),
      numeric: true,
      cell: (row) => <span className={ON_PHONE}>{shown(row.most, row.asset)}</span>,
    },
    {
      id: 'next',
      head: t('admin.offer.next'),
      cell: ({ next, asset }) =>
        next === null ? (
          '-'
        ) : (
          <span className={ON_PHONE}>
            {shown(next.most, asset)} · {formatDateTime(next.from, locale)}
          </span>
        ),
    },
    {
      ...{ id: 'shipped', head: t('admin.offer.shipped'), numeric: true, wideOnly: true },
      cell: (row) => shown(row.shipped, row.asset),
    },
  ];
  if (maySet)
    columns.push({
      ...{ id: 'set', head: <span className="sr-only">{t('admin.offer.set')}</span>, numeric: true },
      sticky: 'always',
      cell: (row) => (
        <Button
          size="small"
          aria-label={t('admin.offer.setOne', { tier: row.tier })}
          onClick={() => setChosen(row)}
        >
          {t('admin.offer.set')}
        </Button>
      ),
    });
  const history: readonly Column<Offer['history'][number]>[] = [
    { id: 'at', head: t('common.time'), cell: ({ at }) => formatDateTime(at, locale) },
    { id: 'tier', head: t('admin.offer.tier'), cell: ({ tier }) => tier },
    { id: 'most', head: t('admin.offer.most'), numeric: true, cell: ({ most }) => groupDigits(most) },
    { id: 'by', head: t('admin.audit.actor'), cell: ({ by }) => byText(t, by), wideOnly: true },
    { id: 'reason', head: t('admin.reason'), cell: ({ reason }) => reason, wideOnly: true },
  ];
  return (
    <>
      <Part
        title={t('admin.offer.limits')}
        note={t(offer.contractsFrom === 0 ? 'admin.offer.contractsAll' : 'admin.offer.contractsFrom')}
        {...{ columns, rows: offer.limits, rowKey: ({ tier }: AdminLimitRow) => `tier-${tier}` }}
        empty={t('admin.offer.noLimits')}
      />
      {offer.history.length > 0 && (
        <Part
          title={t('admin.offer.history')}
          {...{ columns: history, rows: offer.history, rowKey: ({ id }: { readonly id: string }) => id }}
        />
      )}
      {chosen !== undefined && <SetLimit row={chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}

/** Asks for another amount; somebody else decides. */
function SetLimit({ row, onClose }: { readonly row: AdminLimitRow; readonly onClose: () => void }) {
  const t = useText();
  const { what, tier, asset } = row;
  const [most, setMost] = useState(row.most);
  return (
    <ActDialog
      title={t('admin.offer.setOne', { tier })}
      lead={t('admin.offer.setLead')}
      button={t('admin.offer.ask')}
      ready={TYPED.test(most)}
      onAct={(reason) => adminCall('x/admin/LimitSet', { what, tier: `${tier}`, most, reason })}
      onDone={() => {
        say('admin.asked');
        readAgain();
      }}
      onClose={onClose}
    >
      <Field
        label={`${t('admin.offer.most')} (${asset})`}
        inputMode="decimal"
        value={most}
        maxLength={20}
        onChange={(event) => setMost(event.target.value.replaceAll(/[\s,]/g, ''))}
      />
    </ActDialog>
  );
}
