import { formatAmount, type Millis, minus } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import type { PerpFill, PerpIncome } from '../../../perp-exchange.ts';
import type { Desk } from '../desk.ts';
import { billIdOf, clOrdIdOf, incomeBillId, ordIdOf } from '../ids.ts';
import { type Listed, MARGIN_ASSET } from '../listing.ts';
import { BILL_EMPTY_FIELDS, type Bill, NO_POSITION_BALANCE } from '../orders/bill.ts';
import { tradeSubType } from './order-shapes.ts';
import { charged, mgnModeOf, tradedContracts } from './words.ts';

/** What changed the money of contracts: one bill of each trade with its profit and its fee, one of each payment besides. */

const TYPES = { normal: '2', LIQUIDATION: '5', TAKEOVER: '5', ADL: '9', DELISTING: '3' } as const;

/** Entries of one moment follow each other as the core booked them. */
function placeOf(sequence: number, billId: string): bigint {
  return (BigInt(sequence) << 64n) + BigInt(billId);
}

/** The income entries of a fill: the wallet after the last of them. */
function walletsAfter(incomes: readonly PerpIncome[]): ReadonlyMap<string, PerpIncome> {
  return new Map(incomes.map((income) => [`${income.symbol} ${income.tradeId} ${income.orderId}`, income]));
}

function tradeBill(desk: Desk, listed: Listed, fill: PerpFill, after: PerpIncome | undefined): Bill {
  const { account, symbol, orderId, origin } = fill;
  const order = desk.venue.perps.perpOrder(account, symbol, { orderId });
  const type = TYPES[origin === 'MEMBER' ? 'normal' : origin];
  const subType = tradeSubType(desk, fill);
  const mgnMode = mgnModeOf(fill.marginMode);
  const billId = billIdOf(listed, fill);
  const row = {
    ...BILL_EMPTY_FIELDS,
    ...NO_POSITION_BALANCE,
    ccy: MARGIN_ASSET,
    bal: after === undefined ? '' : formatAmount(after.walletAfter),
    balChg: formatAmount(minus(fill.realisedPnl, fill.fee)),
    billId,
    clOrdId: order === undefined ? '' : clOrdIdOf(order),
    execType: fill.maker ? 'M' : 'T',
    fee: charged(fill.fee),
    fillTime: String(fill.time),
    instId: listed.instId,
    instType: listed.instType,
    mgnMode,
    ordId: ordIdOf(listed, orderId),
    pnl: formatAmount(fill.realisedPnl),
    px: formatAmount(fill.exactPrice),
    subType,
    sz: listed.format.quantity(fill.quantity),
    tag: order === undefined ? '' : desk.orderNotes.tagOf(order),
    tradeId: String(fill.tradeId),
    ts: String(fill.time),
    type,
    // What is delivered has neither an order nor a trade (`ordId`: "when the type is 2/5/9").
    ...(origin === 'DELISTING' ? { clOrdId: '', execType: '', ordId: '', tradeId: '' } : {}),
  };
  const id = placeOf(after?.sequence ?? 0, billId);
  return { time: fill.time, id, billId, type, subType, mgnMode, instId: listed.instId, row };
}

/** `type` and `subType` of a payment that belongs to no trade. */
function payment({ kind, amount }: PerpIncome): readonly [type: string, subType: string] {
  const received = amount > 0n;
  if (kind === 'FUNDING') return ['8', received ? '174' : '173'];
  if (kind === 'LIQUIDATION_FEE') return ['5', '109'];
  if (kind === 'INSURANCE') return ['5', received ? '110' : '111'];
  return ['1', received ? '11' : '12'];
}

function paymentBill(desk: Desk, income: PerpIncome): Bill {
  const [type, subType] = payment(income);
  const { kind, amount, time, symbol, marginMode, markPrice, quantity } = income;
  const listed = symbol === undefined ? undefined : desk.listing.find(symbol);
  const billId = incomeBillId(income.sequence);
  const mgnMode = marginMode === undefined ? '' : mgnModeOf(marginMode);
  const instId = listed?.instId ?? '';
  const text = formatAmount(amount);
  const isFee = kind === 'LIQUIDATION_FEE';
  const isProfit = kind === 'FUNDING' || kind === 'INSURANCE';
  const row = {
    ...BILL_EMPTY_FIELDS,
    ...NO_POSITION_BALANCE,
    ccy: MARGIN_ASSET,
    bal: formatAmount(income.walletAfter),
    balChg: text,
    billId,
    fee: isFee ? text : '0',
    instId,
    instType: listed?.instType ?? '',
    mgnMode,
    pnl: isProfit ? text : '0',
    px: markPrice === undefined ? '' : formatAmount(markPrice),
    subType,
    sz: listed === undefined || quantity === undefined ? text : sizeText(listed, quantity),
    ts: String(time),
    type,
    ...(kind === 'TRANSFER' ? { from: amount > 0n ? '6' : '18', to: amount > 0n ? '18' : '6' } : {}),
  };
  return { time, id: placeOf(income.sequence, billId), billId, type, subType, mgnMode, instId, row };
}

function sizeText(listed: Listed, lots: number): string {
  return listed.format.quantity(Math.abs(lots) as never);
}

const OF_TRADES: ReadonlySet<PerpIncome['kind']> = new Set(['REALIZED_PNL', 'COMMISSION']);

/** Bills of an account's contracts and transfers since a time. */
export function contractBills(desk: Desk, account: AccountNumber, since: Millis): readonly Bill[] {
  const limit = Number.MAX_SAFE_INTEGER;
  const incomes = desk.venue.perps.income(account, { startTime: since, limit });
  const after = walletsAfter(incomes.filter(({ kind }) => OF_TRADES.has(kind)));
  const trades = tradedContracts(desk).flatMap((listed) =>
    desk.venue.perps
      .perpFills(account, { symbol: listed.instId, startTime: since, limit })
      .map((fill) =>
        tradeBill(desk, listed, fill, after.get(`${fill.symbol} ${fill.tradeId} ${fill.orderId}`)),
      ),
  );
  const payments = incomes
    .filter(({ kind }) => !OF_TRADES.has(kind))
    .map((income) => paymentBill(desk, income));
  return [...trades, ...payments];
}
