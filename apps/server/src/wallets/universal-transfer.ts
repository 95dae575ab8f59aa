import { createHash } from 'node:crypto';
import type {
  CallAnswer,
  CallRequest,
  CallResponse,
  MemberCaller,
  Refusal,
  TransferRow,
} from '@crossbook/contract';
import {
  type Amount,
  decimalsOf,
  formatAmount,
  type OrderId,
  type Platform,
  platformFacts,
  platformOfType,
  uuidV7,
} from '@crossbook/domain';
import { isUnjudged } from '@crossbook/ledger';
import { venueProfile } from '@crossbook/venues';
import type { Pocket } from '@crossbook/venues/trading';
import type { IntentMachine } from '../intents/machine.ts';
import { refusalOfOurs } from '../intents/venue-refusal.ts';
import { contractWalletOf } from './contract-wallet.ts';
import {
  DIRECTION,
  type Direction,
  type Refused,
  refusal,
  type StoredTransfer,
  type WalletDeps,
} from './ports.ts';
import { holdOf, sourceOf, type TransferProof, transferRow, transferShare } from './transfer-intent.ts';

/** A request to move funds, parsed. */
export interface TransferRequest {
  readonly id: OrderId;
  readonly platform: Platform;
  readonly direction: Direction;
  readonly pocket: Pocket;
  readonly asset: string;
  readonly amount: Amount;
}

/** What moving funds needs besides the ports. */
export interface Moving {
  readonly deps: WalletDeps;
  readonly transfers: IntentMachine<StoredTransfer, TransferProof>;
}

/** UniversalTransfer: parses the request and moves it. */
export async function universalTransfer(
  moving: Moving,
  caller: MemberCaller,
  request: CallRequest<'connexfunding/UniversalTransfer'>,
): Promise<CallAnswer<TransferRow>> {
  const { deps } = moving;
  const platform = platformOfType(request.platformType)?.platform ?? 1;
  const unmovable = unmovableAmount(platform, request.amount, 'amount');
  if (unmovable !== undefined) return refusal(unmovable);
  if (!deps.knownAsset(request.asset)) {
    return refusal({ error: 'asset-unknown', field: 'asset', given: request.asset });
  }
  const id = request.clientId ?? uuidV7(deps.clock(), deps.random(10));
  const { direction, asset, amount } = request;
  const twoWallets = venueProfile(platform).trading.contracts.ownPocket;
  if (!twoWallets && (direction === DIRECTION.TO_FUTURES || direction === DIRECTION.TO_SPOT))
    return refusal({ error: 'field-invalid', field: 'direction', allowed: '1 or 2: one wallet serves both' });
  const pocket = twoWallets && request.tinstType === 2 ? 'futures' : 'spot';
  return moveFunds(moving, caller.user, { id, platform, direction, pocket, asset, amount });
}

/** Why the exchange would refuse or cut such an amount, before anything is held for it; `undefined` when it moves it. */
export function unmovableAmount(platform: Platform, amount: Amount, field: string): Refusal | undefined {
  const { transferDecimals } = venueProfile(platform).trading;
  return decimalsOf(amount) > transferDecimals
    ? { error: 'amount-invalid', field, allowed: String(transferDecimals) }
    : undefined;
}

/** Holds, writes the intent, asks the venue, and books what it says. The same id again gives the same answer. */
export function moveFunds(
  moving: Moving,
  user: MemberCaller['user'],
  request: TransferRequest,
): Promise<CallAnswer<TransferRow>> {
  return moving.transfers.inLane(request.id, transferShare(request), async () => {
    const reserved = await reserveTransfer(moving.deps, user, request);
    // Whether the row is there nobody can say: a lookup tells.
    if (!reserved.ok && reserved.code.error === 'outcome-unknown')
      moving.transfers.lookupSoon(request.id, transferShare(request));
    if (!reserved.ok) return reserved;
    return answerOf(reserved.fresh ? await moving.transfers.attempt(reserved.transfer) : reserved.transfer);
  });
}

/** A refused transfer is a refusal, now and whenever its request comes again; one of ours is told as ours. */
function answerOf(transfer: StoredTransfer): CallAnswer<TransferRow> {
  return transfer.state === 'refused'
    ? refusal(refusalOfOurs(transfer.reason) ?? { error: 'transfer-refused', given: transfer.reason ?? '' })
    : { ok: true, value: transferRow(transfer) };
}

/** The transfer with its money held, or the one that the same request made before. */
async function reserveTransfer(
  deps: WalletDeps,
  user: MemberCaller['user'],
  request: TransferRequest,
): Promise<{ readonly ok: true; readonly fresh: boolean; readonly transfer: StoredTransfer } | Refused> {
  const payloadHash = hashOf(request);
  const earlier = await deps.movements.transfer(request.id);
  if (earlier !== undefined) {
    return earlier.user === user && earlier.payloadHash === payloadHash
      ? { ok: true, fresh: false, transfer: earlier }
      : refusal({ error: 'client-id-reused', field: 'clientId' });
  }
  const halted = deps.moneyGate();
  if (halted !== undefined) return refusal(halted);
  if (!transferIsOpen(deps, request)) {
    const { name } = platformFacts(request.platform);
    return refusal({ error: 'transfer-not-open', field: 'platformType', given: name });
  }
  if (await exceedsWithdrawable(deps, user, request))
    return refusal({ error: 'funds-insufficient', field: 'amount' });
  const now = deps.clock();
  const times = { createdAt: now, updatedAt: now };
  const transfer: StoredTransfer = { ...request, user, payloadHash, state: 'pending', lookups: 0, ...times };
  const { amount } = request;
  const id = holdOf(transfer);
  deps.crash('before-hold');
  const held = await deps.ledger.commit({
    commands: [{ do: 'hold', id, account: sourceOf(transfer), amount, kind: 'transfer-hold' }],
    writes: [deps.movements.insertTransfer(transfer)],
  });
  deps.crash('after-hold');
  if (held.ok) return { ok: true, fresh: true, transfer };
  if (isUnjudged(held.code)) return refusal({ error: held.code });
  return held.code === 'insufficient-funds'
    ? refusal({ error: 'funds-insufficient', field: 'amount' })
    : refusal({ error: 'client-id-reused', field: 'clientId' });
}

/** Whether funds may move that way: out of a coming-soon platform always, into it never (decision 0030.20). */
export function transferIsOpen(
  deps: WalletDeps,
  request: Pick<TransferRequest, 'platform' | 'direction'>,
): boolean {
  const venue = deps.venue(request.platform);
  const { TO_FUNDING, TO_SPOT } = DIRECTION;
  const out = request.direction === TO_FUNDING || request.direction === TO_SPOT;
  return venue !== undefined && (out || venue.state === 'live');
}

/** What stands behind positions may leave only as far as the venue lets it, whatever the ledger has free. */
async function exceedsWithdrawable(
  deps: WalletDeps,
  user: MemberCaller['user'],
  request: TransferRequest,
): Promise<boolean> {
  const { platform, asset, amount } = request;
  const source = sourceOf({ ...request, user });
  if (source.class !== contractWalletOf(platform)) return false;
  const most = await deps.venue(platform)?.withdrawable(user, asset);
  return most !== undefined && amount > most;
}

function hashOf({ platform, direction, asset, amount, pocket }: TransferRequest): string {
  const futures = pocket === 'futures' ? [pocket] : [];
  const text = [platform, direction, asset, formatAmount(amount), ...futures].join('\n');
  return createHash('sha256').update(text).digest('hex');
}

/** UniversalTransferHistory: newest first, a page at a time. */
export async function transferPage(
  deps: WalletDeps,
  caller: MemberCaller,
  request: CallRequest<'connexfunding/UniversalTransferHistory'>,
): Promise<CallAnswer<CallResponse<'connexfunding/UniversalTransferHistory'>>> {
  const { platformType, limit, cursor } = request;
  const platform = platformType === undefined ? undefined : platformOfType(platformType)?.platform;
  const page = await deps.movements.transfers(caller.user, {
    limit,
    ...(platform === undefined ? {} : { platform }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const rows = page.rows.map(transferRow);
  return { ok: true, value: page.next === undefined ? { rows } : { rows, next: page.next } };
}
