import type { Amount } from '@crossbook/domain';
import type { ChannelReader } from '../../account/account-socket.ts';
import { orderReader } from '../../account/order-shapes.ts';
import { SWAP_SHAPE } from './normalise.ts';
import {
  normaliseBalanceAndPosition,
  normalisePool,
  normalisePosition,
  normaliseWarning,
} from './positions.ts';

/**
 * What the private socket tells of swaps. A change comes on several channels at once, in any order: each says the newest
 * of its own, `balance_and_position` also why.
 */
export function contractReaders(
  contractValueOf: (symbol: string) => Amount | undefined,
): readonly ChannelReader[] {
  return [orderReader(SWAP_SHAPE, contractValueOf), POSITIONS, REASONS, POOL, WARNING];
}

const POSITIONS: ChannelReader = {
  ...{ channel: 'positions', instType: 'SWAP' },
  read(row, handlers) {
    const position = normalisePosition(row);
    if (position === undefined) return false;
    handlers.onContracts?.({ positions: [position], cause: 'other', time: position.updatedAt });
    return true;
  },
};

const REASONS: ChannelReader = {
  channel: 'balance_and_position',
  read(row, handlers) {
    const event = normaliseBalanceAndPosition(row);
    if (event !== undefined) handlers.onContracts?.(event);
    return event !== undefined;
  },
};

/** Balances of the same rows are read by the reader of balances, which also says where a row is none. */
const POOL: ChannelReader = {
  channel: 'account',
  read(row, handlers) {
    const pool = normalisePool(row);
    if (pool !== undefined)
      handlers.onContracts?.({ positions: [], pool, cause: 'other', time: pool.updatedAt });
    return true;
  },
};

const WARNING: ChannelReader = {
  ...{ channel: 'liquidation-warning', instType: 'SWAP' },
  read(row, handlers) {
    const event = normaliseWarning(row);
    if (event !== undefined) handlers.onContracts?.(event);
    return event !== undefined;
  },
};
