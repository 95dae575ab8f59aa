import type { Instrument, VenueClientId, VenueOrderId, VenueOrderState } from '@crossbook/domain';

/** How a lookup or a cancel names an order: by our id, or by the venue's own. */
export type OrderName = { readonly clientId: VenueClientId } | { readonly venueOrderId: VenueOrderId };

/** Whether a state is about the order that was asked for; anything else proves nothing. */
export function isAbout(state: VenueOrderState, instrument: Instrument, name: OrderName): boolean {
  if (state.symbol !== instrument.symbol) return false;
  return 'clientId' in name ? state.clientId === name.clientId : state.venueOrderId === name.venueOrderId;
}
