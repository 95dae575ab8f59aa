import type { OrderRow } from '@crossbook/contract';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { ListedInstrument } from '../../stores/market/instruments.ts';
import { askToResend, resendAskedStore } from '../../stores/trading/ticket/resend-asked.ts';

/** Takes up what the order history asks for, once its market is on screen. @param fill fills the ticket in. */
export function useResend(instrument: ListedInstrument, fill: (row: OrderRow) => void): void {
  const row = useStore(resendAskedStore, (asked) => asked.row);
  const current = useRef(fill);
  current.current = fill;
  const { platform, symbolType, symbol } = instrument;
  useEffect(() => {
    if (row?.exchange !== platform || row.symbolType !== symbolType || row.symbol !== symbol) return;
    askToResend(undefined);
    current.current(row);
  }, [row, platform, symbolType, symbol]);
}
