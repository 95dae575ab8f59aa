import { createHash } from 'node:crypto';
import type { CallAnswer, CallRequest, CallResponse, MemberCaller, TransferRow } from '@crossbook/contract';
import {
  type Amount,
  formatAmount,
  type Millis,
  type OrderId,
  type Platform,
  platformFacts,
  platformOfType,
  uuidV7,
  venueClientId,
} from '@crossbook/domain';
import { type AccountRef, holdId, isUnjudged, transferId } from '@crossbook/ledger';
import { venueProfile } from '@crossbook/venues';
import { announceWallets } from './balances.ts';
import {
  type CustodyMove,
  DIRECTION,
  type Direction,
  refusal,
  type StoredTransfer,
  type WalletDeps,
} from './ports.ts';

/** Looks that must find nothing, after the fence, before a transfer counts as never made. */
const ABSENT_LOOKS_MIN = 5;

/** How long a transfer that could not be asked for yet is tried again. */
const NOT_NOW_MILLIS_MAX = 60_000;

/** A wish to move funds, parsed. */
export interface TransferWish {
  readonly id: OrderId;
  readonly platform: Platform;
  readonly direction: Direction;
  readonly asset: string;
  readonly amount: Amount;
}

/** A transfer as its owner sees it. */
export function transferRow(transfer: StoredTransfer): TransferRow {
  return {
    transferId: transfer.id,
    platformType: platformFacts(transfer.platform).platformType,
    direction: transfer.direction,
    asset: transfer.asset,
    amount: formatAmount(transfer.amount),
    state: transfer.state,
    reason: transfer.reason ?? null,
    createdAt: transfer.createdAt,
    updatedAt: transfer.updatedAt,
    expectedAt: null,
  };
}

/** UniversalTransfer: parses the wish and moves it. */
export async function universalTransfer(
  deps: WalletDeps,
  caller: MemberCaller,
  request: CallRequest<'connexfunding/UniversalTransfer'>,
): Promise<CallAnswer<TransferRow>> {
  const platform = platformOfType(request.platformType)?.platform ?? 1;
  if (!deps.knownAsset(request.asset)) {
    return refusal({ error: 'asset-unknown', field: 'asset', given: request.asset });
  }
  const id = request.clientId ?? uuidV7(deps.clock(), deps.random(10));
  const { direction, asset, amount } = request;
  return moveFunds(deps, caller.user, { id, platform, direction, asset, amount });
}

/** Holds, writes the intent, asks the venue, and books what it says. The same id again gives the same answer. */
export function moveFunds(
  deps: WalletDeps,
  user: MemberCaller['user'],
  wish: TransferWish,
): Promise<CallAnswer<TransferRow>> {
  return deps.lanes.run(`transfer:${wish.id}`, () => moveOnce(deps, user, wish));
}

async function moveOnce(
  deps: WalletDeps,
  user: MemberCaller['user'],
  wish: TransferWish,
): Promise<CallAnswer<TransferRow>> {
  const payloadHash = hashOf(wish);
  const earlier = await deps.movements.transfer(wish.id);
  if (earlier !== undefined) {
    const same = earlier.user === user && earlier.payloadHash === payloadHash;
    return same
      ? { ok: true, value: transferRow(earlier) }
      : refusal({ error: 'client-id-reused', field: 'clientId' });
  }
  const halted = deps.moneyGate();
  if (halted !== undefined) return refusal(halted);
  if (!transferIsOpen(deps, wish)) {
    const { name } = platformFacts(wish.platform);
    return refusal({ error: 'transfer-not-open', field: 'platformType', given: name });
  }
  const now = deps.clock();
  const times = { createdAt: now, updatedAt: now };
  const transfer: StoredTransfer = { ...wish, user, payloadHash, state: 'pending', looks: 0, ...times };
  const held = await deps.ledger.commit({
    commands: [
      {
        do: 'hold',
        id: holdOf(transfer),
        account: source(transfer),
        amount: wish.amount,
        kind: 'transfer-hold',
      },
    ],
    writes: [deps.movements.insertTransfer(transfer)],
  });
  if (!held.ok) {
    if (isUnjudged(held.code)) return refusal({ error: held.code });
    const short = held.code === 'insufficient-funds';
    return short
      ? refusal({ error: 'funds-insufficient', field: 'amount' })
      : refusal({ error: 'client-id-reused', field: 'clientId' });
  }
  try {
    return { ok: true, value: transferRow(await ask(deps, transfer)) };
  } catch (error) {
    // The money is held and the venue may have been asked: the outcome is unknown, whatever went wrong here.
    deps.note('a transfer stopped half way', { id: transfer.id, error: String(error) });
    return { ok: true, value: transferRow({ ...transfer, state: 'unknown' }) };
  }
}

/** Whether funds may move that way: out of a coming-soon platform always, into it never (decisions.md 20). */
export function transferIsOpen(
  deps: WalletDeps,
  wish: Pick<TransferWish, 'platform' | 'direction'>,
): boolean {
  const venue = deps.venue(wish.platform);
  return venue !== undefined && (wish.direction === DIRECTION.TO_FUNDING || venue.state === 'live');
}

/**
 * Has the operator's account provided, then asks the venue to move. Nothing was sent before if the transfer has no
 * fence, so that it may be asked for again; an answer that is not clear leaves it `unknown` and its money held.
 */
async function ask(deps: WalletDeps, made: StoredTransfer): Promise<StoredTransfer> {
  const venue = deps.venue(made.platform);
  const account = await venue?.accountOf(made.user);
  if (venue === undefined || account === undefined) return notNow(deps, made, 'no account at the exchange');
  if (made.direction === DIRECTION.TO_TRADING) {
    const provided = await deps.custody.provide(custodyMove(made));
    if (provided === 'short') return ended(deps, made, 'refused', shortReason(venue.name, made.asset));
    if (provided === 'unknown') return unclear(deps, made, `funds at ${venue.name} are not certain`);
  }
  const transfer = await fenced(deps, made);
  const side = transfer.direction === DIRECTION.TO_TRADING ? { to: account } : { from: account };
  const clientId = venueClientId(transfer.id);
  const outcome = await venue.transfer({ clientId, ...side, asset: transfer.asset, amount: transfer.amount });
  if (outcome.outcome === 'done') return concluded(deps, transfer, 'done');
  if (outcome.outcome === 'refused') return concluded(deps, transfer, 'refused', outcome.message);
  if (outcome.outcome === 'not-now') return notNow(deps, transfer, 'the exchange is too busy');
  return unclear(deps, transfer, outcome.why);
}

/**
 * Certainly nothing was done, and a moment later it may be: the transfer stays without a fence and is asked for again,
 * until it has waited long enough to be refused. That is written down, as a fence, before anything is taken home: what
 * has gone home must never be promised to the platform again, whatever comes between.
 */
async function notNow(deps: WalletDeps, transfer: StoredTransfer, why: string): Promise<StoredTransfer> {
  const { fenceClosesAt: _none, ...unsent } = transfer;
  if (deps.clock() - transfer.createdAt >= NOT_NOW_MILLIS_MAX) {
    return concluded(deps, await fenced(deps, { ...unsent, reason: why }), 'refused', why);
  }
  return unclear(deps, unsent, why);
}

function shortReason(platformName: string, asset: string): string {
  return `the service does not have enough ${asset} at ${platformName} at the moment`;
}

/** The fence counts from the moment of sending, and is written before it. */
async function fenced(deps: WalletDeps, transfer: StoredTransfer): Promise<StoredTransfer> {
  const now = deps.clock();
  const after: StoredTransfer = {
    ...transfer,
    fenceClosesAt: (now + venueProfile(transfer.platform).trading.transferDeadlineMillis) as Millis,
    updatedAt: now,
  };
  const written = await deps.ledger.commit({ commands: [], writes: [deps.movements.updateTransfer(after)] });
  if (!written.ok) throw new Error(`transfer ${transfer.id}: fence not written: ${written.code}`);
  return after;
}

/** Nobody can say yet: the money stays held, and the transfer is looked at again. Told once, not at every look. */
function unclear(deps: WalletDeps, transfer: StoredTransfer, why: string): Promise<StoredTransfer> {
  if (transfer.state !== 'unknown') deps.note('transfer outcome unknown', { id: transfer.id, why });
  return progress(deps, { ...transfer, state: 'unknown' });
}

/** How the venue decided is certain: first the operator's funds go where they belong, then it is booked. */
async function concluded(
  deps: WalletDeps,
  transfer: StoredTransfer,
  state: 'done' | 'refused',
  reason?: string,
): Promise<StoredTransfer> {
  if (await custodyInOrder(deps, transfer, state)) return ended(deps, transfer, state, reason);
  const told = reason === undefined ? {} : { reason };
  return unclear(deps, { ...transfer, ...told }, 'funds of the operator are not where they belong yet');
}

/** Collects what came to the operator's account: from the member, or provided for a transfer that was refused. */
async function custodyInOrder(
  deps: WalletDeps,
  transfer: StoredTransfer,
  state: 'done' | 'refused',
): Promise<boolean> {
  const toTrading = transfer.direction === DIRECTION.TO_TRADING;
  if (toTrading === (state === 'done')) return true;
  const move = custodyMove(transfer);
  if (toTrading) {
    // Asked again, so that it is certain whether there is anything to take back.
    const provided = await deps.custody.provide(move);
    if (provided !== 'moved') return provided !== 'unknown';
  }
  return (await deps.custody.collect(move)) === 'done';
}

function custodyMove({ platform, asset, amount, id }: StoredTransfer): CustodyMove {
  return { platform, asset, amount, transfer: id };
}

/**
 * Looks at a transfer that has not ended and books what the venue knows of it. In the transfer's lane: never beside the
 * call that is asking the venue for it.
 */
export function lookAtTransfer(deps: WalletDeps, id: OrderId): Promise<void> {
  return deps.lanes.run(`transfer:${id}`, async () => {
    const transfer = await deps.movements.transfer(id);
    if (transfer?.state === 'pending' || transfer?.state === 'unknown') await lookOnce(deps, transfer);
  });
}

async function lookOnce(deps: WalletDeps, transfer: StoredTransfer): Promise<StoredTransfer> {
  const venue = deps.venue(transfer.platform);
  if (venue === undefined) return transfer;
  // What was never sent waits for the gate.
  if (transfer.fenceClosesAt === undefined) return deps.moneyGate() ? transfer : ask(deps, transfer);
  const found = await venue.findTransfer(venueClientId(transfer.id));
  if (found.outcome === 'found') return concluded(deps, transfer, 'done');
  if (found.outcome === 'unknown') return transfer;
  const looks = transfer.looks + 1;
  const closed = deps.clock() > transfer.fenceClosesAt;
  if (closed && looks >= ABSENT_LOOKS_MIN) {
    return concluded(deps, transfer, 'refused', transfer.reason ?? 'the exchange never received it');
  }
  return progress(deps, { ...transfer, state: 'unknown', looks: closed ? looks : transfer.looks });
}

async function progress(deps: WalletDeps, transfer: StoredTransfer): Promise<StoredTransfer> {
  const after = { ...transfer, updatedAt: deps.clock() };
  const written = await deps.ledger.commit({ commands: [], writes: [deps.movements.updateTransfer(after)] });
  if (!written.ok) return (await deps.movements.transfer(transfer.id)) ?? transfer;
  deps.publish(after.user, { kind: 'transfer', transfer: transferRow(after) });
  return after;
}

async function ended(
  deps: WalletDeps,
  transfer: StoredTransfer,
  state: 'done' | 'refused',
  reason?: string,
): Promise<StoredTransfer> {
  const told = reason === undefined ? {} : { reason };
  const after: StoredTransfer = { ...transfer, ...told, state, updatedAt: deps.clock() };
  const hold = holdOf(transfer);
  const { amount } = transfer;
  const id = transferId('universal', transfer.id);
  const pay = {
    do: 'post-held',
    id,
    hold,
    to: target(transfer),
    amount,
    kind: 'universal-transfer',
  } as const;
  const release = { do: 'release', hold } as const;
  const booked = await deps.ledger.commit({
    commands: state === 'done' ? [pay, release] : [release],
    writes: [deps.movements.updateTransfer(after)],
  });
  if (!booked.ok) {
    deps.note('a transfer could not be booked', { id: transfer.id, refusal: booked.code });
    return (await deps.movements.transfer(transfer.id)) ?? transfer;
  }
  deps.publish(after.user, { kind: 'transfer', transfer: transferRow(after) });
  await announceWallets(deps, after.user, after.asset, after.platform);
  return after;
}

function source(transfer: StoredTransfer): AccountRef {
  return transfer.direction === DIRECTION.TO_TRADING ? funding(transfer) : trading(transfer);
}

function target(transfer: StoredTransfer): AccountRef {
  return transfer.direction === DIRECTION.TO_TRADING ? trading(transfer) : funding(transfer);
}

function funding({ user, asset }: StoredTransfer): AccountRef {
  return { class: 'FUNDING', user, asset };
}

function trading({ user, platform, asset }: StoredTransfer): AccountRef {
  return { class: 'TRADING', user, platform, asset };
}

function holdOf(transfer: StoredTransfer) {
  return holdId('universal', transfer.id);
}

function hashOf(wish: TransferWish): string {
  const text = [wish.platform, wish.direction, wish.asset, formatAmount(wish.amount)].join('\n');
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
