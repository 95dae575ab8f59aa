import '../../../i18n/later-words.ts';
import type { MarginRow } from '@crossbook/contract';
import { type Amount, type Platform, parseSignedAmount, platformFacts, ZERO } from '@crossbook/domain';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { ratioTone } from '../../../calculators/contracts/own-ratio.ts';
import { bootPlatform } from '../../../stores/app/boot.ts';
import { liveStore } from '../../../stores/market/live.ts';
import { contractOffer } from '../../../stores/market/market.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import { loadPositions, positionsStore } from '../../../stores/trading/contracts/positions.ts';
import { tradablePlatforms } from '../../../stores/trading/use-keep-live.ts';

/** What an exchange states of a member's contract account; nothing of it is reckoned on at newer marks. */
export interface VenueMargin {
  readonly platform: Platform;
  readonly name: string;
  /** Absent without an account there, or before it was read. */
  readonly row: MarginRow | undefined;
  /** Money and the profit of what is open, both the exchange's own. */
  readonly equity: Amount | undefined;
  readonly ratio: string;
  readonly tone: 'plain' | 'near' | 'danger';
  /** When it was last heard of, ms, while it is not to be reached. */
  readonly asOf: number | undefined;
}

/** A margin ratio for reading; more than all of it is liquidation. */
function ratioText(ratio: number | null | undefined): string {
  return ratio === null || ratio === undefined ? '–' : `${(Math.min(1, ratio) * 100).toFixed(2)}%`;
}

/** Contract accounts of every exchange that is traded; empty for a visitor. */
export function useVenueMargins(): readonly VenueMargin[] {
  const member = useStore(sessionStore, isMember);
  const { margin, heardAt, status } = useStore(positionsStore);
  const live = useStore(liveStore);
  const platforms = tradablePlatforms().filter((platform) =>
    bootPlatform(platform)?.symbolTypes.includes('SWAP'),
  );
  const unread = platforms.filter((platform) => status[platform] === undefined).join();
  useEffect(() => {
    if (!member || unread === '') return;
    for (const platform of unread.split(',')) void loadPositions(Number(platform) as Platform);
  }, [member, unread]);
  if (!member) return [];
  return platforms.map((platform) => {
    const row = margin[platform];
    const away = live[platform]?.phase !== 'open' || live[platform]?.venues.SWAP?.state === 'down';
    const { warnsFrom } = contractOffer(platform).ratio;
    return {
      ...{ platform, name: platformFacts(platform).name, row, ratio: ratioText(row?.ratio) },
      equity:
        row === undefined ? undefined : ((amountOf(row.wallet) + amountOf(row.unrealisedPnl)) as Amount),
      tone: ratioTone(row?.ratio ?? 0, warnsFrom),
      asOf: away ? heardAt[platform] : undefined,
    };
  });
}

function amountOf(text: string): Amount {
  return parseSignedAmount(text) ?? ZERO;
}
