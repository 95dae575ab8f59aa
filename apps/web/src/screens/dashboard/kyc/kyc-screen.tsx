import { useStore } from 'zustand';
import { formatDateTime } from '../../../i18n/format.ts';
import { useLocale, useText } from '../../../i18n/i18n.ts';
import { bootStore } from '../../../stores/app/boot.ts';
import { useNow } from '../../../stores/app/use-now.ts';
import { type KycStanding, readKyc } from '../../../stores/member/kyc.ts';
import { Badge, Banner } from '../../../ui/states.tsx';
import { AccountCard, AccountPage } from '../../fields/AccountPage.tsx';
import { OwnAccount } from '../../fields/OwnAccount.tsx';
import { KycEnd } from './KycEnd.tsx';
import { KycForm } from './KycForm.tsx';
import { TierLimits } from './TierLimits.tsx';

const MINUTE_MILLIS = 60_000;
/** Who waits sees the decision without asking. */
const LOOK_EVERY_MILLIS = 10_000;
const TONES = { none: 'plain', pending: 'warning', refused: 'down', done: 'up', expired: 'down' } as const;

/** /dashboard/kyc: whether it is known who the member is, what that opens, and the form where there is something to do. */
export function KycScreen() {
  const t = useText();
  return (
    <OwnAccount title={t('title.kyc')}>
      <KycPage />
    </OwnAccount>
  );
}

function KycPage() {
  const t = useText();
  const now = useNow(MINUTE_MILLIS);
  // Where everybody may play a demo admin, who hands in is told what strangers see and decide.
  const isOpenToAll = useStore(
    bootStore,
    (boot) => boot.status === 'ready' && boot.config.outbox && boot.config.money === 'paper',
  );
  return (
    <AccountPage
      title={t('title.kyc')}
      name="kyc"
      read={readKyc}
      everyMillis={({ state }) => (state === 'pending' ? LOOK_EVERY_MILLIS : undefined)}
    >
      {(standing) => (
        <>
          <Region standing={standing} />
          <AccountCard title={t('kyc.standing')}>
            <Standing standing={standing} />
          </AccountCard>
          <TierLimits />
          {standing.state !== 'pending' && standing.state !== 'done' && (
            <AccountCard title={t('kyc.form')}>
              {isOpenToAll && <Banner>{t('kyc.demo')}</Banner>}
              <p className="text-[13px] text-soft">{t('kyc.lead')}</p>
              <KycForm standing={standing} now={now} />
            </AccountCard>
          )}
        </>
      )}
    </AccountPage>
  );
}

/** Where services are unavailable, before anything is filled in. */
function Region({ standing }: { readonly standing: KycStanding }) {
  const t = useText();
  const locale = useLocale();
  const { restricted, country } = standing;
  if (country !== null && restricted.includes(country))
    return <Banner tone="danger">{t('kyc.regionOwn')}</Banner>;
  if (restricted.length === 0) return null;
  const names = new Intl.DisplayNames([locale], { type: 'region' });
  const list = new Intl.ListFormat(locale).format(restricted.map((code) => names.of(code) ?? code));
  return <Banner tone="plain">{t('kyc.region', { list })}</Banner>;
}

function Standing({ standing }: { readonly standing: KycStanding }) {
  const t = useText();
  const locale = useLocale();
  const { state, tier, reason, note, submittedAt, decidedAt, validUntil } = standing;
  const since = state === 'expired' ? validUntil : (decidedAt ?? submittedAt);
  return (
    <div className="flex flex-col gap-3 text-[13px]">
      <p className="flex flex-wrap items-center gap-3">
        <Badge tone={TONES[state]}>{t(`profile.kyc.${state}`)}</Badge>
        <span className="text-soft">{t('kyc.tier', { tier })}</span>
        {since !== null && (
          <span className="text-faint">{t('kyc.at', { time: formatDateTime(since, locale) })}</span>
        )}
      </p>
      {state === 'pending' && <p className="text-soft">{t('kyc.waiting')}</p>}
      <KycEnd state={state} until={validUntil} />
      {reason !== null && (
        <Banner tone="danger">
          <p>{t(`kyc.reason.${reason}`)}</p>
          {note !== '' && <p>{note}</p>}
        </Banner>
      )}
    </div>
  );
}
