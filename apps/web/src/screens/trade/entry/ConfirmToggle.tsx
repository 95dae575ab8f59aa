import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings } from '../../../stores/app/settings.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';

/** Whether every order asks once more. */
export function ConfirmToggle({ checked }: { readonly checked: boolean }) {
  const text = useText();
  return (
    <Checkbox
      label={text('trade.ticket.confirmToggle')}
      className="max-lg:py-3"
      checked={checked}
      onChange={(event) => changeTradeSettings({ confirmOrders: event.target.checked })}
    />
  );
}
