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
  const none = useRef(false);
  // With each answer of the hub, what could not be read is tried again, and all of an account that has come into being.
  useEffect(() => {
    const { stopped } = opening ?? {};
    const opened = none.current && stopped !== 'account-none';
    none.current = stopped === 'account-none';
    if (stopped === undefined || none.current || !(failed.current || opened)) return;
    void loadSetting(instrument);
    void loadPositions(platform);
  }, [opening, instrument, platform]);
  return opening;
}
