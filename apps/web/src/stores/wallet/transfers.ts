import { type CallResponse, type TransferRow, transferReasonText } from '@crossbook/contract';
import { type PlatformType, parseAmount } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import type { CallResult } from '../../wire/api-client.ts';
import { newClientId } from '../app/clock.ts';
import { notify } from '../app/notices.ts';
import { settingsStore } from '../app/settings.ts';
import { call, notifyRefusal } from '../member/own-service.ts';
import { availableOf, balancesStore, reloadAfterTransfer } from './balances.ts';

/** Rises with every transfer event, so that the history knows when to read again. */
export const transfersStore = createStore<{ readonly version: number }>(() => ({ version: 0 }));

/** Folds a transfer event. */
export function applyTransfer(row: TransferRow): void {
  transfersStore.setState((state) => ({ version: state.version + 1 }));
  if (row.state === 'done') notify('success', { id: 'transfer.done' }, row.transferId);
  else if (row.state === 'refused') {
    const reason = transferReasonText(row.reason ?? '', settingsStore.getState().language);
    notify('error', { id: 'transfer.refused', values: { reason } }, row.transferId);
  }
}

/** A movement between wallets: 1 funding to trading, 2 back; 3 spot to futures, 4 back. */
export interface TransferInput {
  readonly platformType: PlatformType;
  readonly direction: 1 | 2 | 3 | 4;
  /** The pocket of directions 1 and 2 where the venue has two: 1 spot, 2 futures. */
  readonly tinstType?: 1 | 2;
  readonly asset: string;
  readonly amount: string;
}

/** Moves money between wallets. Without a usable answer the outcome is unknown: the balances are read again. */
export async function transfer(input: TransferInput): Promise<CallResult<TransferRow>> {
  const clientId = newClientId();
  const answer = await call('connexfunding/UniversalTransfer', { ...input, clientId }, { about: clientId });
  if (answer.ok) applyTransfer(answer.data);
  else if (answer.kind === 'silent') notify('error', { id: 'transfer.unknown' }, clientId);
  await reloadAfterTransfer(input);
  return answer;
}

/**
 * Puts paper money on a platform: what already waits in the funding wallet goes first, new test funds only when it does
 * not cover the amount, because what a member may get in a day is limited.
 * @returns whether the money is there or on its way.
 */
export async function putOnPlatform(platformType: PlatformType, amount: string): Promise<boolean> {
  const waiting = availableOf(balancesStore.getState(), 'funding', 'USDT');
  const wanted = parseAmount(amount);
  if (wanted !== undefined && waiting >= wanted) {
    const answer = await transfer({ platformType, direction: 1, asset: 'USDT', amount });
    return answer.ok && answer.data.state !== 'refused';
  }
  const answer = await getTestFunds(platformType, amount);
  return answer.ok && answer.data.notMoved === null;
}

/** Asks for test funds; with a platform, part of them goes on to its trading wallet. Paper money only. */
export async function getTestFunds(
  platformType: PlatformType | undefined,
  tradingAmount: string | undefined,
): Promise<CallResult<CallResponse<'x/paper/TestFunds'>>> {
  const clientId = newClientId();
  const answer = await call('x/paper/TestFunds', { platformType, tradingAmount, clientId });
  if (answer.ok) {
    const { amount, asset } = answer.data;
    notify('success', { id: 'testFunds.done', values: { amount, asset } }, clientId);
    const { transfer: moved, notMoved } = answer.data;
    if (moved !== null) applyTransfer(moved);
    if (notMoved !== null) notifyRefusal(notMoved.msg, notMoved.code, notMoved.transferId);
  } else if (answer.kind === 'silent') notify('error', { id: 'testFunds.unknown' }, clientId);
  await reloadAfterTransfer(platformType === undefined ? undefined : { platformType });
  return answer;
}
