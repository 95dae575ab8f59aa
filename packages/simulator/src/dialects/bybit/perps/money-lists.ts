import {
  type Amount,
  divDown,
  formatAmount,
  type Lots,
  type Millis,
  minus,
  mulDown,
  plus,
  refused,
  stepsToAmount,
  ZERO,
} from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import type { PerpFill, PerpIncome } from '../../../perp-exchange.ts';
import { fields } from '../../wire/fields.ts';
import { accountOf, type Desk, type Endpoint, type Run, reply, signedCall } from '../endpoint.ts';
import { ERRORS, invalid } from '../errors.ts';
import { cutAmount } from '../format.ts';
import { linearContracts } from '../market/instruments.ts';
import { cutPage, type Placed, readPage } from '../pages.ts';
import type { ParamReader } from '../params.ts';
import { readSpan } from '../time-span.ts';
import { type ContractOrder, ownOrder } from './contract-order.ts';
import { linkIdOf } from './link-ids.ts';
import { isFunding, placedFill, placedIncome } from './order-queries.ts';
import { closedPnl, closeFeeOf, contractOf, executionId, fundingParts, sideWord } from './order-shapes.ts';
import { leverageText } from './positions.ts';
import { LINEAR } from './refusals.ts';

const DAY_MILLIS = 86_400_000;
/** As many as there are of a span or an order; the core keeps a bounded number. */
const ALL_KEPT = Number.MAX_SAFE_INTEGER;
const LOG_DEFAULT = 20;
const LOG_MAX = 50;
const CLOSED_DEFAULT = 50;
const CLOSED_MAX = 100;

/** What of the log is asked for; contracts and USDT alone have entries. */
interface LogFilter {
  readonly category: string | undefined;
  readonly baseCoin: string | undefined;
  readonly type: string | undefined;
}

interface LogRow {
  readonly type: string;
  readonly symbol: string;
  readonly [field: string]: unknown;
}

function logId(desk: Desk, symbol: string, sequence: number): string {
  return symbol === '' ? `${sequence}` : `${desk.numbers.linear.of(symbol)}_${symbol}_${sequence}`;
}

function fillType(origin: PerpFill['origin']): string {
  if (origin === 'ADL') return 'ADL';
  if (origin === 'DELISTING') return 'DELIVERY';
  return origin === 'MEMBER' ? 'TRADE' : 'LIQUIDATION';
}

const EMPTY_FIELDS = fields('transSubType bonusChange extraFees', '');

/** A fill: what closing realised, less its fee. @param after of the position, signed, in lots. */
function fillEntry(
  desk: Desk,
  fill: PerpFill,
  after: { readonly lots: number; readonly balance: Amount },
): LogRow {
  const { symbol, fee, realisedPnl, origin, maker } = fill;
  const contract = contractOf(desk, symbol);
  const known = desk.venue.perps.perpOrder(fill.account, symbol, { orderId: fill.orderId });
  const order = known === undefined ? undefined : ownOrder(desk, known);
  const size = (lots: number) => stepsToAmount(lots, contract.lotSize);
  const left = formatAmount(size(Math.abs(after.lots)));
  const rate = maker ? contract.makerFee : contract.takerFee;
  return {
    ...EMPTY_FIELDS,
    id: logId(desk, symbol, fill.sequence),
    ...{ symbol, category: 'linear', currency: 'USDT', type: fillType(origin) },
    side: sideWord(fill.side),
    transactionTime: String(fill.time),
    qty: formatAmount(size(fill.quantity)),
    size: after.lots < 0 ? `-${left}` : left,
    tradePrice: cutAmount(fill.exactPrice),
    funding: '',
    fee: cutAmount(fee),
    cashFlow: cutAmount(realisedPnl),
    change: cutAmount(minus(realisedPnl, fee)),
    cashBalance: cutAmount(after.balance),
    feeRate: origin === 'MEMBER' ? formatAmount(rate) : '0',
    tradeId: executionId(desk, fill),
    orderId: desk.numbers.linear.orderId(symbol, order?.orderId ?? fill.orderId),
    orderLinkId: order === undefined ? '' : linkIdOf(order),
  };
}

/** Funding: above 0 when it was received. */
function fundingEntry(desk: Desk, income: PerpIncome & { readonly symbol: string }): LogRow {
  const { execId, orderId, side, size, rate, price } = fundingParts(desk, income);
  const { symbol, amount, time, sequence, walletAfter } = income;
  const held = formatAmount(size);
  return {
    ...EMPTY_FIELDS,
    id: logId(desk, symbol, sequence),
    ...{ symbol, category: 'linear', currency: 'USDT', type: 'SETTLEMENT', side, orderId },
    transactionTime: String(time),
    qty: held,
    size: side === 'Sell' ? `-${held}` : held,
    tradePrice: cutAmount(price),
    funding: cutAmount(amount),
    fee: '0',
    cashFlow: '0',
    change: cutAmount(amount),
    cashBalance: cutAmount(walletAfter),
    feeRate: rate,
    tradeId: execId,
    orderLinkId: '',
  };
}

/** What the insurance fund takes for a liquidation is a fee; what it pays flows in without a trade. */
function otherEntry(desk: Desk, income: PerpIncome): LogRow {
  const { kind, symbol = '', amount, time, sequence, walletAfter } = income;
  const transfer = kind === 'TRANSFER';
  const fee = kind === 'LIQUIDATION_FEE';
  return {
    ...EMPTY_FIELDS,
    id: logId(desk, symbol, sequence),
    ...{ symbol, category: transfer ? '' : 'linear', currency: 'USDT', side: 'None' },
    type: transfer ? (amount > ZERO ? 'TRANSFER_IN' : 'TRANSFER_OUT') : 'LIQUIDATION',
    transactionTime: String(time),
    ...fields('qty size tradePrice', '0'),
    funding: '',
    fee: fee ? cutAmount(minus(ZERO, amount)) : '0',
    cashFlow: fee ? '0' : cutAmount(amount),
    change: cutAmount(amount),
    cashBalance: cutAmount(walletAfter),
    ...fields('feeRate tradeId orderId orderLinkId', ''),
  };
}

/** Entries of a span, each with the balance after it. Nothing of another time is looked at. */
function logOf(
  desk: Desk,
  account: AccountNumber,
  span: ReturnType<typeof readSpan>,
): readonly Placed<() => LogRow>[] {
  const { perps } = desk.venue;
  const all = { ...span, limit: ALL_KEPT };
  const incomes = perps.income(account, all);
  const [first] = incomes;
  const before = first === undefined ? perps.pool(account).wallet : minus(first.walletAfter, first.amount);
  const balances = new Map(
    incomes.map(({ symbol, orderId, tradeId, walletAfter }) => [
      `${symbol} ${orderId} ${tradeId}`,
      walletAfter,
    ]),
  );
  /** A fill that moved no money leaves what was there. */
  const balanceAfter = ({ symbol, orderId, tradeId, time }: PerpFill): Amount =>
    balances.get(`${symbol} ${orderId} ${tradeId}`) ??
    incomes.findLast((income) => income.time <= time)?.walletAfter ??
    before;
  const trades = perps
    .perpFills(account, all)
    .map((fill) =>
      placedFill(fill, () =>
        fillEntry(desk, fill, { lots: perps.lotsAfter(fill), balance: balanceAfter(fill) }),
      ),
    );
  const others = incomes
    .filter(({ kind }) => kind !== 'REALIZED_PNL' && kind !== 'COMMISSION')
    .map((income) =>
      placedIncome(income, () => (isFunding(income) ? fundingEntry(desk, income) : otherEntry(desk, income))),
    );
  return [...trades, ...others];
}

/** What changed the wallet by contracts and transfers of USDT; trades of pairs have no entries here. */
function transactionLog(reader: ParamReader, desk: Desk): Run {
  const accountType = reader.text('accountType') ?? 'UNIFIED';
  if (accountType !== 'UNIFIED') reader.refuse(invalid('accountType'));
  const filter: LogFilter = {
    category: reader.text('category'),
    baseCoin: reader.text('baseCoin'),
    type: reader.text('type'),
  };
  const currency = reader.text('currency') ?? 'USDT';
  const moved = reader.has('transSubType');
  const span = readSpan(reader, desk.venue.perps.now(), DAY_MILLIS);
  const page = readPage(reader, LOG_DEFAULT, LOG_MAX);
  return (caller) => {
    const none = currency !== 'USDT' || moved;
    const rows = (none ? [] : logOf(desk, accountOf(caller), span)).map(({ item, ...place }) => ({
      ...place,
      item: item(),
    }));
    const wanted = rows.filter(({ item }) => fits(desk, item, filter));
    const { items, nextPageCursor } = cutPage(wanted, page);
    return reply({ nextPageCursor, list: items });
  };
}

function fits(desk: Desk, row: LogRow, { category, baseCoin, type }: LogFilter): boolean {
  if (category !== undefined && category !== row.category) return false;
  if (type !== undefined && type !== row.type) return false;
  return baseCoin === undefined || (row.symbol !== '' && contractOf(desk, row.symbol).base === baseCoin);
}

/** What one order closed. */
function closedRow(desk: Desk, order: ContractOrder, fills: readonly PerpFill[]): object {
  const { lotSize } = contractOf(desk, order.symbol);
  const sum = (part: (fill: PerpFill) => Amount) => fills.reduce((all, fill) => plus(all, part(fill)), ZERO);
  const closed = fills.reduce((all, fill) => all + fill.closedQuantity, 0) as Lots;
  const size = stepsToAmount(closed, lotSize);
  const exit = sum((fill) => mulDown(stepsToAmount(fill.closedQuantity, lotSize), fill.exactPrice));
  const gross = sum(({ realisedPnl }) => realisedPnl);
  // A sell closed a long, whose entry was lower by its profit.
  const entry = order.side === 'SELL' ? minus(exit, gross) : plus(exit, gross);
  const { tickSize } = contractOf(desk, order.symbol);
  return {
    symbol: order.symbol,
    orderId: desk.numbers.linear.orderId(order.symbol, order.orderId),
    side: sideWord(order.side),
    qty: formatAmount(stepsToAmount(order.quantity, lotSize)),
    orderPrice: formatAmount(stepsToAmount(order.price ?? 0, tickSize)),
    orderType: order.kind === 'MARKET' ? 'Market' : 'Limit',
    execType: fills.some(({ origin }) => origin === 'TAKEOVER') ? 'BustTrade' : 'Trade',
    closedSize: formatAmount(size),
    cumEntryValue: cutAmount(entry),
    avgEntryPrice: cutAmount(divDown(entry, size)),
    cumExitValue: cutAmount(exit),
    avgExitPrice: cutAmount(divDown(exit, size)),
    closedPnl: cutAmount(sum(closedPnl)),
    fillCount: String(fills.length),
    leverage: leverageText(order.leverage),
    openFee: cutAmount(sum(({ entryFee }) => entryFee)),
    closeFee: cutAmount(sum(closeFeeOf)),
    createdTime: String(order.createdAt),
    updatedTime: String(fills.at(-1)?.time ?? order.updatedAt),
  };
}

function isClosing({ closedQuantity }: PerpFill): boolean {
  return closedQuantity > 0;
}

function orderName({ symbol, orderId }: PerpFill): string {
  return `${symbol} ${orderId}`;
}

/** What an order closed, at the time of its last fill that did; an order that closed more later belongs there. */
function placedClosing(desk: Desk, [first]: readonly PerpFill[], endTime: Millis): Placed<() => object>[] {
  if (first === undefined) return [];
  const { account, symbol, orderId } = first;
  const { perps } = desk.venue;
  const order = perps.perpOrder(account, symbol, { orderId });
  const closing = perps.perpFills(account, { symbol, orderId, limit: ALL_KEPT }).filter(isClosing);
  const last = closing.at(-1);
  if (order === undefined || last === undefined || last.time > endTime) return [];
  const id = BigInt(desk.numbers.linear.orderId(symbol, orderId));
  return [{ time: last.time, id, item: () => closedRow(desk, ownOrder(desk, order), closing) }];
}

/** Profit and loss of the orders that closed something in a span. */
function closedPnlList(reader: ParamReader, desk: Desk): Run {
  const word = reader.requiredText('category');
  if (word !== 'linear' && word !== 'inverse') reader.refuse(ERRORS.badCategory);
  const contract =
    word === 'linear' ? reader.optionalMarket(linearContracts(desk), ERRORS.badSymbol) : undefined;
  const span = readSpan(reader, desk.venue.perps.now());
  const page = readPage(reader, CLOSED_DEFAULT, CLOSED_MAX);
  return (caller) => {
    const account = accountOf(caller);
    const named = contract === undefined ? {} : { symbol: contract.symbol };
    const fills =
      word === 'inverse' ? [] : desk.venue.perps.perpFills(account, { ...named, ...span, limit: ALL_KEPT });
    const closed = fills.filter(isClosing);
    const placed = [...Map.groupBy(closed, orderName).values()].flatMap((ofSpan) =>
      placedClosing(desk, ofSpan, span.endTime),
    );
    const { items, nextPageCursor } = cutPage(placed, page);
    return reply({ category: word, nextPageCursor, list: items.map((row) => row()) });
  };
}

/** Sessions are settled of contracts in USDC alone, which nobody trades here. */
function settlements(reader: ParamReader): Run {
  const category = reader.requiredText('category');
  if (category !== 'linear') reader.refuse(ERRORS.badCategory);
  return () => reply({ category, nextPageCursor: '', list: [] });
}

/** Nothing that members hold is ever delivered, and nothing is lent. */
function none(...categories: readonly string[]): (reader: ParamReader) => Run {
  return (reader) => {
    const category = categories.length === 0 ? undefined : reader.requiredText('category');
    if (category !== undefined && !categories.includes(category)) reader.refuse(ERRORS.badCategory);
    return () => reply({ ...(category === undefined ? {} : { category }), nextPageCursor: '', list: [] });
  };
}

/** The log of accounts before they were unified. */
function classicLog(): Run {
  return () => refused(LINEAR.unifiedAccount);
}

/** What contracts earned and cost. */
export const MONEY_ENDPOINTS: readonly Endpoint[] = [
  signedCall('account.log GET /v5/account/transaction-log', 25, transactionLog),
  signedCall('position.closedPnl GET /v5/position/closed-pnl', 50, closedPnlList),
  signedCall('asset.settlements GET /v5/asset/settlement-record', 50, settlements),
  signedCall('asset.deliveries GET /v5/asset/delivery-record', 50, none('linear', 'inverse', 'option')),
  signedCall('position.options GET /v5/position/get-closed-positions', 50, none('option')),
  signedCall('account.borrowed GET /v5/account/borrow-history', 50, none()),
  signedCall('account.classicLog GET /v5/account/contract-transaction-log', 25, classicLog),
];
