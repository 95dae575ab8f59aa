import type { PerpFacts } from '../../../venue.ts';
import type { Desk } from '../endpoint.ts';
import { ERRORS } from '../errors.ts';
import { linearContracts } from '../market/instruments.ts';
import type { ParamReader } from '../params.ts';

/** Whether members trade a contract: perpetuals that settle in USDT. */
export function isTraded({ kind, settle }: PerpFacts): boolean {
  return kind === 'PERPETUAL' && settle === 'USDT';
}

/** Contracts that members trade. */
export function tradedContracts(desk: Desk): readonly PerpFacts[] {
  return [...linearContracts(desk).values()].filter(isTraded);
}

/** A contract that must be named; one that is listed and not traded is not live. */
export function readTraded(reader: ParamReader, desk: Desk): PerpFacts | undefined {
  const contract = reader.market(linearContracts(desk), ERRORS.badSymbol);
  if (contract === undefined || isTraded(contract)) return contract;
  reader.refuse(ERRORS.notLive);
  return undefined;
}

/** Reads the category of a call that only contracts have. */
export function readLinear(reader: ParamReader): void {
  if (reader.requiredText('category') !== 'linear') reader.refuse(ERRORS.badCategory);
}
