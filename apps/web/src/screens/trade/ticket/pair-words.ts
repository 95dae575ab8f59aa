import { type Amount, formatAmount, ORDER_TYPE, platformFacts, SIDE } from '@crossbook/domain';
import { groupThousands } from '../../../calculators/step-text.ts';
import { gapText } from '../../../calculators/ticket/gap-text.ts';
import { entryAmount } from '../../../calculators/ticket/number-entry.ts';
import {
  orderRequestOf,
  sizedInQuote,
  type TicketState,
  type TicketSummary,
} from '../../../calculators/ticket/ticket.ts';
import type { Text } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';

/** An entry with its asset; only the asset where nothing is written. */
function sizeText(entry: string, asset: string): string {
  const size = entryAmount(entry);
  return size === undefined || size === 0n ? asset : `${groupThousands(formatAmount(size))} ${asset}`;
}

/** The button of a pair as a sentence: "Buy 0.05 BTC", "Buy BTC for 100 USDT". */
export function pairAction(text: Text, ticket: TicketState, { base, quote }: ListedInstrument): string {
  const buying = ticket.side === SIDE.BUY;
  if (sizedInQuote(ticket) && (entryAmount(ticket.quote) ?? 0n) > 0n)
    return text('trade.ticket.send.spend', { asset: base, spend: sizeText(ticket.quote, quote) });
  const asset = sizedInQuote(ticket) ? base : sizeText(ticket.quantity, base);
  return text(buying ? 'trade.ticket.send.buy' : 'trade.ticket.send.sell', { asset });
}

/**
 * What is sent besides the size: price, distance from the market, kind, time in force, what of it is shown, venue.
 * @param best the price that it would fill at now.
 */
export function pairSentence(
  text: Text,
  ticket: TicketState,
  context: {
    readonly summary: TicketSummary;
    readonly instrument: ListedInstrument;
    readonly best: Amount | undefined;
  },
): string {
  const { summary, instrument, best } = context;
  const limit = ticket.type === ORDER_TYPE.LIMIT;
  const price = limit
    ? `${groupThousands(ticket.price)} ${instrument.quote}${gapText(summary.price, best)}`
    : text('trade.ticket.marketPrice');
  return [
    price,
    text(limit ? 'type.limit' : 'type.market'),
    ...(limit ? [text(`trade.ticket.tif.${ticket.timeInForce}`)] : []),
    ...(orderRequestOf(ticket).visibleQuantity === undefined
      ? []
      : [text('trade.iceberg.of', { size: `${ticket.visible} ${instrument.base}` })]),
    platformFacts(instrument.platform).name,
  ].join(' · ');
}
