import { type Amount, formatAmount, type Millis, minus, stepsToAmount, ZERO } from '@crossbook/domain';
import type { AccountNumber, SimFill } from '../../../exchange.ts';
import type { Desk } from '../desk.ts';
import { formatCharge } from '../format.ts';
import { billIdOf, clOrdIdOf, ordIdOf, paidBillIdOf } from '../ids.ts';
import { factsOf, type Listed } from '../listing.ts';
import { BILL_EMPTY_FIELDS, type Bill, NO_POSITION_BALANCE } from '../orders/bill.ts';

/** Bills of trades of pairs: one of what was received, less its fee, and one of what was paid. */

/** A currency of a trade: bought with one, sold with the other, whichever side the order has. */
interface Half {
  readonly ccy: string;
  /** Above 0 received, below 0 paid; without the fee. */
  readonly moved: Amount;
  readonly fee: Amount;
  readonly billId: string;
}

function halvesOf(listed: Listed, fill: SimFill): readonly Half[] {
  const { base, quote, lotSize } = factsOf(listed);
  const size = stepsToAmount(fill.quantity, lotSize);
  const buys = fill.side === 'BUY';
  const [got, gave] = buys ? [size, fill.quoteQuantity] : [fill.quoteQuantity, size];
  return [
    { ccy: buys ? base : quote, moved: got, fee: fill.fee, billId: billIdOf(listed, fill) },
    {
      ...{ ccy: buys ? quote : base, moved: minus(ZERO, gave), fee: ZERO },
      billId: paidBillIdOf(listed, fill),
    },
  ];
}

function billOf(desk: Desk, listed: Listed, fill: SimFill, half: Half): Bill {
  const { ccy, moved, fee, billId } = half;
  const { account, symbol, orderId } = fill;
  const order = desk.venue.spot.order(account, symbol, { orderId });
  const type = '2';
  const subType = moved > 0n ? '1' : '2';
  const row = {
    ...BILL_EMPTY_FIELDS,
    ...NO_POSITION_BALANCE,
    bal: '',
    balChg: formatAmount(minus(moved, fee)),
    billId,
    ccy,
    clOrdId: order === undefined ? '' : clOrdIdOf(order),
    execType: fill.maker ? 'M' : 'T',
    fee: formatCharge(fee),
    fillTime: String(fill.time),
    instId: listed.instId,
    instType: listed.instType,
    ordId: ordIdOf(listed, orderId),
    pnl: '0',
    px: listed.format.price(fill.price),
    subType,
    sz: formatAmount((moved < 0n ? -moved : moved) as Amount),
    tag: order === undefined ? '' : desk.orderNotes.tagOf(order),
    tradeId: String(fill.tradeId),
    ts: String(fill.time),
    type,
  };
  const place = { time: fill.time, id: BigInt(billId) };
  return { ...place, billId, type, subType, mgnMode: '', instId: listed.instId, row };
}

/** Bills of an account's trades of pairs since a time. What it had after each is not kept, and so not told. */
export function pairBills(desk: Desk, account: AccountNumber, since: Millis): readonly Bill[] {
  const page = { startTime: since, limit: Number.MAX_SAFE_INTEGER };
  return desk.listing
    .ofType('SPOT')
    .flatMap((listed) =>
      desk.venue.spot
        .fills(account, listed.instId, page)
        .flatMap((fill) => halvesOf(listed, fill).map((half) => billOf(desk, listed, fill, half))),
    );
}
