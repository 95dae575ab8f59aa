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

/** Where an order is placed, and for whom. */
export interface PlacedAt {
  readonly desk: VenueDesk;
  readonly credentials: VenueCredentials;
}

/** How a venue is asked to place an order. */
export type AskPlacement = (
  deps: TradingDeps,
  at: PlacedAt,
  request: VenueOrderRequest,
) => Promise<SendOutcome>;

const askAlone: AskPlacement = (deps, { desk, credentials }, request) =>
  answered(deps, desk.trading.place(credentials, request));

/** The answer to a request that is on its way. */
export async function answered<Answer>({ crash }: TradingDeps, answer: Promise<Answer>): Promise<Answer> {
  crash('after-send');
  const outcome = await answer;
  crash('after-answer');
  return outcome;
}

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
    /** By itself, unless it goes with others. */
    readonly ask?: AskPlacement | undefined;
  },
): Promise<SendOutcome> {
  const { order, instrument, attached, listed, ask = askAlone } = sending;
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
  return ask(deps, { desk, credentials }, request);
}

/** One position or two: the leg that the member named says which the account is set to. */
export function termsOf({ side, marginMode, reduceOnly }: ContractPart): ContractOrderTerms {
  return { side, positionMode: side === POSITION_SIDE.NET ? 'one-way' : 'hedge', marginMode, reduceOnly };
}
