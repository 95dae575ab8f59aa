import type { CallResponse } from '@crossbook/contract';
import { formatDateTime } from '../../../i18n/format.ts';
import { useLocale, useText } from '../../../i18n/i18n.ts';
import { useNow } from '../../../stores/app/use-now.ts';
import { Banner } from '../../../ui/states.tsx';

const HOUR_MILLIS = 3_600_000;
/** As long before the end as the mail comes. */
const SOON_MILLIS = 30 * 24 * HOUR_MILLIS;

/** Until when a passed check counts: said always, as a notice when that is soon or over. */
export function KycEnd(props: {
  readonly state: CallResponse<'x/kyc/Status'>['state'];
  readonly until: number | null;
}) {
  const { state, until } = props;
  const t = useText();
  const locale = useLocale();
  const now = useNow(HOUR_MILLIS);
  if (state === 'expired') return <Banner tone="danger">{t('kyc.ended')}</Banner>;
  if (state !== 'done' || until === null) return null;
  const said = t('kyc.until', { time: formatDateTime(until, locale) });
  if (until - now > SOON_MILLIS) return <p className="text-soft">{said}</p>;
  return (
    <Banner>
      <p>{said}</p>
      <p>{t('kyc.endsSoon')}</p>
    </Banner>
  );
}
