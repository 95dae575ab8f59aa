import { useText } from '../../../i18n/i18n.ts';
import { sayCopied } from '../../../stores/app/say-copied.ts';
import { referralLink } from '../../../stores/member/referral-link.ts';
import { CopyText } from '../../../ui/CopyText.tsx';
import { QrCode } from '../../fields/QrCode.tsx';

/** A rate as people read it: `0.2` is `20%`, to hundredths of a percent. */
function percentOf(rate: string): string {
  return `${Math.round(Number(rate) * 10_000) / 100}%`;
}

/** A code: itself, what it earns, and its link to pass on. */
export function ReferralCode(props: {
  readonly heading: string;
  readonly code: string;
  /** Fraction; absent where nothing is paid. */
  readonly rate: string | undefined;
}) {
  const { heading, code, rate } = props;
  const t = useText();
  const link = referralLink(window.location.origin, code);
  return (
    <section
      aria-label={heading}
      className="flex min-w-0 flex-1 flex-col gap-3 rounded-md border border-line bg-panel p-4"
    >
      <h2 className="text-base font-medium">{heading}</h2>
      <dl className="flex min-w-0 flex-col gap-3 text-[13px]">
        <div className="flex flex-col gap-1">
          <dt className="text-faint">{t('referral.code')}</dt>
          <dd className="text-lg font-medium tracking-[0.1em]">
            <CopyText value={code} label={t('referral.copyCode')} onCopied={sayCopied} />
          </dd>
        </div>
        {rate !== undefined && (
          <div className="flex flex-col gap-1">
            <dt className="text-faint">{t('referral.rate')}</dt>
            <dd className="text-lg font-medium">{percentOf(rate)}</dd>
          </div>
        )}
        <div className="flex min-w-0 flex-col gap-1">
          <dt className="text-faint">{t('referral.link')}</dt>
          <dd className="min-w-0 text-left break-all">
            <CopyText value={link} label={t('referral.copyLink')} onCopied={sayCopied} />
          </dd>
        </div>
      </dl>
      <QrCode text={link} label={t('referral.qr')} />
    </section>
  );
}
