import type { CallAnswer, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import { formatAmount, type Platform, platformOfType } from '@crossbook/domain';
import type { Doubt } from '../ports.ts';
import type { ContractPlacing } from './place-contract.ts';

/**
 * What keeps the member from opening anything at a platform now, before it is tried: the first of the checks of an order
 * that are about the account as a whole. Of a pair (`tinstType` 1) neither the papers nor positions that differ do; the account
 * comes with the first money. Asks no venue, so that a page may ask again and again.
 */
export async function openingState(
  { accounts, placing, doubtful }: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'x/trade/Opening'>,
): Promise<CallAnswer<CallResponse<'x/trade/Opening'>>> {
  const platform = platformOfType(request.platformType)?.platform as Platform;
  const owner = { user: caller.user, platform };
  const { deps } = placing;
  if (deps.moneyGate() !== undefined) return { ok: true, value: { stopped: 'money-halted' } };
  const pair = request.tinstType === 1;
  if (pair) return { ok: true, value: doubtValue(placing.doubtful(owner)) };
  if (!(await deps.mayOpenContracts(caller.user))) return { ok: true, value: { stopped: 'kyc-required' } };
  const { state } = await deps.accounts.find(caller.user, platform);
  if (state === 'none') return { ok: true, value: { stopped: 'account-none' } };
  if (state === 'creating' || accounts.preparing(owner))
    return { ok: true, value: { stopped: 'account-preparing' } };
  return { ok: true, value: doubtValue(placing.doubtful(owner) ?? doubtful(owner)) };
}

function doubtValue(doubt: Doubt | undefined): CallResponse<'x/trade/Opening'> {
  if (doubt === undefined) return { stopped: 'nothing' };
  return { stopped: 'books-differ', differs: { of: doubt.of, amount: formatAmount(doubt.amount) } };
}
