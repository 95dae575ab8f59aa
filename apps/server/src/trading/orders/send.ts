import { type Instrument, type OrderTargets, POSITION_SIDE, venueClientId } from '@crossbook/domain';
import type {
  ContractOrderTerms,
  ListedLegs,
  SendOutcome,
  VenueCredentials,
  VenueOrderRequest,
} from '@crossbook/venues/trading';
import type { ContractPart, ReservedOrder } from '../order.ts';
import type { TradingDeps, VenueDesk } from '../ports.ts';

/**
 * Puts a reserved order to its venue, once. Whatever is not a clear answer is `unknown`: the order is then looked up by
 * its client id and never sent again (a venue takes the same id twice once the first is filled).
 */
export async function send(
  deps: TradingDeps,
  desk: VenueDesk,
  credentials: VenueCredentials,
  sending: {
    readonly order: ReservedOrder;
    readonly instrument: Instrument;
    /** What the venue is to make of it as it fills. */
    readonly attached: OrderTargets | undefined;
    /** What goes out with it and waits for its fills. */
    readonly listed: ListedLegs | undefined;
  },
): Promise<SendOutcome> {
  const { order, instrument, attached, listed } = sending;
  const request: VenueOrderRequest = {
    clientId: venueClientId(order.id),
    instrument,
    side: order.side,
    type: order.sendType,
    timeInForce: order.sendTimeInForce,
    ...(order.sendPrice === undefined ? {} : { price: order.sendPrice }),
    ...(order.quantity === undefined ? {} : { quantity: order.quantity }),
    ...(order.quoteQuantity === undefined ? {} : { quoteQuantity: order.quoteQuantity }),
    ...(order.visible === undefined ? {} : { visible: order.visible }),
    ...(order.contract === undefined ? {} : { contract: termsOf(order.contract) }),
    ...(attached === undefined ? {} : { attached }),
    ...(listed === undefined ? {} : { listed }),
  };
  const answer = desk.trading.place(credentials, request);
  deps.crash('after-send');
  const outcome = await answer;
  deps.crash('after-answer');
  return outcome;
}

/** One position or two: the leg that the member named says which the account is set to. */
export function termsOf({ side, marginMode, reduceOnly }: ContractPart): ContractOrderTerms {
  return { side, positionMode: side === POSITION_SIDE.NET ? 'one-way' : 'hedge', marginMode, reduceOnly };
}
