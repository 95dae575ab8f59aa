import {
  type Instrument,
  type Millis,
  minus,
  notionalDown,
  ok,
  POSITION_SIDE,
  type PositionSide,
  type Result,
  refused,
  type VenueFill,
  type VenueOrderId,
  type VenueTradeId,
  ZERO,
} from '@crossbook/domain';
import { failedRead } from '../../../trading/call-answers.ts';
import type { OrderRoom } from '../../../trading/order-room.ts';
import type { VenueCredentials, VenueReadFailure } from '../../../venue-answers.ts';
import { asObject, asText } from '../../../wire/guards.ts';
import { asAmount, asSignedAmount } from '../../../wire/numbers.ts';
import { onlyRow } from '../../account/answers.ts';
import type { Asking } from '../../account/calls.ts';
import { fillsIn } from '../../account/fill-pages.ts';
import { ACCOUNT_CALLS } from '../../limits.ts';
import { asIdText, asTextCounter } from '../../wire.ts';
import { readBills } from './income.ts';
import { marginModeOf, SWAP_SHAPE } from './normalise.ts';

type Fills = Promise<Result<readonly VenueFill[], VenueReadFailure>>;
type Asked = [Asking, VenueCredentials, Instrument, Millis];

/**
 * What a swap that is delisted was closed at. The venue makes neither an order nor a trade of it: only a bill tells it, of
 * type 3, whose id stands here for both ("Bills details": sub-types 112 and 113 are "applicable to FUTURES expiration and
 * SWAP delisting", `ordId` is empty for them, 2026).
 */
const DELIVERY_BILL = '3';
const LONG_CLOSED = '112';
const SHORT_CLOSED = '113';

const TRADES = fillsIn(SWAP_SHAPE);

/** Fills of swaps, those by which a delisted one was closed among them. */
export const SWAP_FILLS: Pick<OrderRoom<Asking>, 'fillsOfOrder' | 'fillsSince'> = {
  fillsOfOrder: TRADES.fillsOfOrder,
  async fillsSince(...asked) {
    const trades = await TRADES.fillsSince(...asked);
    if (!trades.ok) return trades;
    const deliveries = await deliveriesSince(...asked);
    if (!deliveries.ok) return deliveries;
    return ok([...trades.value, ...deliveries.value].sort((left, right) => left.time - right.time));
  },
};

async function deliveriesSince(...[calls, credentials, instrument, since]: Asked): Fills {
  const bills = await readBills(calls, credentials, {
    ...{ since, requestClass: 'lookup' },
    parameters: { instId: instrument.symbol, type: DELIVERY_BILL },
    read: (entry) => deliveryOf(entry, instrument),
  });
  if (!bills.ok) return bills;
  const closed = bills.value.flatMap(({ delivery }) => (delivery === undefined ? [] : [delivery]));
  if (closed.length === 0) return ok([]);
  const hedges = await hasLegs(calls, credentials);
  if (!hedges.ok) return hedges;
  return ok(closed.map((delivery) => fillOf(delivery, instrument, hedges.value)));
}

type Delivery = Omit<VenueFill, 'quoteQuantity' | 'contract'> & {
  readonly contract: Omit<NonNullable<VenueFill['contract']>, 'side'>;
};

function deliveryOf(
  entry: unknown,
  { symbol }: Instrument,
): { readonly billId: string; readonly delivery?: Delivery } | undefined {
  const row = asObject(entry);
  const billId = asIdText(row?.billId);
  if (row === undefined || billId === undefined || row.instId !== symbol || row.type !== DELIVERY_BILL)
    return undefined;
  // What else is about a delivery, such as a clawback, closes nothing.
  if (row.subType !== LONG_CLOSED && row.subType !== SHORT_CLOSED) return { billId };
  const price = asAmount(row.px);
  const quantity = asAmount(row.sz);
  const realisedPnl = row.pnl === '' ? ZERO : asSignedAmount(row.pnl);
  const charged = row.fee === '' ? ZERO : asSignedAmount(row.fee);
  const feeAsset = asText(row.ccy);
  const time = asTextCounter(row.ts);
  const marginMode = marginModeOf(row.mgnMode);
  if (price === undefined || quantity === undefined || price === ZERO || quantity === ZERO) return undefined;
  if (realisedPnl === undefined || charged === undefined || feeAsset === undefined || time === undefined)
    return undefined;
  return {
    billId,
    delivery: {
      ...{ tradeId: billId as VenueTradeId, venueOrderId: billId as VenueOrderId, price, quantity },
      ...{ fee: minus(ZERO, charged), feeAsset, maker: false, time: time as Millis },
      contract: {
        ...{ realisedPnl, buys: row.subType === SHORT_CLOSED, cause: 'trade' },
        ...(marginMode === undefined ? {} : { marginMode }),
      },
    },
  };
}

/** A bill says whether a long or a short was closed, and not whether that was a leg: the account's mode does. */
async function hasLegs(
  calls: Asking,
  credentials: VenueCredentials,
): Promise<Result<boolean, VenueReadFailure>> {
  const { answer } = await calls.send(credentials, {
    ...{ method: 'GET', path: '/api/v5/account/config', limit: ACCOUNT_CALLS.config },
    ...{ parameters: {}, requestClass: 'lookup' },
  });
  if (answer.kind !== 'result') return failedRead(answer);
  const mode = onlyRow(answer.rows)?.posMode;
  if (mode !== 'net_mode' && mode !== 'long_short_mode') return refused('malformed');
  return ok(mode === 'long_short_mode');
}

function fillOf(delivery: Delivery, { contractValue }: Instrument, hedges: boolean): VenueFill {
  const { price, quantity, contract } = delivery;
  const leg: PositionSide = contract.buys === true ? POSITION_SIDE.SHORT : POSITION_SIDE.LONG;
  return {
    ...delivery,
    quoteQuantity: notionalDown(price, quantity, contractValue),
    contract: { ...contract, side: hedges ? leg : POSITION_SIDE.NET },
  };
}
