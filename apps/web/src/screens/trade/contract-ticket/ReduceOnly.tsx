import '../../../i18n/later-words.ts';
import type { ContractTicketAction } from '../../../calculators/contracts/contract-ticket.ts';
import { useText } from '../../../i18n/i18n.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';

/** Where a position has one side: whether the order may only make it smaller. */
export function ReduceOnly(props: {
  readonly checked: boolean;
  readonly act: (action: ContractTicketAction) => void;
}) {
  const text = useText();
  return (
    <Checkbox
      label={text('trade.contract.reduceOnly')}
      checked={props.checked}
      onChange={(event) => props.act({ kind: 'reduce-only', reduceOnly: event.target.checked })}
      className="shrink-0 max-lg:py-2"
    />
  );
}
