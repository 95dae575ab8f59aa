import type { TicketWarning, TicketWarningName } from '../../../calculators/ticket/ticket-warnings.ts';
import { useText } from '../../../i18n/i18n.ts';

/** What only informs: nothing about it is unusual. */
const INFORMATION: readonly TicketWarningName[] = ['reduces', 'cross-pool', 'isolated-loss'];

/** Remarks above the button that sends; information in quieter words than what may cost money. */
export function TicketWarnings({ warnings }: { readonly warnings: readonly TicketWarning[] }) {
  const text = useText();
  if (warnings.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 text-xs leading-4">
      {warnings.map(({ name, values }) => (
        <li key={name} className={INFORMATION.includes(name) ? 'text-soft' : 'text-warning'}>
          {text(`trade.warning.${name}`, values)}
        </li>
      ))}
    </ul>
  );
}
