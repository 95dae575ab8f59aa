import { formatAmount, ORDER_TYPE, platformFacts, TIME_IN_FORCE } from '@crossbook/domain';
import type { BracketFields } from '../../../calculators/algos/brackets.ts';
import { contractRequestOf } from '../../../calculators/contracts/contract-errors.ts';
import { type ContractFacts, metPosition } from '../../../calculators/contracts/contract-summary.ts';
import {
  type ContractTicketState,
  effectOfOrder,
  leverageOf,
  meansWhole,
  onlyCloses,
} from '../../../calculators/contracts/contract-ticket.ts';
import { clearAlgoEntries } from '../../../stores/algos/algo-ticket.ts';
import { newClientId } from '../../../stores/app/clock.ts';
import { notify } from '../../../stores/app/notices.ts';
import { closePosition } from '../../../stores/trading/contracts/contract-calls.ts';
import { loadSetting } from '../../../stores/trading/contracts/contract-settings.ts';
import { loadOpening } from '../../../stores/trading/opening.ts';
import { placeOrder } from '../../../stores/trading/order-calls.ts';
import { lookUpUntilKnown } from '../../../stores/trading/order-lookup.ts';
import type { ContractTicketStore } from '../../../stores/trading/ticket/contract-ticket.ts';

/** What the call needs of a contract order, with what the member saw of the settings. */
export function contractOrderOf(state: ContractTicketState, facts: ContractFacts) {
  const { instrument, setting } = facts;
  const { side, type, timeInForce, price, quantity } = contractRequestOf(state, facts);
  const effect = effectOfOrder(state, setting);
  return {
    platformType: platformFacts(instrument.platform).platformType,
    tinstType: 2 as const,
    symbol: instrument.symbol,
    ...{ side, timeInForce, effect },
    orderType: type === ORDER_TYPE.MARKET ? (2 as const) : (1 as const),
    ...(price === undefined ? {} : { price: formatAmount(price) }),
    ...(quantity === undefined ? {} : { quantity: formatAmount(quantity) }),
    reduceOnly: onlyCloses(state, setting),
    ...(setting === undefined
      ? {}
      : { marginMode: setting.marginMode, leverage: leverageOf(effect, setting) }),
  };
}

/**
 * Closing all of a position is no number: the hub resolves it when it sends. It has a limit but no time in force.
 * @returns `undefined` where the order is not of that kind.
 */
function wholeClose(state: ContractTicketState, facts: ContractFacts) {
  const met = metPosition(state, facts);
  const plain = state.type === ORDER_TYPE.MARKET || state.timeInForce === TIME_IN_FORCE.GTC;
  if (met === undefined || !plain || !meansWhole(state, facts.setting)) return undefined;
  const { price } = contractRequestOf(state, facts);
  return { met, part: price === undefined ? {} : { price: formatAmount(price) } };
}

async function sendWhole(
  store: ContractTicketStore,
  { met, part }: NonNullable<ReturnType<typeof wholeClose>>,
  clientId: string,
): Promise<void> {
  const { setSending } = store.getState();
  const answer = await closePosition(met, part, () => setSending({ phase: 'unknown', clientId }));
  if (!answer.ok) {
    // Without an answer the position, which is read again, says what became of it; closing twice closes once.
    if (answer.kind === 'refused')
      setSending({ phase: 'refused', message: answer.message, venue: answer.venue });
    else setSending({ phase: 'idle' });
    return;
  }
  const { outcome, reason } = answer.data;
  if (outcome === 'refused') setSending({ phase: 'refused', message: reason ?? '' });
  else {
    const tone = outcome === 'sent' ? 'success' : 'error';
    notify(tone, {
      id: outcome === 'sent' ? 'contract.closeSent' : 'order.unknown',
      values: { symbol: met.symbol },
    });
    store.getState().sent();
  }
}

/** The order is at the hub: its size, and its take-profit and stop-loss, must not be sent twice. */
function forgetSent(store: ContractTicketStore): void {
  store.getState().sent();
  clearAlgoEntries();
}

/**
 * Sends what stands in the ticket. The order's id is made here, at the click, and is its idempotency key; further clicks
 * are ignored until there is an answer. Without one the ticket looks for the order by its id until it knows.
 */
export async function sendContract(
  store: ContractTicketStore,
  facts: ContractFacts,
  bracket: BracketFields = {},
): Promise<void> {
  const { phase } = store.getState().sending;
  if (phase === 'sending' || phase === 'unknown') return;
  const clientId = newClientId();
  const { ticket, setSending } = store.getState();
  setSending({ phase: 'sending', clientId });
  const whole = wholeClose(ticket, facts);
  if (whole !== undefined) return sendWhole(store, whole, clientId);
  const onUnknown = (): void => setSending({ phase: 'unknown', clientId });
  const answer = await placeOrder({ ...contractOrderOf(ticket, facts), ...bracket }, clientId, onUnknown);
  if (answer.ok) forgetSent(store);
  else if (answer.kind === 'refused') {
    setSending({ phase: 'refused', message: answer.message, venue: answer.venue });
    // Perhaps nothing may be opened at all, or the settings are others by now: then the ticket says so at once.
    void loadOpening(facts.instrument.platform);
    void loadSetting(facts.instrument);
  } else {
    const waits = (): boolean => {
      const { sending } = store.getState();
      return sending.phase === 'unknown' && sending.clientId === clientId;
    };
    const found = await lookUpUntilKnown(facts.instrument.platform, clientId, waits);
    if (found === 'given-up') return;
    if (found === 'found') forgetSent(store);
    else {
      setSending({ phase: 'idle' });
      notify('info', { id: 'trade.ticket.notArrived' }, clientId);
    }
  }
}
