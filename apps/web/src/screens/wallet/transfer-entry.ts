import type { Amount, Platform, PlatformType } from '@crossbook/domain';
import { entryAmount } from '../../calculators/ticket/number-entry.ts';

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

/** Between which wallets money goes where the exchange has two: funding and one of them, or the two. */
export const TRANSFER_ROUTES = ['spot', 'futures', 'pockets'] as const;
/** One such pair. */
export type TransferRoute = (typeof TRANSFER_ROUTES)[number];

/** What a transfer asks of the service, and where the money leaves. */
export interface TransferRequest {
  readonly request: { readonly direction: 1 | 2 | 3 | 4; readonly tinstType?: 1 | 2 };
  readonly source: 'funding' | PlatformType;
  /** The pocket that it leaves, where there are two. */
  readonly fromPocket: 'spot' | 'futures' | undefined;
}

/** @param route the pair of wallets where the exchange has two; `undefined` where it has one. */
export function transferRequest(
  route: TransferRoute | undefined,
  platformType: PlatformType,
  direction: 1 | 2,
): TransferRequest {
  if (route === undefined) {
    const source = direction === 1 ? 'funding' : platformType;
    return { request: { direction }, source, fromPocket: undefined };
  }
  if (route === 'pockets') {
    const forward = direction === 1;
    return {
      request: { direction: forward ? 3 : 4 },
      source: platformType,
      fromPocket: forward ? 'spot' : 'futures',
    };
  }
  const tinstType = route === 'spot' ? 1 : 2;
  return {
    request: { direction, tinstType },
    source: direction === 1 ? 'funding' : platformType,
    fromPocket: direction === 1 ? undefined : route,
  };
}

/** Names of the two ends of a route, the one that money leaves first. */
export function transferEnds(
  route: TransferRoute | undefined,
  names: {
    readonly funding: string;
    readonly trading: string;
    readonly named: (pocket: 'spot' | 'futures') => string;
  },
): readonly [string, string] {
  if (route === undefined) return [names.funding, names.trading];
  if (route === 'pockets') return [names.named('spot'), names.named('futures')];
  return [names.funding, names.named(route)];
}
