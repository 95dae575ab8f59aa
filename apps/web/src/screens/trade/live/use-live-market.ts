import { useNavigate } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { keepLive } from '../../../stores/market/live.ts';
import { type MarketName, tradeLink } from '../../../stores/market/market.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import { catchUp } from '../../../stores/trading/private-events.ts';
import { useFreshness } from './live-hooks.ts';
import { createLiveMarket, followInstrument } from './live-market.ts';
import { useLargeTrades } from './use-large-trades.ts';

/** The live stores of the instrument on screen, how current they are, and how to open another market. */
export function useLiveMarket(instrument: ListedInstrument) {
  const { platform } = instrument;
  const [market] = useState(createLiveMarket);
  const member = useStore(sessionStore, isMember);
  const navigate = useNavigate();
  // Before the panels' own effects: none of them may see figures of the market that was on screen before.
  useLayoutEffect(() => followInstrument(market, instrument), [market, instrument]);
  useEffect(() => keepLive(platform), [platform]);
  useEffect(() => {
    if (member) catchUp(platform);
  }, [member, platform]);
  useLargeTrades(market.tape, instrument);
  const freshness = useFreshness(market, instrument);
  return { market, freshness, onMarket: (chosen: MarketName) => void navigate(tradeLink(chosen)) };
}
