import '../../../i18n/later-words.ts';
import { moneyOf, moneyText } from '../../../calculators/signed-text.ts';
import { formatShortTime } from '../../../i18n/format.ts';
import { useText } from '../../../i18n/i18n.ts';
import { now } from '../../../stores/app/clock.ts';
import { ownRatioText } from '../own-ratio-text.ts';
import { useVenueMargins, type VenueMargin } from './use-venue-margins.ts';

const TONES = { plain: 'text-text', near: 'text-warning', danger: 'text-danger' } as const;

/** Margin ratio and equity of each exchange in the bar, where there is room for them. */
export function VenueMargins() {
  const text = useText();
  const venues = useVenueMargins();
  if (venues.length === 0) return null;
  return (
    <ul aria-label={text('trade.account.ratios')} className="flex shrink-0 gap-5 tabular-nums">
      {venues.map(({ platform, name, row, ratio, tone, equity, asOf }) => (
        <li
          key={platform}
          className="flex min-w-24 flex-col whitespace-nowrap"
          title={ownRatioText(text, platform, row?.ratio ?? undefined)}
        >
          <span className="text-[11px] leading-4 text-faint">
            {name} <span className={TONES[tone]}>{ratio}</span>
          </span>
          <span className={`text-[13px] leading-5 ${asOf === undefined ? '' : 'stale-figures'}`}>
            {equity === undefined ? '–' : moneyText(equity)}{' '}
            <span className="text-faint">{row?.asset ?? ''}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Venue({ venue }: { readonly venue: VenueMargin }) {
  const text = useText();
  const { platform, name, row, ratio, tone, equity, asOf } = venue;
  const bars = { plain: 'bg-up', near: 'bg-warning', danger: 'bg-danger' } as const;
  const stats = [
    [text('trade.account.equity'), equity === undefined ? '–' : moneyText(equity)],
    [text('trade.account.available'), moneyOf(row?.available)],
    [text('trade.account.maintenance'), moneyOf(row?.maintenance)],
  ] as const;
  return (
    <li className="flex flex-col gap-0.5 border-b border-line px-3 py-2">
      <span className="flex items-baseline justify-between gap-2 text-xs">
        <span>{name}</span>
        <span className={TONES[tone]} title={ownRatioText(text, platform, row?.ratio ?? undefined)}>
          {ratio}
        </span>
      </span>
      <progress
        max={1}
        value={Math.min(1, row?.ratio ?? 0)}
        aria-label={text('trade.account.ratioOf', { venue: name })}
        className="sr-only"
      />
      <span aria-hidden="true" className="h-1 overflow-hidden rounded-sm bg-line">
        <span
          className={`block h-full origin-left ${bars[tone]}`}
          style={{ width: `${Math.min(1, row?.ratio ?? 0) * 100}%` }}
        />
      </span>
      <dl className={asOf === undefined ? '' : 'stale-figures'}>
        {stats.map(([label, value]) => (
          <div key={label} className="flex items-baseline justify-between gap-2 text-xs leading-5">
            <dt className="text-faint">{label}</dt>
            <dd className="num">
              {value} <span className="text-faint">{row?.asset ?? ''}</span>
            </dd>
          </div>
        ))}
      </dl>
      {asOf !== undefined && (
        <span className="text-xs text-warning">
          {text('trade.position.asOf', { time: formatShortTime(asOf, now()) })}
        </span>
      )}
    </li>
  );
}

/** The account of each exchange below the ticket: how near liquidation, and what stands behind it. */
export function AccountColumn() {
  const text = useText();
  const venues = useVenueMargins();
  return (
    <section aria-label={text('trade.account.ratios')} className="flex min-h-0 flex-col bg-panel">
      <h2 className="flex h-9 shrink-0 items-center border-b border-line px-3 text-[13px]">
        {text('trade.account.ratios')}
      </h2>
      {venues.length === 0 ? (
        <p className="p-3 text-xs text-soft">{text('trade.account.visitor')}</p>
      ) : (
        <ul className="min-h-0 overflow-y-auto">
          {venues.map((venue) => (
            <Venue key={venue.platform} venue={venue} />
          ))}
        </ul>
      )}
    </section>
  );
}
