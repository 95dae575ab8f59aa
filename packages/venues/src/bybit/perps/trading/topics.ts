import type { Millis } from '@crossbook/domain';
import type { VenueCredentials } from '../../../venue-answers.ts';
import { asObject } from '../../../wire/guards.ts';
import { orderReaders } from '../../account/order-shapes.ts';
import type { TopicReader } from '../../account/user-socket.ts';
import { asMillis } from '../../wire.ts';
import type { MarginModes } from './margin-modes.ts';
import { LINEAR_SHAPE } from './normalise.ts';
import { normalisePool, normalisePosition } from './positions.ts';

/**
 * What the private stream tells of linear contracts. The venue sends a position with every order that is made, changed
 * or cancelled, whether it moved or not; receivers know what is newer by its sequence.
 */
export function contractReaders(
  modes: MarginModes,
  credentials: VenueCredentials,
  now: () => Millis,
): readonly TopicReader[] {
  return [
    ...orderReaders(LINEAR_SHAPE),
    positionReader(modes, credentials),
    FUNDING,
    poolReader(modes, credentials, now),
  ];
}

/** The row does not say the margin mode, which is the account's: where it is not known it is asked for first. */
function positionReader(modes: MarginModes, credentials: VenueCredentials): TopicReader {
  return {
    ...{ topic: 'position', category: LINEAR_SHAPE.category },
    read(row, handlers) {
      if (normalisePosition(row, 'cross') === undefined) return false;
      void modes.of(credentials).then((mode) => {
        const position = mode.ok ? normalisePosition(row, mode.value) : undefined;
        if (position === undefined) handlers.onMalformed('position without a margin mode');
        else handlers.onContracts?.({ positions: [position], cause: 'other', time: position.updatedAt });
      });
      return true;
    },
  };
}

/** Funding is an execution that is no trade: a reason to read the transaction log. */
const FUNDING: TopicReader = {
  ...{ topic: 'execution', category: LINEAR_SHAPE.category },
  read(row, handlers) {
    if (asObject(row)?.execType !== 'Funding') return true;
    const time = asMillis(asObject(row)?.execTime);
    if (time !== undefined) handlers.onContracts?.({ positions: [], cause: 'funding', time });
    return time !== undefined;
  },
};

/** A mode that the row contradicts is a setting that changed. Balances of the same rows are read by the reader of balances, which also says where a row is none. */
function poolReader(modes: MarginModes, credentials: VenueCredentials, now: () => Millis): TopicReader {
  return {
    topic: 'wallet',
    read(row, handlers) {
      const time = now();
      const pool = normalisePool(row, time);
      const cause = modes.hear(credentials, row) ? 'setting' : 'other';
      if (pool !== undefined) handlers.onContracts?.({ positions: [], pool, cause, time });
      return true;
    },
  };
}
