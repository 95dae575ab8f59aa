import { useStore } from 'zustand';
import { asksFirst, type ConfirmKind, withAsking } from '../../../calculators/ticket/confirm-kinds.ts';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../../stores/app/settings.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';

/** Whether an order of a kind asks once more. */
export function useAsksFirst(kind: ConfirmKind): boolean {
  return useStore(tradeSettingsStore, ({ confirmOrders }) => asksFirst(confirmOrders, kind));
}

/** Orders of a kind ask from now on, or no more. */
export function askFirst(kind: ConfirmKind, asks: boolean): void {
  const { confirmOrders } = tradeSettingsStore.getState();
  changeTradeSettings({ confirmOrders: withAsking(confirmOrders, kind, asks) });
}

/** Whether every order of a kind asks once more. @param label absent: of the ticket on screen. */
export function ConfirmToggle({ kind, label }: { readonly kind: ConfirmKind; readonly label?: string }) {
  const text = useText();
  return (
    <Checkbox
      label={label ?? text('trade.ticket.confirmToggle')}
      className="max-lg:py-3"
      checked={useAsksFirst(kind)}
      onChange={(event) => askFirst(kind, event.target.checked)}
    />
  );
}
