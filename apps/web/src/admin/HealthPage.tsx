import { type AdminResponse, mayCall } from '@crossbook/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useStore } from 'zustand';
import { formatDateTime } from '../i18n/format.ts';
import { type MessageId, useLocale, useText } from '../i18n/i18n.ts';
import { ADMIN_KEY, adminCall, adminSession, readOf, say } from '../stores/admin/admin-service.ts';
import { queryClient } from '../stores/app/query-client.ts';
import { Button } from '../ui/Button.tsx';
import { Banner } from '../ui/states.tsx';
import { type Column, Table } from '../ui/tables/Table.tsx';
import { ActDialog } from './parts/ActDialog.tsx';
import { readAgain } from './parts/PagedTable.tsx';
import { Part } from './parts/Part.tsx';
import { Reread, Unread } from './parts/Reading.tsx';
import { seconds } from './parts/seconds.ts';

type Health = AdminResponse<'x/admin/Health'>;
type Venue = Health['venues'][number];
type Surrounding = Health['surroundings'][number];
type Difference = Health['differences'][number];
type Invariant = Health['invariants'][number];
type GateEvent = Health['gateHistory'][number];

/** Invariants of the ledger, the gate before money, platforms, and what waits. */
export function HealthPage() {
  const query = useQuery(
    { queryKey: [ADMIN_KEY, 'health'], queryFn: () => readOf(adminCall('x/admin/Health', {})) },
    queryClient,
  );
  if (query.data === undefined) return <Unread query={query} />;
  return (
    <>
      <Reread query={query} />
      <Gate health={query.data} />
      <Invariants invariants={query.data.invariants} />
      <Seals seals={query.data.seals} />
      <Venues venues={query.data.venues} />
      <Differences differences={query.data.differences} />
      <Around surroundings={query.data.surroundings} />
    </>
  );
}

function Stats({ rows }: { readonly rows: readonly (readonly [id: MessageId, value: string | number])[] }) {
  const t = useText();
  return (
    <dl className="grid grid-cols-3 gap-3 text-[13px] max-md:grid-cols-2">
      {rows.map(([id, value]) => (
        <div key={id}>
          <dt className="text-xs text-faint">{t(id)}</dt>
          <dd className="num text-left!">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** How far the audit log covers what members decided and what moved. */
function Seals({ seals }: { readonly seals: Health['seals'] }) {
  const t = useText();
  return (
    <section
      aria-label={t('admin.seals')}
      className="flex flex-col gap-3 rounded-md border border-line bg-panel p-4"
    >
      <h2 className="text-base font-medium">{t('admin.seals')}</h2>
      <Stats
        rows={[
          ['admin.seals.age', seconds(seals.ageMillis)],
          ['admin.seals.decisions', seals.decisions],
          ['admin.seals.transfers', seals.transfers],
          ['admin.seals.waiting', seals.waiting],
        ]}
      />
    </section>
  );
}

function Gate({ health }: { readonly health: Health }) {
  const t = useText();
  const locale = useLocale();
  const [asking, setAsking] = useState(false);
  const roles = useStore(adminSession, ({ self }) => self?.roles ?? []);
  const { gate, gateHistory } = health;
  const columns: readonly Column<GateEvent>[] = [
    { id: 'at', head: t('common.time'), cell: ({ at }) => formatDateTime(at, locale) },
    { id: 'event', head: t('admin.what'), cell: ({ event }) => t(`admin.gate.${event}`) },
    { id: 'actor', head: t('admin.audit.actor'), cell: ({ actor }) => actor },
    { id: 'reason', head: t('admin.reason'), cell: ({ reason }) => reason },
  ];
  return (
    <section className="flex flex-col gap-3 rounded-md border border-line bg-panel p-4">
      <h2 className="text-base font-medium">{t('admin.gate')}</h2>
      {gate.closed === null ? (
        <Banner tone="plain">{t('admin.gateOpen')}</Banner>
      ) : (
        <Banner tone="danger">{t('admin.gateClosed', { why: gate.closed })}</Banner>
      )}
      {gate.waiting && <Banner>{t('admin.gateWaiting')}</Banner>}
      <Stats
        rows={[
          ['admin.lastCheck', seconds(gate.checkAgeMillis)],
          ['admin.checks', gate.checks],
          ['admin.rounds', gate.rounds],
          ['admin.membersStopped', health.membersStopped],
          ['admin.ordersWaiting', health.ordersWaiting],
          ['admin.mailsWaiting', health.mailsWaiting],
          ['admin.mailsFailed', health.mailsFailed],
        ]}
      />
      {gate.closed !== null && mayCall('x/admin/GateOpen', roles) && (
        <Button className="self-start" onClick={() => setAsking(true)}>
          {t('admin.gateAsk')}
        </Button>
      )}
      <Table
        label={t('admin.gateHistory')}
        columns={columns}
        rows={gateHistory}
        rowKey={({ id }) => id}
        status="ready"
        empty={{ title: t('admin.gateNever') }}
        failure={{ title: t('common.failed'), retry: t('common.retry'), onRetry: () => readAgain() }}
      />
      {asking && (
        <ActDialog
          title={t('admin.gateAsk')}
          lead={t('admin.gateLead')}
          button={t('admin.gateAsk')}
          onAct={(reason) => adminCall('x/admin/GateOpen', { reason })}
          onDone={() => {
            say('admin.asked');
            readAgain();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

function Venues({ venues }: { readonly venues: readonly Venue[] }) {
  const t = useText();
  const columns: readonly Column<Venue>[] = [
    { id: 'name', head: t('admin.platform'), cell: ({ name }) => name },
    { id: 'state', head: t('common.status'), cell: ({ state }) => t(`admin.platforms.${state}`) },
    { id: 'mode', head: t('admin.mode'), cell: ({ mode }) => t(`admin.mode.${mode}`) },
    {
      id: 'live',
      head: t('admin.marketsLive'),
      numeric: true,
      cell: ({ live, markets }) => `${live} / ${markets}`,
    },
    {
      id: 'checked',
      head: t('admin.balanceCheck'),
      numeric: true,
      cell: ({ balanceCheckAgeMillis }) => seconds(balanceCheckAgeMillis),
    },
  ];
  return <Part title={t('admin.platforms')} columns={columns} rows={venues} rowKey={({ name }) => name} />;
}

/** What must always hold of the ledger, and when it was seen to. */
function Invariants({ invariants }: { readonly invariants: readonly Invariant[] }) {
  const t = useText();
  const locale = useLocale();
  const moment = (at: number | null) => (at === null ? '-' : formatDateTime(at, locale));
  const columns: readonly Column<Invariant>[] = [
    {
      id: 'what',
      head: t('admin.what'),
      cell: ({ name }) => <span className="whitespace-normal">{t(`admin.invariant.${name}`)}</span>,
    },
    {
      id: 'checked',
      head: t('admin.invariant.checked'),
      wideOnly: true,
      cell: ({ checkedAt }) => moment(checkedAt),
    },
    { id: 'good', head: t('admin.invariant.good'), cell: ({ goodAt }) => moment(goodAt) },
    {
      id: 'result',
      head: t('common.status'),
      cell: ({ broken, checkedAt }) =>
        broken !== null ? (
          <span className="whitespace-normal text-danger">
            {t('admin.invariant.broken', { where: broken })}
          </span>
        ) : (
          t(checkedAt === null ? 'admin.invariant.unchecked' : 'admin.invariant.holds')
        ),
    },
  ];
  return (
    <Part title={t('admin.invariants')} columns={columns} rows={invariants} rowKey={({ name }) => name} />
  );
}

/** What the ledger and the exchanges disagree in: whose account it is opens nothing there. */
function Differences({ differences }: { readonly differences: readonly Difference[] }) {
  const t = useText();
  const columns: readonly Column<Difference>[] = [
    { id: 'member', head: t('admin.differences.member'), cell: ({ member }) => member },
    { id: 'platform', head: t('admin.platform'), cell: ({ platform }) => platform },
    { id: 'asset', head: t('admin.funds.asset'), cell: ({ asset }) => asset },
    { id: 'amount', head: t('admin.differences.by'), numeric: true, cell: ({ amount }) => amount },
  ];
  return (
    <Part
      title={t('admin.differences')}
      columns={columns}
      rows={differences}
      rowKey={({ member, platform }) => `${member} ${platform}`}
      empty={t('admin.differences.none')}
    />
  );
}

/** What the hub depends on and does not hold in its own hand. */
function Around({ surroundings }: { readonly surroundings: readonly Surrounding[] }) {
  const t = useText();
  const locale = useLocale();
  const columns: readonly Column<Surrounding>[] = [
    { id: 'what', head: t('admin.what'), cell: ({ what }) => t(`admin.around.${what}`) },
    { id: 'at', head: t('admin.around.seen'), wideOnly: true, cell: ({ at }) => formatDateTime(at, locale) },
    {
      id: 'faults',
      head: t('common.status'),
      cell: ({ faults }) =>
        faults.length === 0 ? (
          t('admin.around.well')
        ) : (
          <ul className="text-danger whitespace-normal">
            {faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        ),
    },
  ];
  return (
    <Part
      title={t('admin.around')}
      columns={columns}
      rows={surroundings}
      rowKey={({ what }) => what}
      empty={t('admin.around.none')}
    />
  );
}
