import type { Amount, Platform } from '@crossbook/domain';
import { entryAmount } from '../../calculators/number-entry.ts';

/** What is wrong with the amount of a transfer; `undefined` when it can be sent. */
export type TransferProblem = 'transfer.amountInvalid' | 'transfer.amountTooMuch';

/** Checks an amount against what is available in the wallet it leaves. */
export function transferProblem(text: string, available: Amount): TransferProblem | undefined {
  const amount = entryAmount(text);
  if (amount === undefined || amount <= 0n) return 'transfer.amountInvalid';
  return amount > available ? 'transfer.amountTooMuch' : undefined;
}

/** What the form asks for and offers. */
export interface TransferChoice {
  /** The exchange it moves money from or to; `undefined` on a hub without any. */
  readonly platform: Platform | undefined;
  /** 1 puts money into trading, 2 takes it out. */
  readonly direction: 1 | 2;
  /** Exchanges in their order; one that is not offered takes no money in. */
  readonly venues: readonly { readonly platform: Platform; readonly offered: boolean }[];
}

/**
 * Exchanges and direction of a transfer: money goes into open exchanges only, and out of every one where there is any
 * (decision 0030.20). What was asked for stays where it is possible, also once it is emptied: an amount on screen never
 * comes to mean another exchange by itself.
 * @param open exchanges that members trade at.
 * @param held coming-soon exchanges where the member has something.
 */
export function transferChoice(
  asked: Pick<TransferChoice, 'platform' | 'direction'>,
  open: readonly Platform[],
  held: readonly Platform[],
): TransferChoice {
  const direction = open.length === 0 && held.length > 0 ? 2 : asked.direction;
  const kept = asked.platform === undefined ? [] : [asked.platform];
  const all = [...new Set([...open, ...held, ...kept])].toSorted((left, right) => left - right);
  const venues = all.map((platform) => ({ platform, offered: direction === 2 || open.includes(platform) }));
  const offered = venues.filter((venue) => venue.offered).map((venue) => venue.platform);
  const platform = offered.find((venue) => venue === asked.platform) ?? open[0] ?? offered[0];
  return { platform, direction, venues };
}
