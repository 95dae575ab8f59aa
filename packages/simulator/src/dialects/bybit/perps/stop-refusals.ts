import { formatAmount, stepsToAmount } from '@crossbook/domain';
import type { ConditionalRefusal } from '../../../perp-conditionals.ts';
import type { NewPerpOrder } from '../../../perp-exchange.ts';
import type { Trigger } from '../../../triggers/trigger.ts';
import type { Desk } from '../endpoint.ts';
import type { BybitError } from '../errors.ts';
import { orderRefusal } from './order-draft.ts';
import { contractOf } from './order-shapes.ts';
import { STOP_REFUSALS, wouldTrigger } from './refusals.ts';
import { TRIGGER_WORDS } from './stop-words.ts';

/** Bybit's code for a refusal of an order that was to wait. */
export function stopRefusal(
  desk: Desk,
  refusal: ConditionalRefusal,
  asked: Pick<NewPerpOrder, 'symbol' | 'quantity'> & { readonly trigger: Trigger },
): BybitError {
  const { symbol, quantity, trigger } = asked;
  const contract = contractOf(desk, symbol);
  if (refusal === 'LOT_SIZE') return orderRefusal(refusal, quantity, contract);
  if (refusal !== 'WOULD_TRIGGER') return STOP_REFUSALS[refusal];
  const price = trigger.at === 'PRICE' ? trigger.price : (trigger.activation ?? 0);
  const shown = formatAmount(stepsToAmount(price, contract.tickSize));
  return wouldTrigger(trigger.direction, shown, nowOf(desk, symbol, trigger.by), TRIGGER_WORDS[trigger.by]);
}

/** Where the followed price stands. */
function nowOf(desk: Desk, symbol: string, by: Trigger['by']): string {
  const { perps } = desk.venue;
  const { mark, index } = perps.stats(symbol);
  const format = desk.format.linear.of(symbol);
  if (by !== 'LAST') return format.shownPrice(by === 'MARK' ? mark : index);
  const [last] = perps.trades(symbol, { limit: 1 });
  return last === undefined ? '' : format.price(last.price);
}
