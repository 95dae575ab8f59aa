import { type Amount, formatAmount, minus, ZERO } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import type { SimMarginMode, SimPositionKey, SimPositionSide } from '../../../perp-exchange.ts';
import { accountTypeOf } from '../account-types.ts';
import type { Desk } from '../desk.ts';
import type { SignedCall } from '../endpoint.ts';
import { formatFloat } from '../format.ts';
import { type Listed, MARGIN_ASSET } from '../listing.ts';

/** OKX's words for positions and their money. */

/** Decimals of ratios that are worked out as floats; OKX prints doubles. */
const RATIO_DECIMALS = 16;

const SIDES: Readonly<Record<SimPositionSide, string>> = { BOTH: 'net', LONG: 'long', SHORT: 'short' };
const MODES: Readonly<Record<SimMarginMode, string>> = { CROSS: 'cross', ISOLATED: 'isolated' };

/** `posSide` of a position or an order. */
export function posSideOf(side: SimPositionSide): string {
  return SIDES[side];
}

/** `mgnMode` or `tdMode`. */
export function mgnModeOf(mode: SimMarginMode): string {
  return MODES[mode];
}

/** The core's word for a `mgnMode`. */
export function marginModeOf(word: 'cross' | 'isolated'): SimMarginMode {
  return word === 'cross' ? 'CROSS' : 'ISOLATED';
}

/** Money that the account has paid (above 0), as OKX tells it: with a minus. */
export function charged(paid: Amount): string {
  return formatAmount(minus(ZERO, paid));
}

/** A ratio or a figure for display. */
export function ratioText(value: number): string {
  return formatFloat(value, RATIO_DECIMALS);
}

const MODE_COUNT = 2n;
const SIDE_NUMBERS: Readonly<Record<SimPositionSide, bigint>> = { BOTH: 0n, LONG: 1n, SHORT: 2n };
const SIDE_COUNT = 3n;
const CODE_SPAN = 10_000n;
const POSITION_ORIGIN = 1_000_000_000_000n;

/**
 * `posId`: of a direction and margin mode of a contract it stays the same from one position to the next (OKX keeps it
 * for thirty days after a close; here for ever).
 */
export function posIdOf(listed: Listed, { account, side, marginMode }: SimPositionKey): string {
  const place = SIDE_NUMBERS[side] * MODE_COUNT + (marginMode === 'CROSS' ? 0n : 1n);
  const number = (BigInt(account) * CODE_SPAN + BigInt(listed.code)) * SIDE_COUNT * MODE_COUNT + place;
  return String(POSITION_ORIGIN + number);
}

/** The account that trades, of the key that asks. */
export function traderOf({ desk, account }: Pick<SignedCall, 'desk' | 'account'>): AccountNumber {
  return accountTypeOf(desk, account, '18') ?? account;
}

/** The perpetuals that are paid in USDT: the contracts that can be traded here. */
export function tradedContracts(desk: Desk): readonly Listed[] {
  return desk.listing.ofType('SWAP').filter(isTraded);
}

/** Whether members can trade a contract. */
export function isTraded({ instType, contract }: Listed): boolean {
  return instType === 'SWAP' && contract?.settle === MARGIN_ASSET;
}
