import type { Amount, Side } from '@crossbook/domain';
import { useCallback } from 'react';
import { pickTrigger } from '../../stores/algos/algo-ticket.ts';
import { tradeSettingsStore } from '../../stores/app/settings.ts';
import type { ListedInstrument } from '../../stores/market/instruments.ts';
import { askToSend } from '../../stores/trading/ticket/send-asked.ts';
import type { OrderAt } from './ChartPointer.tsx';

type PickAction =
  | { readonly kind: 'side'; readonly side: Side }
  | { readonly kind: 'pick-price'; readonly price: Amount };

/** Arms the ticket with a price picked in the chart; in one-click mode it is sent as it stands, questions included. */
export function useOrderAt(instrument: ListedInstrument, act: (action: PickAction) => void): OrderAt {
  return useCallback(
    (price, side) => {
      pickTrigger(price, instrument);
      act({ kind: 'side', side });
      act({ kind: 'pick-price', price });
      if (tradeSettingsStore.getState().oneClick) askToSend();
      else document.querySelector<HTMLInputElement>('[data-ticket] input[name="size"]')?.select();
    },
    [instrument, act],
  );
}
