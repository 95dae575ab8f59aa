import { type AdminFeeRow, type AdminLimitRow, type AdminResponse, mayCall } from '@crossbook/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useStore } from 'zustand';
import { formatDateTime, groupDigits } from '../i18n/format.ts';
import { useLocale, useText } from '../i18n/i18n.ts';
import { ADMIN_KEY, adminCall, adminSession, readOf, say } from '../stores/admin/admin-service.ts';
import { queryClient } from '../stores/app/query-client.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { type Column, Table } from '../ui/tables/Table.tsx';
import { ActDialog } from './parts/ActDialog.tsx';
import { readAgain } from './parts/PagedTable.tsx';
import { Reread, Unread } from './parts/Reading.tsx';

/** Enough to be sent; the hub says what it does not take. */
const TYPED = /^(?=.*[1-9])\d+(\.\d+)?$/;

/** On a phone amounts stand side by side. */
const ON_PHONE = 'max-md:inline-block max-md:py-1.5 max-md:whitespace-normal';

type Offer = AdminResponse<'x/admin/Offer'>;

/** What is offered: limits by tier, fees of the exchanges, and the coins that they list. */
export function OfferPage() {
  const t = useText();
  const query = useQuery(
    { queryKey: [ADMIN_KEY, 'offer'], queryFn: () => readOf(adminCall('x/admin/Offer', {})) },
    queryClient,
  );
  if (query.data === undefined) return <Unread query={query} />;
  return (
    <>
      <p className="text-[13px] text-soft">{t('admin.offer.lead')}</p>
      <Reread query={query} />
      <Limits offer={query.data} />
      <Fees rows={query.data.fees} />
      <Currencies rows={query.data.currencies} />
    </>
  );
}

/** A titled table of what was read. */
function Part<Row>(props: {
  readonly title: string;
  readonly note?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly empty?: string;
}) {
  const t = useText();
  const { title, note, columns, rows, rowKey, empty = t('common.empty') } = props;
  return (
    <section className="rounded-md border border-line bg-panel">
      <h2 className="px-4 pt-3 pb-1 text-base font-medium">{title}</h2>
      {note !== undefined && <p className="px-4 pb-2 text-xs text-faint">{note}</p>}
      <Table
        label={title}
        {...{ columns, rows, rowKey }}
        status="ready"
        empty={{ title: empty }}
        failure={{ title: t('common.failed'), retry: t('common.retry'), onRetry: () => readAgain() }}
      />
    </section>
  );
}

function Limits({ offer }: { readonly offer: Offer }) {
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
    { id: 'by', head: t('admin.audit.actor'), cell: ({ by }) => by, wideOnly: true },
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

/** A fraction as a percent, to the letter: `0.0005` is `0.05 %`. */
function percentOf(fraction: string): string {
  return `${Number((Number(fraction) * 100).toFixed(6))} %`;
}

function Fees({ rows }: { readonly rows: readonly AdminFeeRow[] }) {
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

function Currencies({ rows }: { readonly rows: Offer['currencies'] }) {
  const t = useText();
  const [wanted, setWanted] = useState('');
  const columns: readonly Column<Offer['currencies'][number]>[] = [
    { id: 'asset', head: t('admin.funds.asset'), cell: ({ asset }) => asset },
    { id: 'on', head: t('admin.page.platforms'), cell: ({ platforms }) => platforms.join(', ') },
  ];
  return (
    <div className="flex flex-col gap-3">
      <Field
        label={t('admin.offer.find')}
        value={wanted}
        maxLength={20}
        onChange={(event) => setWanted(event.target.value)}
      />
      <Part
        title={t('admin.offer.currencies')}
        note={t('admin.offer.networks')}
        columns={columns}
        rows={rows.filter(({ asset }) => asset.includes(wanted.trim().toUpperCase()))}
        rowKey={({ asset }) => asset}
      />
    </div>
  );
}
