import type { Instrument, VenueOrderState } from '@crossbook/domain';
import type { OrderName } from '../venue-orders.ts';

/** Whether a state is about the order that was asked for; anything else proves nothing. */
export function isAbout(state: VenueOrderState, instrument: Instrument, name: OrderName): boolean {
  if (state.symbol !== instrument.symbol) return false;
  return 'clientId' in name ? state.clientId === name.clientId : state.venueOrderId === name.venueOrderId;
}
