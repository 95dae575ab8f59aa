import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import { loadSetting } from '../../../stores/trading/contracts/contract-settings.ts';
import { loadPositions } from '../../../stores/trading/contracts/positions.ts';
import { keepOpening, type Opening, openingStore } from '../../../stores/trading/opening.ts';

/** What keeps the member from opening anything, asked again and again; `undefined` for a visitor. */
export function useOpening(instrument: ListedInstrument, settingFailed: boolean): Opening | undefined {
  const { platform } = instrument;
  const member = useStore(sessionStore, isMember);
  useEffect(() => (member ? keepOpening(platform) : undefined), [member, platform]);
  const opening = useStore(openingStore, (known) => known[platform]);
  const failed = useRef(settingFailed);
  failed.current = settingFailed;
  // With each answer of the hub, what could not be read is tried again: the account may have come into being meanwhile.
  useEffect(() => {
    const { stopped } = opening ?? {};
    if (stopped === undefined || stopped === 'account-none' || !failed.current) return;
    void loadSetting(instrument);
    void loadPositions(platform);
  }, [opening, instrument, platform]);
  return opening;
}
