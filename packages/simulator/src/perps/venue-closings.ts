import { type Amount, amount, type Lots, type Millis } from '@crossbook/domain';
import type { HeldPosition } from '../journal/contract-entries.ts';
import { ended } from '../triggers/conditional-order.ts';
import type { ContractDesk, DeskTools, TakenOrder } from './state/contract-desk.ts';
import type { ContractMarkets } from './state/contract-parts.ts';
import type { ContractStep } from './state/contract-step.ts';

/** Positions that a venue closes though nothing is wrong with them: somebody else's loss, or a contract that ends. */

/** What must find another side when the fund cannot be it. */
export interface Uncovered {
  readonly tools: DeskTools;
  /** The direction of those who give up positions: against the one that was liquidated. */
  readonly long: boolean;
  readonly lots: number;
  readonly price: Amount;
}

/**
 * Closes positions of the other direction at a price, those first that have won most with the highest leverage, without a
 * fee. What nobody holds is the house's.
 */
export function deleverage(step: ContractStep, desk: ContractDesk, uncovered: Uncovered): void {
  const { tools, long, price } = uncovered;
  let left = uncovered.lots;
  for (const held of tools.stats.adlQueue(desk.facts.symbol, long)) {
    if (left === 0) break;
    const lots = Math.min(left, Math.abs(held.quantity));
    close(step, desk, { tools, held, lots, price, origin: 'ADL' });
    left -= lots;
  }
  desk.tidy(step);
}

const MINUTE_MILLIS = 60_000;
/** The exchanges take the index of the last hour, or half of it, each second; a minute's is near enough. */
const MINUTES = 60;
const PRICE_DECIMALS = 8;

/** What a delisted contract is settled at: the mean of its index over the hour before. */
export function settlementPrice(
  { stats }: Pick<ContractMarkets, 'stats'>,
  symbol: string,
  now: Millis,
): Amount {
  let sum = 0;
  for (let minute = 0; minute < MINUTES; minute += 1)
    sum += stats(symbol, (now - minute * MINUTE_MILLIS) as Millis).index;
  return amount((sum / MINUTES).toFixed(PRICE_DECIMALS));
}

/**
 * Ends a contract: what rests or waits there ends unfilled, and every position is closed at one price, without a fee. The house
 * is the other side. @returns how many positions were settled.
 */
export function delist(step: ContractStep, desk: ContractDesk, tools: DeskTools, price: Amount): number {
  const { contracts, habits } = tools;
  const { symbol } = desk.facts;
  const state = habits.positionGone;
  const how =
    state === 'EXPIRED'
      ? ({ status: 'EXPIRED', cause: 'EXPIRED' } as const)
      : ({ status: 'CANCELED', cause: 'CANCELED' } as const);
  for (const order of contracts.history.allOpen(symbol))
    desk.cancel(step, order, { ...how, reason: 'DELISTED' });
  const positions = contracts.allPositions(symbol);
  for (const held of positions)
    close(step, desk, { tools, held, lots: Math.abs(held.quantity), price, origin: 'DELISTING' });
  for (const one of contracts.conditionals.everything())
    if (one.state === 'WAITING' && one.sends.symbol === symbol)
      step.conditional(ended(one, { state, cause: 'POSITION' }, step.time), state);
  return positions.length;
}

const NAMES = { ADL: 'adl_autoclose-', DELISTING: 'settlement_autoclose-' } as const;

/** What is closed, and by which hand of the venue. */
interface Closing {
  readonly tools: DeskTools;
  readonly held: HeldPosition;
  readonly lots: number;
  readonly price: Amount;
  readonly origin: keyof typeof NAMES;
}

function close(step: ContractStep, desk: ContractDesk, { tools, held, lots, price, origin }: Closing): void {
  const { account, symbol, side, marginMode } = held;
  const long = held.quantity > 0;
  const asked: TakenOrder = {
    ...{ account, symbol, positionSide: side, marginMode, reduceOnly: true, origin },
    ...{ side: long ? 'SELL' : 'BUY', kind: 'MARKET', timeInForce: 'IOC', selfTradePrevention: 'NONE' },
    quantity: lots as Lots,
    clientId: `${NAMES[origin]}${step.time}${tools.contracts.nextFill}`,
    leverage: tools.stats.leverage(account, held, long),
  };
  desk.fillOutside(step, desk.note(step, asked), { lots, price, origin });
}
