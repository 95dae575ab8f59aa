import {
  type Amount,
  amountToSteps,
  type Lots,
  ok,
  type Result,
  refused,
  type Ticks,
} from '@crossbook/domain';
import type { AccountNumber, MarketFacts, NewSimOrder, SelfTradePrevention } from '../../../exchange.ts';
import type { Desk } from '../desk.ts';
import { cannotBeEmpty, ERRORS, type OkxError, parameterError } from '../errors.ts';
import { ownClientId } from '../ids.ts';
import { factsOf, type Listed } from '../listing.ts';
import type { ParamReader } from '../params.ts';

const ORDER_TYPES = ['limit', 'market', 'post_only', 'fok', 'ioc'] as const;
type OrderType = (typeof ORDER_TYPES)[number];
/** Letters and digits, both cases. */
const CLIENT_ID = /^[A-Za-z0-9]{1,32}$/;
const TAG = /^[A-Za-z0-9]{1,16}$/;

const PREVENTIONS: Readonly<Record<string, SelfTradePrevention>> = {
  cancel_maker: 'EXPIRE_MAKER',
  cancel_taker: 'EXPIRE_TAKER',
  cancel_both: 'EXPIRE_BOTH',
};

/** A new order with the label that its owner put on it. */
export interface OrderDraft {
  readonly listed: Listed;
  readonly order: NewSimOrder;
  readonly tag: string;
}

/** The instrument by name or, on sockets since 2026, by code. */
export function readInstrument(reader: ParamReader, desk: Desk): Listed | undefined {
  const code = reader.integer('instIdCode');
  const listed =
    code !== undefined && !reader.has('instId')
      ? desk.listing.findCode(code)
      : desk.listing.find(reader.instId());
  if (listed === undefined) reader.refuse(ERRORS.noInstrument);
  return listed;
}

/** Only spot trades here, and only with what the account holds. */
function checkMode(reader: ParamReader, listed: Listed | undefined): void {
  const mode = reader.requiredChoice('tdMode', ['cash', 'cross', 'isolated', 'spot_isolated']);
  const posSide = reader.choice('posSide', ['net', 'long', 'short']);
  if (reader.refusal !== undefined || listed === undefined) return;
  if (mode !== 'cash' || listed.instType !== 'SPOT') reader.refuse(ERRORS.accountMode);
  if (posSide === 'long' || posSide === 'short') reader.refuse(parameterError('posSide'));
}

/** What belongs to orders that are not simulated is refused rather than left out silently. */
function refuseUnsupported(reader: ParamReader, bagHas: (name: string) => boolean): void {
  for (const name of ['attachAlgoOrds', 'pxUsd', 'pxVol']) {
    if (bagHas(name)) reader.refuse(parameterError(name));
  }
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

/** Counts a size in lots. */
export function lotsOf(size: Amount, market: MarketFacts): Result<Lots, OkxError> {
  const lots = amountToSteps(size, market.lotSize);
  return lots === undefined ? refused(ERRORS.lotMultiple) : ok(lots as Lots);
}

/** Counts a price in ticks. */
export function ticksOf(price: Amount, market: MarketFacts, name: string): Result<Ticks, OkxError> {
  const ticks = amountToSteps(price, market.tickSize);
  return ticks === undefined ? refused(parameterError(name)) : ok(ticks as Ticks);
}

/** Which of the core's refusals of a quantity it was: OKX tells too small from too large. */
export function sizeRefusal(order: { readonly quantity?: Lots }, market: MarketFacts): OkxError {
  const base = BigInt(order.quantity ?? 0) * market.lotSize;
  return base > market.maxQty ? ERRORS.tooLarge : ERRORS.tooSmall;
}

/** Reads one new order. */
export function readOrderDraft(
  desk: Desk,
  reader: ParamReader,
  account: AccountNumber,
): Result<OrderDraft, OkxError> {
  const listed = readInstrument(reader, desk);
  checkMode(reader, listed);
  const side = reader.requiredChoice('side', ['buy', 'sell']);
  const type = reader.requiredChoice('ordType', ORDER_TYPES);
  const sizes = readSizes(reader, type, side);
  const clOrdId = reader.pattern('clOrdId', CLIENT_ID);
  const tag = reader.pattern('tag', TAG) ?? '';
  const prevention = reader.choice('stpMode', ['cancel_maker', 'cancel_taker', 'cancel_both']);
  refuseUnsupported(reader, (name) => reader.has(name));
  if (reader.refusal !== undefined) return refused(reader.refusal);
  if (listed === undefined) return refused(ERRORS.noInstrument);
  const amounts = amountsOf(sizes, factsOf(listed));
  if (!amounts.ok) return amounts;
  const order: NewSimOrder = {
    account,
    symbol: listed.instId,
    side: side === 'buy' ? 'BUY' : 'SELL',
    ...kindOf(type),
    ...amounts.value,
    clientId: clOrdId ?? ownClientId(desk.randomText(20)),
    selfTradePrevention: PREVENTIONS[prevention ?? 'cancel_maker'] ?? 'EXPIRE_MAKER',
  };
  return ok({ listed, order, tag });
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

function kindOf(type: OrderType): Pick<NewSimOrder, 'kind' | 'timeInForce' | 'whenTaking'> {
  if (type === 'market') return { kind: 'MARKET', timeInForce: 'IOC' };
  // OKX takes a post-only order on and cancels it at once where it would take.
  if (type === 'post_only') return { kind: 'LIMIT_MAKER', timeInForce: 'GTC', whenTaking: 'EXPIRE' };
  return { kind: 'LIMIT', timeInForce: type === 'fok' ? 'FOK' : type === 'ioc' ? 'IOC' : 'GTC' };
}
