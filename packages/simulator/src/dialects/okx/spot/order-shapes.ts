import { type Amount, divDown, formatAmount, plus, stepsToAmount, ZERO } from '@crossbook/domain';
import type { SimFill, SimOrder } from '../../../exchange.ts';
import { fields } from '../../wire/fields.ts';
import type { OrderUpdate } from '../../wire/order-update.ts';
import type { Desk } from '../desk.ts';
import { formatCharge } from '../format.ts';
import { ordIdOf } from '../ids.ts';
import { factsOf, type Listed } from '../listing.ts';
import { usdOf } from '../market/tickers.ts';
import { fillFields, lastFill, orderFields, pushFields } from '../orders/order-fields.ts';
import { cancelledBy } from '../orders/order-words.ts';
import { sentByFields } from './algo-adapter.ts';
import { attachedRows } from './attached.ts';

/** Fills of one order that are looked at for its row: more than any order here gets. */
const FILLS_MAX = 20_000;

/** Why an order was cancelled (OKX v5 guide, `cancelSource` of "Order details"); empty while it was not. */
function cancelSourceOf(
  desk: Desk,
  listed: Listed,
  order: SimOrder,
): { readonly cancelSource: string; readonly cancelSourceReason: string } {
  const reported = (cancelSource: string, cancelSourceReason: string) => ({
    cancelSource,
    cancelSourceReason,
  });
  if (order.status === 'CANCELED') return reported(...cancelledBy(desk, ordIdOf(listed, order.orderId)));
  if (order.status === 'EXPIRED_IN_MATCH')
    return reported('32', 'Order canceled due to self trade prevention');
  if (order.status !== 'EXPIRED') return reported('', '');
  if (order.kind === 'LIMIT_MAKER') return reported('31', 'The post-only order would take liquidity');
  if (order.timeInForce === 'FOK')
    return reported('13', 'FOK order was canceled because it was not filled at once');
  return reported('14', 'IOC order was partially canceled because it was not filled at once');
}

/** The fills of an order, oldest first. */
function fillsOf(desk: Desk, order: SimOrder): readonly SimFill[] {
  if (order.executed === 0) return [];
  const { account, symbol, orderId } = order;
  return desk.venue.spot.fills(account, symbol, { orderId, limit: FILLS_MAX });
}

/** Asset in which an order's fee is charged: what it receives. */
function feeAssetOf(order: SimOrder, listed: Listed): string {
  const facts = factsOf(listed);
  return order.side === 'BUY' ? facts.base : facts.quote;
}

function sizeOf(order: SimOrder, listed: Listed): { readonly sz: string; readonly tgtCcy: string } {
  if (order.quoteQuantity !== undefined)
    return { sz: formatAmount(order.quoteQuantity), tgtCcy: 'quote_ccy' };
  const sz = order.quantity === undefined ? '0' : listed.format.quantity(order.quantity);
  return { sz, tgtCcy: order.kind === 'MARKET' ? 'base_ccy' : '' };
}

function averagePrice(order: SimOrder, listed: Listed): string {
  if (order.executed === 0) return '';
  const base = stepsToAmount(order.executed, factsOf(listed).lotSize);
  return formatAmount(divDown(order.executedQuote, base));
}

interface Reported {
  readonly fee: Amount;
  readonly fill: SimFill | undefined;
}

/** Fields that REST and the channel share. */
function sharedRow(desk: Desk, listed: Listed, order: SimOrder, reported: Reported): Record<string, unknown> {
  const facts = factsOf(listed);
  return {
    ...orderFields(desk, listed, order),
    ...sentByFields(listed, order),
    attachAlgoOrds: attachedRows(desk, listed, order),
    avgPx: averagePrice(order, listed),
    ...cancelSourceOf(desk, listed, order),
    category: 'normal',
    fee: formatCharge(reported.fee),
    feeCcy: feeAssetOf(order, listed),
    ...lastFill(
      listed,
      reported.fill,
      reported.fill === undefined ? '' : listed.format.price(reported.fill.price),
    ),
    instType: 'SPOT',
    pnl: '0',
    posSide: 'net',
    rebateCcy: order.side === 'BUY' ? facts.quote : facts.base,
    reduceOnly: 'false',
    ...sizeOf(order, listed),
    tdMode: 'cash',
    tradeQuoteCcy: facts.quote,
  };
}

/** An order as queries and lists tell it: with its last fill. */
export function orderRow(desk: Desk, listed: Listed, order: SimOrder): object {
  const fills = fillsOf(desk, order);
  const fee = fills.reduce((sum, fill) => plus(sum, fill.fee), ZERO);
  return sharedRow(desk, listed, order, { fee, fill: fills.at(-1) });
}

/** One row of the `orders` channel: the order after the event, and the fill only where the event is one. */
export function orderPush(desk: Desk, listed: Listed, update: OrderUpdate): object {
  const { order, fill, cause } = update;
  const fills = fillsOf(desk, order).filter((one) => fill === undefined || one.tradeId <= fill.tradeId);
  const fee = fills.reduce((sum, one) => plus(sum, one.fee), ZERO);
  const facts = factsOf(listed);
  const notional =
    order.quoteQuantity ??
    (((BigInt(order.quantity ?? 0) * BigInt(order.price ?? 0) * facts.tickSize * facts.lotSize) /
      10n ** 18n) as Amount);
  const usd = (amount: Amount) => String(Number(usdOf(desk, facts.quote, amount).toFixed(8)));
  const amended = cause === 'REPLACED';
  return {
    ...pushFields(desk, order, { fill, amended }),
    ...sharedRow(desk, listed, order, { fee, fill }),
    amendSource: amended ? '1' : '',
    fillFee: fill === undefined ? '0' : formatCharge(fill.fee),
    fillFeeCcy: fill === undefined ? '' : fill.feeAsset,
    fillNotionalUsd: fill === undefined ? '' : usd(order.executedQuote),
    fillPnl: '0',
    lastPx: String(desk.venue.spot.ticker(order.symbol).last),
    notionalUsd: usd(notional),
  };
}

/** One row of `fills`. */
export function fillRow(desk: Desk, listed: Listed, fill: SimFill): object {
  const order = desk.venue.spot.order(fill.account, fill.symbol, { orderId: fill.orderId });
  const facts = factsOf(listed);
  const feeRate = fill.maker ? facts.makerFee : facts.takerFee;
  return {
    ...fillFields(desk, listed, fill, order),
    fee: formatCharge(fill.fee),
    feeCcy: fill.feeAsset,
    feeRate: formatCharge(feeRate),
    ...fields('fillFwdPx fillIdxPx fillMarkPx fillMarkVol fillPxUsd fillPxVol', ''),
    fillPnl: '0',
    fillPx: listed.format.price(fill.price),
    instType: 'SPOT',
    posSide: 'net',
    subType: fill.side === 'BUY' ? '1' : '2',
    tradeQuoteCcy: facts.quote,
  };
}
