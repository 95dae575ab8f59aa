import { type Amount, amount, type PlatformSlug } from '@crossbook/domain';
import type { SimMarginMode } from '../../perp-exchange.ts';

/** How far a setting reaches. */
type Reach = 'SYMBOL' | 'ACCOUNT' | 'ORDER';

/** Where the venues' rules about contracts differ, besides their figures. */
export interface VenueHabits {
  readonly marginModeReach: Reach;
  readonly positionModeReach: Reach;
  readonly firstMarginMode: SimMarginMode;
  readonly firstLeverage: number;
  /** Whether cross and isolated have a leverage each. */
  readonly leverageByMarginMode: boolean;
  /** Whether long and short legs have a leverage each in isolated hedge mode. */
  readonly legLeverage: boolean;
  /** Whether leverage may be lowered while an isolated position is open. */
  readonly lowersIsolated: boolean;
  /** Whether open orders of a contract and margin mode keep their leverage from being changed. */
  readonly ordersFixLeverage: boolean;
  /** Whether a limit price beyond the band is moved to its edge at first, or refused. */
  readonly firstMovesPrices: boolean;
  /** Whether a new account may trade contracts, or must be switched first. */
  readonly firstTradesContracts: boolean;
  /** Contracts have a wallet of their own. */
  readonly apart: boolean;
  /** What becomes of a reduce-only order beyond its position: it is filled so far and expires, or is cut to size. */
  readonly excess: 'EXPIRE' | 'CUT';
  /** Whether an order that only gets smaller keeps its place in the queue. */
  readonly shrinksInPlace: boolean;
  /** A closing order of a leg that is larger than the leg: refused alone, with those that rest, or cut. */
  readonly largeClose: 'REFUSE' | 'REFUSE_SUM' | 'CUT';
  /** From where an isolated position's funding is paid first. */
  readonly fundingFrom: 'POSITION' | 'WALLET';
  /** Whether opposite legs are set off against each other before anything is sold. */
  readonly netsLegs: boolean;
  /** Whether orders that cost margin are cancelled as soon as cross positions need it, before anything is liquidated. */
  readonly cancelsCostly: boolean;
  /** At which ratio a member is warned; 1 = liquidation. */
  readonly marginCallRatio: number;
  /** What becomes of conditional orders that end with their position. */
  readonly positionGone: 'EXPIRED' | 'CANCELLED';
  /** Whether conditional orders of which one fires are cancelled as one. */
  readonly groupIsOne: boolean;
  /** Whether what an order protects its own fills with ends with the position too. */
  readonly attachedEnds: boolean;
  /** Whether what an order brings along is placed once, for all that it has filled when it is over; else with each fill. */
  readonly attachedOnce: boolean;
  /** How many conditional orders of an account may wait, those that end with a position counted apart. */
  readonly conditionals: {
    readonly reach: 'SYMBOL' | 'ACCOUNT';
    readonly ordersMax: number;
    readonly onPositionMax: number;
  };
  /** By how many hundredths of a percent a trailing order may come back, at least and at most. */
  readonly trailingBips: readonly [number, number];
  /** Whether a trigger is held against the mark cut off behind the digits of the tick: one that falls fires up to a tick before it. */
  readonly cutsMarks: boolean;
}

/** What the insurance fund of every venue begins with. */
export const FIRST_FUND: Amount = amount('1000000');

/** Defaults of new accounts are typical ones; the exchanges change them now and then. */
export const VENUE_HABITS: Readonly<Record<PlatformSlug, VenueHabits>> = {
  binance: {
    marginModeReach: 'SYMBOL',
    positionModeReach: 'ACCOUNT',
    firstMarginMode: 'CROSS',
    firstLeverage: 20,
    leverageByMarginMode: false,
    legLeverage: false,
    lowersIsolated: false,
    ordersFixLeverage: false,
    firstMovesPrices: false,
    firstTradesContracts: true,
    apart: true,
    excess: 'EXPIRE',
    shrinksInPlace: false,
    largeClose: 'REFUSE',
    fundingFrom: 'POSITION',
    netsLegs: false,
    cancelsCostly: false,
    marginCallRatio: 0.8,
    positionGone: 'EXPIRED',
    groupIsOne: false,
    attachedEnds: false,
    attachedOnce: false,
    // "General Info / Conditional orders" of 2025-12-29: 200 over all symbols.
    conditionals: { reach: 'ACCOUNT', ordersMax: 200, onPositionMax: 200 },
    trailingBips: [10, 2_000],
    // "How to Place Stop-Loss and Take-Profit Orders on Binance Futures", 2024-08-20.
    cutsMarks: true,
  },
  okx: {
    marginModeReach: 'ORDER',
    positionModeReach: 'ACCOUNT',
    firstMarginMode: 'CROSS',
    firstLeverage: 3,
    leverageByMarginMode: true,
    legLeverage: true,
    lowersIsolated: true,
    ordersFixLeverage: true,
    firstMovesPrices: false,
    firstTradesContracts: false,
    apart: false,
    excess: 'CUT',
    shrinksInPlace: true,
    largeClose: 'REFUSE_SUM',
    fundingFrom: 'POSITION',
    netsLegs: true,
    // "Futures mode: cross margin trading", order cancellation.
    cancelsCostly: true,
    // The exchange warns at a margin ratio of 300 %, whose inverse this is.
    marginCallRatio: 1 / 3,
    positionGone: 'CANCELLED',
    groupIsOne: true,
    attachedEnds: false,
    // Announced 2026-07-01.
    attachedOnce: true,
    // The exchange does not say; the same as of its open orders.
    conditionals: { reach: 'SYMBOL', ordersMax: 500, onPositionMax: 500 },
    trailingBips: [10, 10_000],
    cutsMarks: false,
  },
  bybit: {
    marginModeReach: 'ACCOUNT',
    positionModeReach: 'SYMBOL',
    firstMarginMode: 'CROSS',
    firstLeverage: 10,
    leverageByMarginMode: false,
    legLeverage: true,
    lowersIsolated: true,
    ordersFixLeverage: false,
    // "Set Price Limit Behaviour": contracts move, pairs refuse.
    firstMovesPrices: true,
    firstTradesContracts: true,
    apart: false,
    excess: 'CUT',
    shrinksInPlace: true,
    largeClose: 'CUT',
    fundingFrom: 'WALLET',
    netsLegs: false,
    cancelsCostly: false,
    marginCallRatio: 0.9,
    positionGone: 'CANCELLED',
    // A take profit and a stop loss are bound to each other until one of them is changed (position/trading-stop).
    groupIsOne: true,
    attachedEnds: true,
    attachedOnce: false,
    // Twenty pairs for parts of a position, and what closes all of it: both legs and a trailing one.
    conditionals: { reach: 'SYMBOL', ordersMax: 10, onPositionMax: 43 },
    trailingBips: [1, 10_000],
    cutsMarks: false,
  },
};
