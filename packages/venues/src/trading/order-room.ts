import {
  type Instrument,
  type Millis,
  ok,
  type Result,
  type SymbolType,
  type VenueFill,
  type VenueOrderId,
  type VenueOrderState,
} from '@crossbook/domain';
import type { FindOutcome, VenueCredentials, VenueReadFailure } from '../venue-answers.ts';
import type {
  AmendOutcome,
  CancelOutcome,
  OrderAmendment,
  OrderName,
  OrderTerms,
  SendOutcome,
  VenueOrderCalls,
  VenueOrderRequest,
  VenueOrders,
} from '../venue-orders.ts';
import { seenResting } from './several-placements.ts';

type Read<Value> = Promise<Result<Value, VenueReadFailure>>;

/** Orders of one type of market at one venue; `Calls` is how that venue is asked. */
export interface OrderRoom<Calls> {
  place(calls: Calls, credentials: VenueCredentials, request: VenueOrderRequest): Promise<SendOutcome>;
  /** Absent where the venue places one by one. */
  placeSeveral?(
    calls: Calls,
    credentials: VenueCredentials,
    requests: readonly VenueOrderRequest[],
  ): Promise<readonly SendOutcome[]>;
  amend(calls: Calls, credentials: VenueCredentials, amendment: OrderAmendment): Promise<AmendOutcome>;
  findTerms(
    calls: Calls,
    credentials: VenueCredentials,
    instrument: Instrument,
    name: OrderName,
  ): Promise<FindOutcome<OrderTerms>>;
  cancel(
    calls: Calls,
    credentials: VenueCredentials,
    instrument: Instrument,
    name: OrderName,
  ): Promise<CancelOutcome>;
  /** Absent where the venue cancels one by one. */
  cancelSeveral?(
    calls: Calls,
    credentials: VenueCredentials,
    instrument: Instrument,
    names: readonly OrderName[],
  ): Promise<readonly CancelOutcome[]>;
  openOrders(
    calls: Calls,
    credentials: VenueCredentials,
    instruments: readonly Instrument[],
  ): Read<readonly VenueOrderState[]>;
  fillsOfOrder(
    calls: Calls,
    credentials: VenueCredentials,
    instrument: Instrument,
    venueOrderId: VenueOrderId,
  ): Read<readonly VenueFill[]>;
  fillsSince(
    calls: Calls,
    credentials: VenueCredentials,
    instrument: Instrument,
    since: Millis,
  ): Read<readonly VenueFill[]>;
}

/** The rooms of a venue. */
export type OrderRooms<Calls> = Readonly<Record<SymbolType, OrderRoom<Calls>>>;

/** What a venue is asked about orders: the instrument's type chooses the room. */
export function orderCalls<Calls>(calls: Calls, rooms: OrderRooms<Calls>): VenueOrderCalls {
  const of = ({ symbolType }: Instrument): OrderRoom<Calls> => rooms[symbolType];
  const find = async (credentials: VenueCredentials, instrument: Instrument, name: OrderName) => {
    const found = await of(instrument).findTerms(calls, credentials, instrument, name);
    return found.outcome === 'found' ? { outcome: 'found' as const, value: found.value.state } : found;
  };
  return {
    cancel: (credentials, instrument, clientId) =>
      of(instrument).cancel(calls, credentials, instrument, { clientId }),
    cancelByVenueId: (credentials, instrument, venueOrderId) =>
      of(instrument).cancel(calls, credentials, instrument, { venueOrderId }),
    cancelSeveral(credentials, instrument, names) {
      const room = of(instrument);
      return room.cancelSeveral === undefined || names.length < 2
        ? Promise.all(names.map((name) => room.cancel(calls, credentials, instrument, name)))
        : room.cancelSeveral(calls, credentials, instrument, names);
    },
    find: (credentials, instrument, clientId) => find(credentials, instrument, { clientId }),
    findByVenueId: (credentials, instrument, venueOrderId) => find(credentials, instrument, { venueOrderId }),
    async openOrders(credentials, instruments) {
      const found: VenueOrderState[] = [];
      for (const symbolType of ['SPOT', 'SWAP'] as const) {
        const asked = instruments.filter((instrument) => instrument.symbolType === symbolType);
        if (asked.length === 0) continue;
        const orders = await rooms[symbolType].openOrders(calls, credentials, asked);
        if (!orders.ok) return orders;
        found.push(...orders.value);
      }
      return ok(found);
    },
    fillsOfOrder: (credentials, instrument, id) =>
      of(instrument).fillsOfOrder(calls, credentials, instrument, id),
    fillsSince: (credentials, instrument, since) =>
      of(instrument).fillsSince(calls, credentials, instrument, since),
  };
}

/** What is sent to a venue to place an order or to change one. @param lookups the calls in the class of lookups. */
export function orderActs<Calls>(
  calls: Calls,
  rooms: OrderRooms<Calls>,
  lookups: Calls,
): Pick<VenueOrders, 'place' | 'placeSeveral' | 'amend' | 'findTerms'> {
  const of = ({ symbolType }: Instrument): OrderRoom<Calls> => rooms[symbolType];
  const place: VenueOrders['place'] = (credentials, request) =>
    of(request.instrument).place(calls, credentials, request);
  return {
    place,
    async placeSeveral(credentials, requests) {
      const instrument = requests[0]?.instrument;
      const room = instrument && of(instrument);
      if (instrument === undefined || room?.placeSeveral === undefined || requests.length < 2)
        return Promise.all(requests.map((request) => place(credentials, request)));
      const outcomes = await room.placeSeveral(calls, credentials, requests);
      return seenResting(outcomes, () => room.openOrders(lookups, credentials, [instrument]));
    },
    amend: (credentials, amendment) => of(amendment.instrument).amend(calls, credentials, amendment),
    findTerms: (credentials, instrument, clientId) =>
      of(instrument).findTerms(calls, credentials, instrument, { clientId }),
  };
}
