import {
  type Instrument,
  type Millis,
  ok,
  type Result,
  type SymbolType,
  type VenueClientId,
  type VenueFill,
  type VenueOrderId,
  type VenueOrderState,
} from '@crossbook/domain';
import type { FindOutcome, VenueCredentials, VenueReadFailure } from '../venue-answers.ts';
import type { CancelOutcome, SendOutcome, VenueOrderCalls, VenueOrderRequest } from '../venue-orders.ts';
import type { OrderName } from './order-name.ts';

type Read<Value> = Promise<Result<Value, VenueReadFailure>>;

/** Orders of one type of market at one venue; `Calls` is how that venue is asked. */
export interface OrderRoom<Calls> {
  place(calls: Calls, credentials: VenueCredentials, request: VenueOrderRequest): Promise<SendOutcome>;
  cancel(
    calls: Calls,
    credentials: VenueCredentials,
    instrument: Instrument,
    clientId: VenueClientId,
  ): Promise<CancelOutcome>;
  find(
    calls: Calls,
    credentials: VenueCredentials,
    instrument: Instrument,
    name: OrderName,
  ): Promise<FindOutcome<VenueOrderState>>;
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
  return {
    cancel: (credentials, instrument, clientId) =>
      of(instrument).cancel(calls, credentials, instrument, clientId),
    find: (credentials, instrument, clientId) =>
      of(instrument).find(calls, credentials, instrument, { clientId }),
    findByVenueId: (credentials, instrument, venueOrderId) =>
      of(instrument).find(calls, credentials, instrument, { venueOrderId }),
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
