import type { CallInput, CallResponse, CloseRow, PositionRow } from '@crossbook/contract';
import { type Platform, platformFacts, type SymbolType } from '@crossbook/domain';
import type { CallResult } from '../../../wire/api-client.ts';
import { newClientId } from '../../app/clock.ts';
import { call } from '../../member/own-service.ts';
import { sayIfUnknown } from '../../member/unknown-answer.ts';
import { applyOrder } from '../orders.ts';
import { applyPosition, loadPositions } from './positions.ts';

/** What a position is called by. */
export type PositionName = Pick<PositionRow, 'exchange' | 'symbol' | 'effect' | 'marginMode'>;

/** A position as calls name it. */
export function nameOf({ exchange, symbol, effect, marginMode }: PositionName) {
  return { platformType: platformFacts(exchange).platformType, symbol, effect, marginMode };
}

/**
 * Closes a position. Without a quantity it is all of it, whatever that is when the exchange gets it; without a price it
 * is at market. No answer is no failure: the position is read again and the member is told.
 * @param onUnknown told when what became of it is not known, which may be before the answer comes after all.
 */
export async function closePosition(
  position: PositionName,
  part: Pick<CallInput<'connextrade/ClosePosition'>, 'quantity' | 'price' | 'timeInForce'>,
  onUnknown?: () => void,
): Promise<CallResult<CloseRow>> {
  const clientId = newClientId();
  const asked = call('connextrade/ClosePosition', { ...nameOf(position), ...part, clientId });
  const answer = await sayIfUnknown(asked, { key: clientId, id: 'order.unknown', onUnknown });
  if (answer.ok && answer.data.order !== null) applyOrder(answer.data.order);
  if (!answer.ok || answer.data.outcome === 'unknown') void loadPositions(position.exchange);
  return answer;
}

/** Closes every position of a platform, or of all, at market. */
export async function closeAllPositions(
  platform: Platform | undefined,
  symbol: string | undefined,
): Promise<CallResult<CallResponse<'connextrade/ClosePositionAll'>>> {
  const scope = {
    ...(platform === undefined ? {} : { platformType: platformFacts(platform).platformType }),
    ...(symbol === undefined ? {} : { symbol }),
  };
  const answer = await call('connextrade/ClosePositionAll', scope);
  if (answer.ok) for (const { order } of answer.data) if (order !== null) applyOrder(order);
  return answer;
}

/** Cancels every open order of a platform, or only those of a type or of one symbol. */
export async function cancelAllOrders(
  platform: Platform,
  only: { readonly symbolType?: SymbolType; readonly symbol?: string | undefined } = {},
): Promise<CallResult<CallResponse<'connextrade/CancelAll'>>> {
  const { symbolType, symbol } = only;
  const scope = {
    platformType: platformFacts(platform).platformType,
    ...(symbolType === undefined ? {} : { tinstType: symbolType === 'SPOT' ? (1 as const) : (2 as const) }),
    ...(symbol === undefined ? {} : { symbol }),
  };
  const answer = await call('connextrade/CancelAll', scope);
  if (answer.ok) for (const { order } of answer.data) if (order !== null) applyOrder(order);
  return answer;
}

/** Puts margin behind an isolated position (1) or takes some (2). */
export async function adjustMargin(
  position: PositionName,
  change: { readonly direction: 1 | 2; readonly amount: string },
): Promise<CallResult<PositionRow>> {
  const { platformType, symbol, effect } = nameOf(position);
  const request = { platformType, symbol, effect, ...change, clientId: newClientId() };
  const answer = await call('x/trade/AdjustMargin', request);
  if (answer.ok) applyPosition(answer.data);
  else void loadPositions(position.exchange);
  return answer;
}

/** The largest order of a kind that the hub would take now, in what the venue counts; `undefined` without an answer. */
export async function availableOpen(
  { platform, symbol }: { readonly platform: Platform; readonly symbol: string },
  order: Pick<CallInput<'connextrade/AvailableOpen'>, 'side' | 'effect' | 'price'>,
): Promise<CallResponse<'connextrade/AvailableOpen'> | undefined> {
  const { platformType } = platformFacts(platform);
  const answer = await call('connextrade/AvailableOpen', { platformType, symbol, ...order }, { quiet: true });
  return answer.ok ? answer.data : undefined;
}
