import type { IncomeKind, Instrument, PositionSide } from '@crossbook/domain';
import type { VenueArbiter } from '../arbiter/venue-arbiter.ts';
import type { ScriptedSockets } from '../trading/scripted-transport.fixture.ts';
import type { HttpAnswer, HttpRequest } from '../transport.ts';
import type { ContractOrderTerms } from '../venue-contracts.ts';
import type { VenueOrderRequest } from '../venue-orders.ts';
import type { VenueTrading } from '../venue-trading.ts';

/** A venue whose far ends a claim plays: every request is answered by `answer`. */
export interface PlayedVenue {
  readonly trading: VenueTrading;
  /** Requests by REST, those for the venue's time left out. */
  readonly requests: readonly HttpRequest[];
  readonly sockets: ScriptedSockets;
}

/** How one way to open or close a position is written, and what must not be in it. */
export interface WrittenOrder {
  readonly says: string;
  readonly terms: ContractOrderTerms;
  readonly request?: Partial<VenueOrderRequest>;
  readonly fields: Readonly<Record<string, string | number | boolean>>;
  readonly absent: readonly string[];
}

/** One leg as the claims know it, in the venue's counting units. */
export interface HeldLeg {
  readonly side: PositionSide;
  readonly quantity: string;
}

/** One entry of the income list, told by its sign: above 0 the account received it. */
export interface EarnedEntry {
  readonly kind: IncomeKind;
  readonly amount: string;
}

/**
 * What a venue hands to the claims about contracts: its connector, and its own words. A claim speaks only of our
 * vocabulary.
 */
export interface ContractKit {
  readonly name: string;
  readonly instrument: Instrument;
  create(answer: (request: HttpRequest) => HttpAnswer | Promise<never>, arbiter?: VenueArbiter): PlayedVenue;
  /** The fields that an order was sent with. */
  fieldsOf(request: HttpRequest): Readonly<Record<string, unknown>>;
  readonly orders: readonly WrittenOrder[];
  /** Set where each order says its margin mode and no call sets one. */
  readonly marginModeByOrder?: true;
  /** The codes of the venue's table that prove that nothing happened. */
  readonly definitiveCodes: readonly string[];
  /** Codes that are clear by other rules: a range of refusals, a setting that is so already. */
  otherwiseClear(code: string): boolean;
  readonly answers: {
    /** A refusal of what was asked for, by a code and a text that says nothing. */
    coded(code: string): HttpAnswer;
    /** Nothing has executed yet. */
    placed(clientId: string): HttpAnswer;
    /** Margin does not suffice. */
    refused(): HttpAnswer;
    /** Reduce-only, and nothing is there to reduce. */
    nothingToReduce(): HttpAnswer;
    serverTimeout(): HttpAnswer;
    unheardOfCode(): HttpAnswer;
    /** The answers by which the venue says that a setting is so already. */
    alreadySo(setting: 'leverage' | 'marginMode' | 'positionMode'): HttpAnswer | undefined;
    /** Refusals of a change because orders or positions forbid it. */
    forbidden(): HttpAnswer;
    /** Both legs in hedge mode, those given alone being held; the empty one comes first where the venue lists it. */
    hedgeLegs(request: HttpRequest, held: readonly HeldLeg[]): HttpAnswer;
    /** The pool at 4 % of liquidation. */
    pool(request: HttpRequest): HttpAnswer;
    /** Fills of one order: a closing one that lost 40.5 and paid 6.1. */
    fills(request: HttpRequest): HttpAnswer;
    income(request: HttpRequest, entries: readonly EarnedEntry[]): HttpAnswer;
    tiers(request: HttpRequest): HttpAnswer;
  };
  /** What the venue answers by REST before a private stream opens, where it answers anything. */
  listenKey?(): HttpAnswer;
  /** Opens the private stream up to its last handshake. */
  subscribe(sockets: ScriptedSockets): Promise<void>;
  /** Golden frames of the private stream: one fill with what comes with it, in the venue's order. */
  readonly fillFrames: readonly object[];
  /** Golden frame by which the venue says that a position of the instrument is near liquidation, where it says that. */
  readonly marginCall?: object;
  readonly frames: readonly object[];
}

/** Answers that prove nothing of a request. */
export const unclear = (kit: ContractKit): readonly (() => HttpAnswer | Promise<never>)[] => [
  () => Promise.reject(new Error('reset')),
  () => kit.answers.serverTimeout(),
  () => kit.answers.unheardOfCode(),
  () => ({ status: 200, headers: {}, text: '<html>' }),
  () => ({ status: 502, headers: {}, text: '' }),
];
