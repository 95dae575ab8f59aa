import '../../../i18n/later-words.ts';
import type { OrderRow } from '@crossbook/contract';
import type { ContractFacts } from '../../../calculators/contracts/contract-summary.ts';
import { effectOfOrder } from '../../../calculators/contracts/contract-ticket.ts';
import type { Text } from '../../../i18n/i18n.ts';
import { setLeverage } from '../../../stores/trading/contracts/contract-settings.ts';
import { cancelThose } from '../../../stores/trading/order-calls.ts';
import type { ContractTicketStore } from '../../../stores/trading/ticket/contract-ticket.ts';

/** What an error's buttons do at the exchange. */
export interface Mends {
  readonly onLeverage: (leverage: number) => void;
  readonly onCancel: (orders: readonly OrderRow[]) => void;
}

/** Of a contract's ticket; what the exchange refuses stands where the ticket's own refusals do. */
export function mendsOf(store: ContractTicketStore, read: () => ContractFacts, text: Text): Mends {
  const takeLeverage = async (leverage: number): Promise<void> => {
    const { instrument, setting } = read();
    if (setting === undefined) return;
    const effect = effectOfOrder(store.getState().ticket, setting);
    const answer = await setLeverage(instrument, { leverage, effect, marginMode: setting.marginMode });
    if (answer.ok) return;
    const venue = answer.kind === 'refused' ? answer.venue : undefined;
    const message = answer.kind === 'refused' ? answer.message : text('trade.setting.unknown');
    store.getState().setSending({ phase: 'refused', message, venue });
  };
  return {
    onLeverage: (leverage) => void takeLeverage(leverage),
    onCancel: (orders) => void cancelThose(orders),
  };
}
