import { type AlgoOffer, type Amount, ORDER_TYPE } from '@crossbook/domain';
import type { ContractFacts } from '../contracts/contract-summary.ts';
import type { ContractTicketState } from '../contracts/contract-ticket.ts';
import { entryAmount } from '../ticket/number-entry.ts';
import { type AlgoEntry, hasTrigger, timeOfLimit } from './algo-entry.ts';

/** A price that is filled in. */
function priced(text: string): Amount | undefined {
  const value = entryAmount(text);
  return value === 0n ? undefined : value;
}

/** The price that a kind waits for; a trailing one without one begins at the price of now. */
function awaited(entry: AlgoEntry, now: Amount | undefined): Amount | undefined {
  if (hasTrigger(entry.choice)) return priced(entry.trigger);
  return entry.choice === 'trailing' ? (priced(entry.activation) ?? now) : now;
}

/** An order that waits, as the ordinary ticket of contracts has it once it fires. */
export interface FiredOrder {
  readonly ticket: ContractTicketState;
  /** The world of that moment: mark and best prices are where it fires. */
  readonly facts: ContractFacts;
  /** What its size is converted at. */
  readonly waitsFor: { readonly price: Amount | undefined };
}

/**
 * An order on a contract that waits, as it will be once it fires: reckoned at its limit, or at its trigger where it sends a
 * market order. The market of now says nothing about it.
 */
export function firedOrder(
  ticket: ContractTicketState,
  entry: AlgoEntry,
  { facts, offer }: { readonly facts: ContractFacts; readonly offer: AlgoOffer },
): FiredOrder {
  const at = awaited(entry, facts.mark);
  const limited = entry.choice === 'iceberg' || (hasTrigger(entry.choice) && !entry.market);
  const waitsFor = { price: limited ? priced(ticket.price) : at };
  const then = hasTrigger(entry.choice) && at !== undefined ? { mark: at, bestBid: at, bestAsk: at } : {};
  return {
    ticket: {
      ...ticket,
      type: limited ? ORDER_TYPE.LIMIT : ORDER_TYPE.MARKET,
      timeInForce: timeOfLimit(entry, { timeInForce: ticket.timeInForce, offer }),
    },
    facts: { ...facts, ...then, waitsFor },
    waitsFor,
  };
}
