import type {
  AlgoPlan,
  Amount,
  Instrument,
  MarginMode,
  Millis,
  OrderTargets,
  PositionSide,
  Side,
  TimeInForce,
  Trailing,
  TriggerPlan,
  VenueAlgoState,
  VenueClientId,
  VenueOrderId,
} from '@crossbook/domain';
import type { FindOutcome, VenueCredentials, VenueRead, VenueRefusal } from './venue-answers.ts';
import type { ContractOrderTerms } from './venue-contracts.ts';
import type { OrderTerms } from './venue-orders.ts';

/** An algo order as it is put to a venue. Exactly one of `quantity` and `whole` is present. */
export interface VenueAlgoRequest {
  readonly clientId: VenueClientId;
  /** The ids of its children where the venue lets us choose them: take-profit first, then stop-loss; else not sent. */
  readonly childClientIds: readonly [VenueClientId, VenueClientId];
  readonly instrument: Instrument;
  readonly side: Side;
  readonly plan: AlgoPlan;
  /** Base quantity of a pair, as the venue counts contracts. */
  readonly quantity?: Amount;
  /** Closes what the position is when it fires; contracts only, where the offer says so. */
  readonly whole?: true;
  /** Of what a limit leg sends. */
  readonly timeInForce: TimeInForce;
  /** Present exactly for contracts. */
  readonly contract?: ContractOrderTerms;
}

/** What became of a placement. `unknown` and `refused` as for orders. */
export type AlgoSendOutcome =
  | { readonly outcome: 'accepted'; readonly state: VenueAlgoState }
  | VenueRefusal
  | { readonly outcome: 'unknown'; readonly why: string; readonly deadlineAt: Millis };

/** New values of one that waits; what is absent stays. */
export interface AlgoChange {
  readonly quantity?: Amount;
  /** Of a `stop` or `take-profit`: its own leg under its own name; of an `oco`: those that change. */
  readonly takeProfit?: { readonly trigger?: Amount; readonly limit?: Amount };
  readonly stopLoss?: { readonly trigger?: Amount; readonly limit?: Amount };
  readonly trailing?: { readonly ratio?: Amount; readonly distance?: Amount; readonly activation?: Amount };
}

/** What became of a change or a cancel. `gone`: the venue does not know it as waiting, so it must be looked up. */
export type AlgoChangeOutcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'gone' }
  | VenueRefusal
  | { readonly outcome: 'unknown'; readonly why: string };

/** Which algo order is meant: by our id, and by the venue's where it is known (an attached one has no id of ours). */
export interface AlgoKey {
  readonly instrument: Instrument;
  readonly clientId: VenueClientId;
  readonly venueAlgoId?: VenueOrderId;
  /** Calls differ by what it is at some venues. */
  readonly kind: AlgoPlan['kind'];
  /** Of a trailing stop that hangs on a position (`trailing.ofPosition` of the offer). */
  readonly hangs?: HangingStop;
}

/** What names a trailing stop that has no id of ours: there is one of a position at a time. */
export interface HangingStop {
  readonly position: PositionSide;
  /** That of the order that closes the position. */
  readonly side: Side;
  /** As it stands; a change of it says all of it again. */
  readonly trailing: Trailing;
  /** When it was asked for; none that belongs to it is older. */
  readonly since: Millis;
  /** Whether a change of it is under way, so that its values are asked for too. */
  readonly changing: boolean;
}

/** The order that targets came with. */
export interface AttachedTo {
  readonly instrument: Instrument;
  readonly clientId: VenueClientId;
  /** What came with it. */
  readonly targets: OrderTargets;
  /** When it was made; nothing that belongs to it is older. */
  readonly since: Millis;
}

/** The algo order that a venue makes orders of, one after another. */
export interface MadeBy {
  readonly instrument: Instrument;
  readonly venueAlgoId: VenueOrderId;
  /** When it was placed; nothing that belongs to it is older. */
  readonly since: Millis;
}

/** What a lookup shows; `asks` are its values, where it waits at a venue that changes such orders. */
export interface FoundAlgo extends VenueAlgoState {
  readonly asks?: Omit<AlgoChange, 'quantity'>;
}

/** What a list says of an order on a contract that waits, where it says all that its member must know of it. */
export interface ShownAlgo {
  readonly side: Side;
  readonly plan: TriggerPlan;
  readonly timeInForce: TimeInForce;
  readonly position: PositionSide;
  /** It can only make a position smaller. */
  readonly reduces: boolean;
  /** Absent where the row does not name it. */
  readonly marginMode?: MarginMode;
  /** The same. Where both are named it is shown in full without a position. */
  readonly leverage?: number;
  /** As orders count; absent: all of the position. */
  readonly quantity?: Amount;
  /** Targets that come with the order that it sends. */
  readonly brings?: OrderTargets;
}

/** A row of the list of what waits, whoever placed it. */
export interface ListedAlgo extends VenueAlgoState {
  readonly shown?: ShownAlgo;
}

/** Algo orders of one account. Nothing here throws for an expected failure. */
export interface VenueAlgos {
  place(credentials: VenueCredentials, request: VenueAlgoRequest): Promise<AlgoSendOutcome>;
  /** Only where the profile's offer says `amends`. */
  amend(credentials: VenueCredentials, key: AlgoKey, change: AlgoChange): Promise<AlgoChangeOutcome>;
  cancel(credentials: VenueCredentials, key: AlgoKey): Promise<AlgoChangeOutcome>;
  /** Whatever became of it; `not-found` only where the venue proves that it has none by that id. */
  find(credentials: VenueCredentials, key: AlgoKey): Promise<FindOutcome<FoundAlgo>>;
  /** All that wait or fire. */
  waiting(
    credentials: VenueCredentials,
    instruments: readonly Instrument[],
  ): Promise<VenueRead<readonly ListedAlgo[]>>;
  /**
   * Those of kinds that only the venue's own app places and that may open a position, on any contract of the account, by one
   * read. Where it is there, `waiting` costs as much of all instruments as of two.
   */
  opening?(
    credentials: VenueCredentials,
    contracts: readonly Instrument[],
  ): Promise<VenueRead<readonly ListedAlgo[]>>;
  /**
   * What the venue has made of the targets that came with an order of ours, whatever became of it: all of it, and nothing
   * where it has made nothing yet. Only where the profile's offer says that the venue attaches.
   */
  attached?(credentials: VenueCredentials, parent: AttachedTo): Promise<VenueRead<readonly VenueAlgoState[]>>;
  /** The orders that the venue has made of an iceberg: all that rest, and all that have executed anything. */
  slices?(credentials: VenueCredentials, of: MadeBy): Promise<VenueRead<readonly OrderTerms[]>>;
}
