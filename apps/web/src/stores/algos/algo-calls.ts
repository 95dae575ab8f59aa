import type { AlgoRow, CallInput, CallResponse } from '@crossbook/contract';
import { type Platform, platformFacts } from '@crossbook/domain';
import type { CallResult } from '../../wire/api-client.ts';
import { newClientId } from '../app/clock.ts';
import { notify } from '../app/notices.ts';
import { call } from '../member/own-service.ts';
import { sayIfUnknown } from '../member/unknown-answer.ts';
import { applyAlgo, loadAlgos, rememberAsked, wordsOf } from './algos.ts';

/** What a new one needs; the idempotency key is added here. */
export type AlgoInput = Omit<CallInput<'connextrade/PlaceAlgoOrder'>, 'clientId'>;

/**
 * Places an order that waits for a price. Without a usable answer its outcome is unknown: the list is read again and the
 * member is told. Sending again is safe under the same `clientId` only.
 */
export async function placeAlgo(
  platform: Platform,
  input: AlgoInput,
  clientId: string = newClientId(),
): Promise<CallResult<CallResponse<'connextrade/PlaceAlgoOrder'>>> {
  const asked = call('connextrade/PlaceAlgoOrder', { ...input, clientId });
  const answer = await sayIfUnknown(asked, { key: clientId, id: 'order.unknown' });
  if (answer.ok) {
    const detail = { id: 'algo.placedWhat', values: wordsOf(answer.data) };
    notify('success', { id: 'order.placed' }, `algo ${answer.data.algoId}`, { detail, event: 'own' });
    applyAlgo(answer.data);
  } else if (answer.kind === 'silent') void loadAlgos(platform);
  return answer;
}

/** Asks to cancel one; it is gone when its event says so. */
export async function cancelAlgo(row: AlgoRow): Promise<CallResult<AlgoRow>> {
  const { platformType } = platformFacts(row.exchange);
  rememberAsked(row.algoId);
  const asked = call('connextrade/CancelAlgoOrder', { platformType, algoId: row.algoId });
  const answer = await sayIfUnknown(asked, { key: `algo ${row.algoId}`, id: 'order.cancelUnknown' });
  if (answer.ok) applyAlgo(answer.data);
  return answer;
}

/** New values of one that waits; what is absent stays. */
export type AlgoChange = Omit<CallInput<'connextrade/ReplaceAlgoOrder'>, 'platformType' | 'algoId'>;

/** Changes one that waits. Without an answer the list is read again: what stands there is what is so. */
export async function replaceAlgo(row: AlgoRow, change: AlgoChange): Promise<CallResult<AlgoRow>> {
  const { platformType } = platformFacts(row.exchange);
  const request = { platformType, algoId: row.algoId, ...change };
  const key = `algo ${row.algoId}`;
  const asked = call('connextrade/ReplaceAlgoOrder', request);
  const answer = await sayIfUnknown(asked, { key, id: 'order.unknown' });
  if (answer.ok) {
    if (!answer.data.unknown) {
      const detail = { id: 'algo.changedWhat', values: wordsOf(answer.data) };
      notify('success', { id: 'order.placed' }, key, { detail, event: 'own' });
    }
    applyAlgo(answer.data);
  } else void loadAlgos(row.exchange);
  return answer;
}
