import { type Amount, ok, type Result, refused } from '@crossbook/domain';
import type { MarketFacts, NewSimOrder } from '../../../exchange.ts';
import type { AttachedStops } from '../../../perp-exchange.ts';
import { readAttached } from '../algos/attached-entries.ts';
import type { Desk } from '../desk.ts';
import { cannotBeEmpty, ERRORS, type OkxError, parameterError } from '../errors.ts';
import { factsOf } from '../listing.ts';
import type { Place } from '../orders/order-adapter.ts';
import {
  kindOf,
  lotsOf,
  ORDER_TYPES,
  type OrderType,
  readLabels,
  refuseUnsupported,
  ticksOf,
} from '../orders/order-words.ts';
import type { ParamReader } from '../params.ts';

/** A new order with the label that its owner put on it. */
export interface OrderDraft {
  readonly order: NewSimOrder;
  readonly tag: string;
  /** What comes with it. */
  readonly attached?: AttachedStops;
}

/** Pairs trade only with what the account holds. */
export function checkMode(reader: ParamReader): void {
  const mode = reader.requiredChoice('tdMode', ['cash', 'cross', 'isolated', 'spot_isolated']);
  const posSide = reader.choice('posSide', ['net', 'long', 'short']);
  if (reader.refusal !== undefined) return;
  if (mode !== 'cash') reader.refuse(ERRORS.accountMode);
  if (posSide === 'long' || posSide === 'short') reader.refuse(parameterError('posSide'));
}

interface Sizes {
  readonly price: Amount | undefined;
  readonly size: Amount;
  readonly inQuote: boolean;
}

function readSizes(reader: ParamReader, type: OrderType, side: 'buy' | 'sell'): Sizes {
  if (!reader.has('sz')) reader.refuse(cannotBeEmpty('sz'));
  const size = reader.decimal('sz');
  if (size === 0n) reader.refuse(parameterError('sz'));
  const target = reader.choice('tgtCcy', ['base_ccy', 'quote_ccy']);
  if (type === 'market') {
    const inQuote = target === undefined ? side === 'buy' : target === 'quote_ccy';
    return { price: undefined, size: size ?? (0n as Amount), inQuote };
  }
  if (!reader.has('px')) reader.refuse(ERRORS.noPrice);
  const price = reader.decimal('px');
  if (price === 0n) reader.refuse(parameterError('px'));
  return { price, size: size ?? (0n as Amount), inQuote: false };
}

/** Reads one new order on a pair. */
export function readOrderDraft(
  desk: Desk,
  reader: ParamReader,
  { account, listed }: Place,
): Result<OrderDraft, OkxError> {
  checkMode(reader);
  const side = reader.requiredChoice('side', ['buy', 'sell']);
  const type = reader.requiredChoice('ordType', ORDER_TYPES);
  const sizes = readSizes(reader, type, side);
  const { tag, ...labels } = readLabels(reader, desk);
  refuseUnsupported(reader);
  const attached = readAttached(reader, factsOf(listed), { several: ERRORS.splitPairs });
  if (reader.refusal !== undefined) return refused(reader.refusal);
  const amounts = amountsOf(sizes, factsOf(listed));
  if (!amounts.ok) return amounts;
  const order: NewSimOrder = {
    account,
    symbol: listed.instId,
    side: side === 'buy' ? 'BUY' : 'SELL',
    ...kindOf(type),
    ...amounts.value,
    ...labels,
  };
  return ok({ order, tag, ...(attached === undefined ? {} : { attached }) });
}

function amountsOf(
  { price, size, inQuote }: Sizes,
  market: MarketFacts,
): Result<Pick<NewSimOrder, 'price' | 'quantity' | 'quoteQuantity'>, OkxError> {
  if (inQuote) return ok({ quoteQuantity: size });
  const quantity = lotsOf(size, market);
  if (!quantity.ok) return quantity;
  if (price === undefined) return ok({ quantity: quantity.value });
  const ticks = ticksOf(price, market, 'px');
  return ticks.ok ? ok({ price: ticks.value, quantity: quantity.value }) : ticks;
}
