import {
  type Instrument,
  type Millis,
  type OrderTargets,
  POSITION_SIDE,
  venueClientId,
} from '@crossbook/domain';
import {
  type ContractOrderTerms,
  type ListedLegs,
  LOCAL_CODES,
  type SendOutcome,
  type VenueCredentials,
  type VenueOrderRequest,
} from '@crossbook/venues/trading';
import type { ContractPart, ReservedOrder } from '../order.ts';
import type { TradingDeps, VenueDesk } from '../ports.ts';
import { reasonOfAge } from '../venue-refusal.ts';

/** Where an order is placed, and for whom. */
interface PlacedAt {
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
async function answered<Answer>({ crash }: TradingDeps, answer: Promise<Answer>): Promise<Answer> {
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

interface ReadyOrder {
  readonly at: PlacedAt;
  readonly request: VenueOrderRequest;
  answer(outcome: Promise<SendOutcome>): void;
}

/** An order that was begun. */
interface BegunOrder<Placed> {
  readonly placed: Promise<Placed>;
  /** Whether it is written and held, and waits for the others; false where it is over without the venue being asked. */
  readonly waits: Promise<boolean>;
}

/**
 * Orders of one market that go to the exchange by one call: each does by itself what placing one does, and waits for the
 * others before the exchange is asked. What became of each is its own again.
 */
export class GatheredPlacements {
  readonly #deps: TradingDeps;
  #ready: ReadyOrder[] = [];

  constructor(deps: TradingDeps) {
    this.#deps = deps;
  }

  /** Begins one of them. @param place what places an order, and asks the venue by what it is given. */
  begin<Placed>(place: (ask: AskPlacement) => Promise<Placed>): BegunOrder<Placed> {
    const written = Promise.withResolvers<true>();
    const placed = place((_deps, at, request) => {
      const outcome = new Promise<SendOutcome>((answer) => this.#ready.push({ at, request, answer }));
      written.resolve(true);
      return outcome;
    });
    return { placed, waits: Promise.race([written.promise, placed.then(() => false)]) };
  }

  /**
   * Sends those that wait, once. Where our own budget let nothing be written they are asked for again.
   * @param clickedAt when somebody clicked; @param millisMax after so long what is not written yet is not sent any more.
   */
  send(clickedAt: Millis, millisMax: number): void {
    const together = this.#ready;
    this.#ready = [];
    const [first] = together;
    if (first === undefined) return;
    const requests = together.map(({ request }) => request);
    const outcomes = this.#asked(first.at, requests, { clickedAt, millisMax });
    for (const [at, { answer }] of together.entries()) answer(outcomes.then((all) => outcomeAt(all, at)));
  }

  async #asked(
    at: PlacedAt,
    requests: readonly VenueOrderRequest[],
    { clickedAt, millisMax }: { readonly clickedAt: Millis; readonly millisMax: number },
  ): Promise<readonly SendOutcome[]> {
    const { clock, timers } = this.#deps;
    const age = clock() - clickedAt;
    if (age > millisMax) {
      const message = reasonOfAge(age, millisMax);
      return requests.map(() => ({ outcome: 'refused', venueCode: LOCAL_CODES.overloaded, message }));
    }
    this.#deps.crash('before-send');
    const outcomes = await answered(this.#deps, at.desk.trading.placeSeveral(at.credentials, requests));
    const waitMillis = roomAfter(outcomes, requests.length);
    if (waitMillis === undefined || age + waitMillis > millisMax) return outcomes;
    await new Promise<void>((resolve) => timers.after(waitMillis, resolve));
    return this.#asked(at, requests, { clickedAt, millisMax });
  }
}

/** How long until there may be room, where none was written; a venue that was asked is not asked again. */
function roomAfter(outcomes: readonly SendOutcome[], asked: number): number | undefined {
  const waits = outcomes.map((one) => (one.outcome === 'refused' ? one.retryAfterMillis : undefined));
  const unwritten = waits.filter((millis) => millis !== undefined);
  return unwritten.length === asked ? Math.max(...unwritten) : undefined;
}

function outcomeAt(outcomes: readonly SendOutcome[], at: number): SendOutcome {
  const outcome = outcomes[at];
  if (outcome === undefined) throw new Error(`no outcome of order ${at + 1}`);
  return outcome;
}
