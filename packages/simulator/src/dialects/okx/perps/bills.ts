import { formatAmount, type Millis, minus } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import type { PerpFill, PerpIncome } from '../../../perp-exchange.ts';
import { fields } from '../../wire/fields.ts';
import type { Desk } from '../desk.ts';
import {
  type Answer,
  type Endpoint,
  rowsUnlessRefused,
  type SignedCall,
  signedEndpoint,
} from '../endpoint.ts';
import { billIdOf, clOrdIdOf, incomeBillId, ordIdOf } from '../ids.ts';
import type { Listed } from '../listing.ts';
import { INSTRUMENT_TYPES } from '../market/instruments.ts';
import type { Dated } from '../order-room.ts';
import { cutPage, readPage } from '../pages.ts';
import { tradeSubType } from './order-shapes.ts';
import { charged, MARGIN_ASSET, mgnModeOf, tradedContracts, traderOf } from './words.ts';

/**
 * What changed the money of contracts: one bill of each trade with its profit and its fee, one of each payment besides.
 * Trades of pairs have bills at OKX too; here only contracts and transfers do.
 * Source: OKX v5 guide, "Bills details (last 7 days)", "Bills details (last 3 months)" (2026).
 */

const DAY_MILLIS = 86_400_000;
const RECENT_DAYS = 7;
const ARCHIVE_DAYS = 92;

/** One bill, where it stands among all, and what it is filtered by. */
interface Bill extends Dated {
  readonly billId: string;
  readonly type: string;
  readonly subType: string;
  readonly mgnMode: string;
  readonly instId: string;
  readonly row: Record<string, string>;
}

const EMPTY_FIELDS = fields(
  'clOrdId earnAmt earnApr execType fillFwdPx fillIdxPx fillMarkPx fillMarkVol fillPxUsd fillPxVol fillTime from instId instType mgnMode notes ordId px sz tag to tradeId',
  '',
);

/** Money stays in the one wallet, also where it stands behind a position. */
const NO_POSITION_BALANCE = { posBal: '0', posBalChg: '0', interest: '0', ccy: MARGIN_ASSET };

const TYPES = { normal: '2', LIQUIDATION: '5', TAKEOVER: '5', ADL: '9' } as const;

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
    ...EMPTY_FIELDS,
    ...NO_POSITION_BALANCE,
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
    ...EMPTY_FIELDS,
    ...NO_POSITION_BALANCE,
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

function billsOf(desk: Desk, account: AccountNumber, since: Millis): readonly Bill[] {
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

function bills(daysMax: number): (call: SignedCall) => Answer {
  return (call) => {
    const { desk, reader } = call;
    const instType = reader.choice('instType', INSTRUMENT_TYPES);
    const ccy = reader.text('ccy');
    const mgnMode = reader.choice('mgnMode', ['cross', 'isolated']);
    reader.choice('ctType', ['linear', 'inverse']);
    const type = reader.pattern('type', /^[0-9]{1,3}$/);
    const subType = reader.pattern('subType', /^[0-9]{1,3}$/);
    const instId = reader.text('instId');
    const page = readPage(reader);
    const since = Math.max(0, desk.now() - daysMax * DAY_MILLIS) as Millis;
    return rowsUnlessRefused(reader, () => {
      const all = billsOf(desk, traderOf(call), since);
      const found = all
        .filter(({ row }) => instType === undefined || row.instType === instType)
        .filter(() => ccy === undefined || ccy === MARGIN_ASSET)
        .filter((bill) => mgnMode === undefined || bill.mgnMode === mgnMode)
        .filter((bill) => type === undefined || bill.type === type)
        .filter((bill) => subType === undefined || bill.subType === subType)
        .filter((bill) => instId === undefined || bill.instId === instId);
      const locate = (id: string) => all.find(({ billId }) => billId === id);
      return cutPage(found, page, locate).map(({ row }) => row);
    });
  };
}

/** The bills of an account. */
export const BILL_ENDPOINTS: readonly Endpoint[] = [
  signedEndpoint('account.bills GET /api/v5/account/bills', 10, bills(RECENT_DAYS)),
  signedEndpoint('account.bills.archive GET /api/v5/account/bills-archive', 5, bills(ARCHIVE_DAYS)),
];
