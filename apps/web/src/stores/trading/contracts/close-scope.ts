import type { CloseRow, OrderRow } from '@crossbook/contract';
import { type Platform, SIDE } from '@crossbook/domain';
import type { CallResult } from '../../../wire/api-client.ts';
import { cancelThose } from '../order-calls.ts';
import { ordersStore } from '../orders.ts';
import { cancelAllOrders, closeAllPositions } from './contract-calls.ts';

/** What became of closing one position. */
export type CloseResult = Pick<CloseRow, 'outcome' | 'reason' | 'venueCode'>;
/** What became of closing many positions. */
export type CloseResults = ReadonlyMap<string, CloseResult>;

type Closed = Pick<CloseRow, 'exchange' | 'symbol' | 'effect' | 'marginMode'>;

function resultKey({ exchange, symbol, effect, marginMode }: Closed): string {
  return `${exchange}:${symbol}:${effect}:${marginMode}`;
}

/** What became of one position: its own row, else what the platform said to all; `undefined` = it was sent. */
export function resultOf(results: CloseResults, row: Closed): CloseResult | undefined {
  return results.get(resultKey(row)) ?? results.get(String(row.exchange));
}

/** The results with what became of one position since. */
export function withResult(
  results: CloseResults | undefined,
  row: Closed,
  result: CloseResult,
): CloseResults {
  return new Map([...(results ?? []), [resultKey(row), result]]);
}

/** What an answer says of one; without one nobody knows. */
export function closedBy(
  answer: CallResult<CloseRow> | Exclude<CallResult<unknown>, { ok: true }>,
): CloseResult {
  if (answer.ok) return answer.data;
  if (answer.kind === 'silent') return { outcome: 'unknown', reason: null, venueCode: null };
  return { outcome: 'refused', reason: answer.message, venueCode: answer.venue?.venueCode ?? null };
}

/** Whether an open order of a contract can only make a position smaller: it keeps size from being closed. */
export function closes({
  reduceOnly,
  effect,
  side,
}: Pick<OrderRow, 'reduceOnly' | 'effect' | 'side'>): boolean {
  return effect === 0 ? reduceOnly : (effect === 1) === (side === SIDE.SELL);
}

/** Open orders of contracts that would open something: what may be kept. */
export function openingOrders(
  orders: Iterable<OrderRow>,
  platforms: readonly Platform[],
  symbol: string | undefined,
): readonly OrderRow[] {
  return [...orders].filter(
    (row) =>
      row.symbolType === 'SWAP' &&
      platforms.includes(row.exchange) &&
      (symbol === undefined || row.symbol === symbol) &&
      !closes(row),
  );
}

/** Cancels what keeps a platform's positions from being closed. */
async function cancelClosing(platform: Platform, symbol: string | undefined): Promise<void> {
  const open = [...ordersStore.getState().open.values()];
  const mine = (row: OrderRow) => row.symbolType === 'SWAP' && row.exchange === platform;
  await cancelThose(open.filter((row) => mine(row) && closes(row) && (symbol ?? row.symbol) === row.symbol));
}

/**
 * Closes what the scope names at market: resting orders first, then positions; venues do not wait for each other.
 * @param symbol of one contract alone; absent = all.
 * @param keepOpening leaves resting orders that would open something; those that close are in the way and always go.
 * @param onAnswer hears what is known so far each time a venue has answered: the others may take long.
 */
export async function closeScope(
  platforms: readonly Platform[],
  symbol: string | undefined,
  keepOpening: boolean,
  onAnswer?: (results: CloseResults) => void,
): Promise<CloseResults> {
  const results = new Map<string, CloseResult>();
  await Promise.all(
    platforms.map(async (platform) => {
      if (keepOpening) await cancelClosing(platform, symbol);
      else await cancelAllOrders(platform, { symbolType: 'SWAP', symbol });
      const answer = await closeAllPositions(platform, symbol);
      if (answer.ok) for (const row of answer.data) results.set(resultKey(row), row);
      else results.set(String(platform), closedBy(answer));
      onAnswer?.(new Map(results));
    }),
  );
  return results;
}
