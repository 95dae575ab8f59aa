import { decimalsOf } from '@crossbook/domain';
import type { ReactNode } from 'react';
import { countdownText, fundingText } from '../../calculators/contracts/funding.ts';
import { basisPointsText } from '../../calculators/market/best-offers.ts';
import { formatShort, groupDigits } from '../../i18n/format.ts';
import type { Text } from '../../i18n/i18n.ts';
import {
  acrossVenues,
  type CoinRow,
  type DataTopic,
  topicStat,
  type VenueStats,
} from '../../stores/market-lists/market-data.ts';

/** A figure and what explains it, one above the other. */
function TwoLines(props: { readonly first: ReactNode; readonly second: ReactNode }) {
  return (
    <>
      <span className="block truncate">{props.first}</span>
      <span className="block truncate text-[11px] leading-4 text-faint">{props.second}</span>
    </>
  );
}

/** A price with the decimals of the venue's tick; "-" where there is none. */
function priceText(value: number | undefined, { instrument }: VenueStats): string {
  return value === undefined ? '-' : groupDigits(value.toFixed(decimalsOf(instrument.tickSize)));
}

/** Up or down as far as the shown decimals tell it: a figure that reads zero has no colour. */
function tone(value: number, decimals: number): string {
  const shown = Number(value.toFixed(decimals));
  return shown > 0 ? 'text-up' : shown < 0 ? 'text-down' : '';
}

/** What one venue says of a coin on a topic; "-" where it says nothing. */
export function venueCell(topic: DataTopic, venue: VenueStats | undefined, time: number): ReactNode {
  const value = topicStat(topic, venue);
  if (venue === undefined || value === undefined) return <span className="text-faint">-</span>;
  if (topic === 'funding') {
    const countdown = venue.nextFunding === undefined ? '-' : countdownText(venue.nextFunding, time);
    return (
      <TwoLines
        first={<span className={tone(value, 6)}>{fundingText(String(value))}</span>}
        second={countdown}
      />
    );
  }
  if (topic === 'basis') {
    return (
      <TwoLines
        first={<span className={tone(value, 1)}>{basisPointsText(value)}</span>}
        second={
          <>
            {priceText(venue.mark, venue)}
            <span className="max-md:hidden"> / {priceText(venue.index, venue)}</span>
          </>
        }
      />
    );
  }
  if (topic === 'interest') {
    const coins = venue.interest === undefined ? '-' : formatShort(venue.interest);
    return <TwoLines first={formatShort(value)} second={`${coins} ${venue.instrument.base}`} />;
  }
  return <TwoLines first={priceText(venue.last, venue)} second={priceText(venue.mark, venue)} />;
}

/** The figure over all venues. */
export function acrossCell(topic: DataTopic, row: CoinRow): ReactNode {
  const value = acrossVenues(topic, row);
  if (value === undefined) return <span className="text-faint">-</span>;
  if (topic === 'interest') return formatShort(value);
  if (topic === 'funding') return `${(value * 100).toFixed(4)}%`;
  return value.toFixed(1);
}

/** What the two lines of a topic's cells mean, and how they were reckoned. */
export function topicNote(topic: DataTopic, t: Text): string {
  return t(`marketData.note.${topic}`);
}
