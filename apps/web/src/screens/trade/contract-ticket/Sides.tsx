import '../../../i18n/later-words.ts';
import { SIDE } from '@crossbook/domain';
import type {
  ContractTicketAction,
  ContractTicketState,
} from '../../../calculators/contracts/contract-ticket.ts';
import { useText } from '../../../i18n/i18n.ts';
import { KindSegments } from '../entry/KindSegments.tsx';
import { Segments } from '../entry/Segments.tsx';

/** Long or short, and in hedge mode whether a leg is opened or closed. */
export function Sides(props: {
  readonly ticket: ContractTicketState;
  readonly hedge: boolean;
  readonly act: (action: ContractTicketAction) => void;
}) {
  const { ticket, hedge, act } = props;
  const text = useText();
  const closing = hedge && ticket.tab === 'close';
  const buy = !hedge ? 'trade.contract.buyLong' : closing ? 'side.closeShort' : 'side.openLong';
  const sell = !hedge ? 'trade.contract.sellShort' : closing ? 'side.closeLong' : 'side.openShort';
  return (
    <>
      {hedge && (
        <Segments
          label={text('trade.contract.tab')}
          value={ticket.tab}
          onChange={(tab) => act({ kind: 'tab', tab })}
          options={[
            { value: 'open', label: text('trade.contract.tab.open') },
            { value: 'close', label: text('trade.contract.tab.close') },
          ]}
        />
      )}
      <Segments
        label={text('trade.ticket.side')}
        value={ticket.side}
        onChange={(side) => act({ kind: 'side', side })}
        options={[
          { value: SIDE.BUY, label: text(buy), className: 'bg-up text-on-up' },
          { value: SIDE.SELL, label: text(sell), className: 'bg-down text-on-down' },
        ]}
      />
      <KindSegments type={ticket.type} act={act} />
    </>
  );
}
