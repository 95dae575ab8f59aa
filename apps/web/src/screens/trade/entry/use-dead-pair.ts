import { platformFacts } from '@crossbook/domain';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../../i18n/i18n.ts';
import { bootConfig } from '../../../stores/app/boot.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { liveStore } from '../../../stores/market/live.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import { keepOpening, openingStore, pairsOf } from '../../../stores/trading/opening.ts';

/**
 * Why no order of a pair can be sent now, whatever stands in the ticket; `undefined` where one can.
 * @param waits for the first prices: nothing is sent that no figures were shown for.
 */
export function useDeadPair({ platform, symbol }: ListedInstrument, waits: boolean): string | undefined {
  const text = useText();
  const member = useStore(sessionStore, isMember);
  useEffect(() => (member ? keepOpening(platform, 'SPOT') : undefined), [member, platform]);
  const opening = useStore(openingStore, (known) => known[pairsOf(platform)]);
  const down = useStore(liveStore, (live) => {
    const update = live[platform]?.venues.SPOT;
    return update?.state === 'down' ? update.millis : undefined;
  });
  const serverAway = useStore(liveStore, (live) => live[platform]?.phase === 'failed');
  if (!member) return undefined;
  if (serverAway) return text('trade.contract.dead.serverAway', { product: bootConfig().productName });
  if (down !== undefined) {
    const time = new Date(down).toISOString().slice(11, 19);
    return text('trade.contract.dead.venueDown', { venue: platformFacts(platform).name, time });
  }
  if (opening?.stopped === 'money-halted') return text('trade.contract.dead.gateClosed');
  if (opening?.stopped !== 'books-differ') {
    const venue = platformFacts(platform).name;
    return waits ? text('trade.contract.dead.prices', { symbol, venue }) : undefined;
  }
  const { of = '', amount = '–' } = opening.differs ?? {};
  return text('trade.ticket.booksDiffer', {
    ...{ product: bootConfig().productName, venue: platformFacts(platform).name },
    amount: `${amount} ${of}`.trimEnd(),
  });
}
