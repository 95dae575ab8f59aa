import { type Lots, ok, type Result, refused } from '@crossbook/domain';
import type { NewPerpOrder, SimPositionSide } from '../../../perp-exchange.ts';
import { fitsSize, readAttached } from '../algos/attached-entries.ts';
import type { Desk } from '../desk.ts';
import { cannotBeEmpty, ERRORS, type OkxError, parameterError } from '../errors.ts';
import { factsOf } from '../listing.ts';
import type { Place } from '../orders/order-adapter.ts';
import {
  kindOf,
  lotsOf,
  ORDER_TYPES,
  readLabels,
  refuseUnsupported,
  ticksOf,
} from '../orders/order-words.ts';
import type { ParamReader } from '../params.ts';
import { isTraded, marginModeOf } from './words.ts';

/** A new order on a contract with the label that its owner put on it. */
export interface ContractDraft {
  readonly order: NewPerpOrder & { readonly quantity: Lots };
  readonly tag: string;
}

/** `optimal_limit_ioc` takes what the book has at once, like a market order. */
const CONTRACT_TYPES = [...ORDER_TYPES, 'optimal_limit_ioc'] as const;

const SIDES: Readonly<Record<'net' | 'long' | 'short', SimPositionSide>> = {
  net: 'BOTH',
  long: 'LONG',
  short: 'SHORT',
};

/**
 * Which position is meant: in net mode the one there is, named or not; in long/short mode a leg, which must be named
 * (OKX v5 guide, "Place order", `posSide`).
 */
export function readPositionSide(
  reader: ParamReader,
  desk: Desk,
  { account, listed }: Place,
): SimPositionSide {
  const named = reader.choice('posSide', ['net', 'long', 'short']) ?? 'net';
  const hedged = desk.venue.perps.setting(account, listed.instId).positionMode === 'HEDGE';
  if (hedged === (named === 'net')) reader.refuse(parameterError('posSide'));
  return SIDES[named];
}

/** Reads one new order on a contract. */
export function readContractDraft(
  desk: Desk,
  reader: ParamReader,
  place: Place,
): Result<ContractDraft, OkxError> {
  const { account, listed } = place;
  if (!isTraded(listed) || !desk.venue.perps.tradesContracts(account)) reader.refuse(ERRORS.accountMode);
  const mode = reader.requiredChoice('tdMode', ['cross', 'isolated']);
  const side = reader.requiredChoice('side', ['buy', 'sell']);
  const positionSide = readPositionSide(reader, desk, place);
  const type = reader.requiredChoice('ordType', CONTRACT_TYPES);
  const reduceOnly = reader.choice('reduceOnly', ['true', 'false']) === 'true';
  if (!reader.has('sz')) reader.refuse(cannotBeEmpty('sz'));
  const size = reader.decimal('sz');
  if (size === 0n) reader.refuse(parameterError('sz'));
  const priced = type !== 'market' && type !== 'optimal_limit_ioc';
  if (priced && !reader.has('px')) reader.refuse(ERRORS.noPrice);
  const price = priced ? reader.decimal('px') : undefined;
  if (price === 0n) reader.refuse(parameterError('px'));
  const { tag, ...labels } = readLabels(reader, desk);
  refuseUnsupported(reader);
  const facts = factsOf(listed);
  const attached = readAttached(reader, facts, { side: side === 'buy' ? 'BUY' : 'SELL' });
  if (reader.refusal !== undefined || size === undefined) return refused(reader.refusal ?? ERRORS.tooSmall);
  const quantity = lotsOf(size, facts);
  if (!quantity.ok) return quantity;
  if (attached !== undefined && !fitsSize(attached, quantity.value)) return refused(ERRORS.splitSum);
  const ticks = price === undefined ? undefined : ticksOf(price, facts, 'px');
  if (ticks?.ok === false) return ticks;
  const order = {
    ...{ account, symbol: listed.instId, positionSide, quantity: quantity.value },
    side: side === 'buy' ? ('BUY' as const) : ('SELL' as const),
    marginMode: marginModeOf(mode),
    ...kindOf(type === 'optimal_limit_ioc' ? 'market' : type),
    ...(ticks === undefined ? {} : { price: ticks.value }),
    // Legs are closed by side alone; there the parameter is ignored.
    reduceOnly: reduceOnly && positionSide === 'BOTH',
    ...(attached === undefined ? {} : { attached }),
    ...labels,
  };
  return ok({ order, tag });
}
