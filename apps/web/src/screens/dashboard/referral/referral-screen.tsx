import type { InviteeRow } from '@crossbook/contract';
import { amount, formatAmount, mulDown } from '@crossbook/domain';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { formatDateTime, groupDigits } from '../../../i18n/format.ts';
import { type Text, useLocale, useText } from '../../../i18n/i18n.ts';
import '../../../i18n/page-words.ts';
import { queryClient } from '../../../stores/app/query-client.ts';
import { type ReferralPage, readReferrals } from '../../../stores/member/referral.ts';
import { sessionStore } from '../../../stores/member/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { Badge, Banner, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { type Column, Table } from '../../../ui/tables/Table.tsx';
import { OwnAccount } from '../../fields/OwnAccount.tsx';
import { ReferralCode } from './ReferralCode.tsx';

const TONES = { invited: 'plain', unsettled: 'warning', settled: 'up' } as const;

function columns(t: Text, locale: string): readonly Column<InviteeRow>[] {
  return [
    { id: 'at', head: t('referral.joined'), cell: ({ at }) => formatDateTime(at, locale) },
    { id: 'invitee', head: t('referral.invitee'), cell: ({ invitee }) => invitee },
    { id: 'kind', head: t('referral.with'), cell: ({ kind }) => t(`referral.kind.${kind}`), wideOnly: true },
    {
      id: 'amount',
      head: t('referral.reward'),
      numeric: true,
      cell: ({ amount: earned, asset }) => (earned === null ? '-' : `${groupDigits(earned)} ${asset}`),
    },
    {
      id: 'state',
      head: t('common.status'),
      cell: ({ state }) => <Badge tone={TONES[state]}>{t(`referral.state.${state}`)}</Badge>,
    },
  ];
}

/** What one invitee of a self-referral code is worth. */
function worthOf({ paysFor, self }: ReferralPage): string | undefined {
  return paysFor === null ? undefined : formatAmount(mulDown(amount(paysFor), amount(self.rate)));
}

function Sums({ page }: { readonly page: ReferralPage | undefined }) {
  const t = useText();
  const sums = [
    ['referral.invitees', page === undefined ? undefined : String(page.invitees)],
    ['referral.unsettled', page === undefined ? undefined : `${groupDigits(page.unsettled)} USDT`],
    ['referral.settled', page === undefined ? undefined : `${groupDigits(page.settled)} USDT`],
  ] as const;
  return (
    <dl className="grid grid-cols-3 gap-3 max-md:grid-cols-1">
      {sums.map(([labelId, value]) => (
        <div key={labelId} className="flex flex-col gap-1 rounded-md border border-line bg-panel p-4">
          <dt className="text-[13px] text-faint">{t(labelId)}</dt>
          <dd className="text-lg font-medium">{value ?? <Skeleton className="h-5 w-20" />}</dd>
        </div>
      ))}
    </dl>
  );
}

function Codes({ page }: { readonly page: ReferralPage | undefined }) {
  const t = useText();
  if (page === undefined) return <Skeleton className="h-40 w-full" />;
  const { self, kol, paysFor } = page;
  const rate = (code: { readonly rate: string }) => (paysFor === null ? undefined : code.rate);
  return (
    <div className="flex gap-3 max-lg:flex-col">
      <ReferralCode heading={t('referral.self')} code={self.code} rate={rate(self)} />
      {kol !== null && <ReferralCode heading={t('referral.kol')} code={kol.code} rate={rate(kol)} />}
    </div>
  );
}

/** /dashboard/self_referral: codes to pass on, who came with them, and what that earned. */
export function ReferralScreen() {
  const t = useText();
  return (
    <OwnAccount title={t('nav.dashboard.selfReferral')}>
      <Referrals />
    </OwnAccount>
  );
}

function Referrals() {
  const t = useText();
  const locale = useLocale();
  const member = useStore(sessionStore, ({ tid }) => tid);
  const query = useInfiniteQuery(
    {
      queryKey: ['referrals', member],
      initialPageParam: undefined as string | undefined,
      queryFn: ({ pageParam }) => readReferrals(pageParam),
      getNextPageParam: (page) => page.next,
    },
    queryClient,
  );
  const [first] = query.data?.pages ?? [];
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const worth = first === undefined ? undefined : worthOf(first);
  const status = first !== undefined ? 'ready' : query.isError ? 'failed' : 'loading';
  const retry = (): void => void query.refetch();
  return (
    <div className="flex max-w-5xl flex-col gap-5">
      <header className="flex flex-col gap-2">
        <h1 className="text-xl font-medium">{t('nav.dashboard.selfReferral')}</h1>
        {first !== undefined && (
          <p className="max-w-3xl text-[15px] text-pretty text-soft">
            {worth === undefined
              ? t('referral.unpaid')
              : t('referral.lead', { reward: `${groupDigits(worth)} USDT` })}
          </p>
        )}
      </header>
      {status === 'failed' ? (
        <ErrorState title={t('common.failed')} retry={t('common.retry')} onRetry={retry} />
      ) : (
        <>
          <Codes page={first} />
          {first?.later.map(({ field, value, from }) => (
            <Banner key={field} tone="plain">
              {t(field === 'self-rate' ? 'referral.later.self-rate' : 'referral.later.first-trade', {
                ...{ value: groupDigits(value), time: formatDateTime(from, locale) },
              })}
            </Banner>
          ))}
          {first?.late === true && <Banner>{t('referral.late')}</Banner>}
          <Sums page={first} />
          <section className="flex flex-col rounded-md border border-line bg-panel">
            <h2 className="px-4 py-3 text-base font-medium">{t('referral.list')}</h2>
            <Table
              label={t('referral.list')}
              columns={columns(t, locale)}
              rows={rows}
              rowKey={(row) => `${row.at}-${rows.indexOf(row)}`}
              status={status}
              empty={{ title: t('referral.empty'), advice: t('referral.emptyAdvice') }}
              failure={{ title: t('common.failed'), retry: t('common.retry'), onRetry: retry }}
            />
          </section>
          {query.hasNextPage && (
            <Button
              className="self-center"
              busy={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {t('content.more')}
            </Button>
          )}
        </>
      )}
    </div>
  );
}
