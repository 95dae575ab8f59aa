import { formatDateTime, groupDigits } from '../../../i18n/format.ts';
import { type Text, useLocale, useText } from '../../../i18n/i18n.ts';
import { type LimitRow, type Limits, useLimits } from '../../../stores/wallet/limits.ts';
import { classNames } from '../../../ui/class-names.ts';
import type { Column } from '../../../ui/tables/Table.tsx';
import { AccountCard } from '../../fields/AccountPage.tsx';
import { QueryTable, Stale } from '../../fields/QueryTable.tsx';

/** Both tiers are seen on a phone at once. */
const ON_PHONE = 'max-md:whitespace-normal max-md:py-1.5';

/** What a tier may do of one thing, in words. */
function shown(t: Text, row: LimitRow, tier: number): string {
  const of = row.tiers.find((one) => one.tier === tier);
  if (of?.open !== true) return t('kyc.limit.closed');
  return of.most === null
    ? t('kyc.limit.none')
    : t('kyc.limit.most', { most: `${groupDigits(of.most)} ${row.asset}`, hours: row.hours ?? 0 });
}

/** What holds later, in words; nothing where nothing is set. */
function later(t: Text, locale: string, { tiers, asset }: LimitRow, tier: number): string | undefined {
  const next = tiers.find((one) => one.tier === tier)?.next ?? undefined;
  if (next === undefined) return undefined;
  const most = `${groupDigits(next.most)} ${asset}`;
  return t('kyc.limit.next', { most, time: formatDateTime(next.from, locale) });
}

function columnsOf(t: Text, locale: string, limits: Limits | undefined): readonly Column<LimitRow>[] {
  const own = limits?.tier;
  return [
    {
      id: 'what',
      head: t('kyc.limit.what'),
      cell: (row) => (
        <span className={classNames('flex flex-col', ON_PHONE)}>
          <span>{t(`kyc.limit.${row.what}`)}</span>
          {row.used !== null && (
            <span className="text-xs text-faint">
              {t('kyc.limit.used', { used: `${groupDigits(row.used)} ${row.asset}` })}
            </span>
          )}
        </span>
      ),
    },
    ...([0, 1] as const).map((tier) => ({
      id: `tier-${tier}`,
      head: t(tier === own ? 'kyc.limit.yours' : 'kyc.tier', { tier }),
      cell: (row: LimitRow) => (
        <span className={classNames('flex flex-col', ON_PHONE, tier !== own && 'text-soft')}>
          <span>{shown(t, row, tier)}</span>
          <span className="text-xs text-faint empty:hidden">{later(t, locale, row, tier)}</span>
        </span>
      ),
    })),
  ];
}

/** What each tier may do, so that nobody meets a limit that he was not told of. */
export function TierLimits() {
  const t = useText();
  const locale = useLocale();
  const query = useLimits();
  return (
    <AccountCard title={t('kyc.limit.title')}>
      <Stale query={query} />
      <QueryTable
        label={t('kyc.limit.title')}
        columns={columnsOf(t, locale, query.data)}
        rows={query.data?.rows ?? []}
        rowKey={({ what }) => what}
        query={query}
      />
      <p className="text-xs text-faint">{t('kyc.limits')}</p>
    </AccountCard>
  );
}
