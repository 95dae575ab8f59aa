import { isTransferReason, TRANSFER_REFUSED_BY_VENUE, type TransferRow } from '@crossbook/contract';
import { formatAmount, type Millis, platformFacts, venueClientId } from '@crossbook/domain';
import { type AccountRef, holdId, transferId } from '@crossbook/ledger';
import { venueProfile } from '@crossbook/venues';
import type {
  IntentAnswer,
  IntentDoubt,
  IntentFinding,
  IntentRules,
  IntentStep,
  LookupTimes,
  ReadyToSend,
} from '../intents/intent.ts';
import { reasonOfRefusal } from '../intents/venue-refusal.ts';
import { announceWallets } from './balances.ts';
import {
  type CustodyMove,
  DIRECTION,
  type StoredTransfer,
  type VenueWallet,
  type WalletDeps,
} from './ports.ts';

/** How long a transfer that could not be asked for yet is tried again. */
const NOT_NOW_MILLIS_MAX = 60_000;

/** Transfers that have not ended are looked up every two seconds, one after the other at each platform. */
export const MOVEMENT_LOOKUPS: LookupTimes = {
  firstMillis: [2_000],
  thenMillis: 2_000,
  atOnceMax: { fresh: 1, old: 1 },
};

/** How a platform decided. `nothingProvided`: the operator's funds were not touched for it. */
export interface TransferProof {
  readonly state: 'done' | 'refused';
  readonly reason?: string;
  readonly nothingProvided?: true;
}

/** Transfers as intents: one that was certainly never sent goes out again, and one that was is only looked for. */
export function transferRules(deps: WalletDeps): IntentRules<StoredTransfer, TransferProof> {
  return {
    name: 'transfer',
    lane: (id) => `transfer:${id}`,
    load: (id) => deps.movements.transfer(id),
    left: () => deps.movements.movingTransfers(),
    standing: (transfer) => ({
      id: transfer.id,
      ended: transfer.state === 'done' || transfer.state === 'refused',
      perhapsSent: transfer.deadlineAt !== undefined,
      taken: false,
      absences: transfer.lookups,
      createdAt: transfer.createdAt,
      ...(transfer.deadlineAt === undefined ? {} : { deadlineAt: transfer.deadlineAt }),
    }),
    share: transferShare,
    sending: {
      prepare: (transfer) => provided(deps, transfer),
      mark: (transfer, deadlineAt, why) => marked(deps, transfer, deadlineAt, why),
      patienceMillis: NOT_NOW_MILLIS_MAX,
      gaveUp: (why) => ({ state: 'refused', reason: why }),
    },
    find: (transfer) => find(deps, transfer),
    deadlineMillis: ({ platform }) => venueProfile(platform).trading.transferDeadlineMillis,
    // Lookups that must find nothing, after the deadline, before a transfer counts as never made.
    absence: { lookupsMin: 5, spanMillisMin: 0, countedFrom: 'deadline' },
    proveAbsent: async ({ reason }) => ({
      state: 'refused',
      reason: reason ?? 'the exchange never received it',
    }),
    settle: (transfer, proof) => concluded(deps, transfer, proof),
    unclear: (transfer, doubt) => unclear(deps, transfer, doubt),
    shownUnknown: (transfer) => ({ ...transfer, state: 'unknown' }),
    evidence: ({ payloadHash: _hash, ...transfer }) => ({
      ...transfer,
      amount: formatAmount(transfer.amount),
    }),
    lookups: MOVEMENT_LOOKUPS,
  };
}

/** Lookups of one platform go in turn. */
export function transferShare({ platform }: Pick<StoredTransfer, 'platform'>): string {
  return `transfers at ${platform}`;
}

/** Why it was refused, as its owner may read it: an exchange's own words and what lookups met stay here. */
function reasonOf({ state, reason }: StoredTransfer): string | null {
  if (reason !== undefined && isTransferReason(reason)) return reason;
  return state === 'refused' ? TRANSFER_REFUSED_BY_VENUE : null;
}

/** A transfer as its owner sees it. */
export function transferRow(transfer: StoredTransfer): TransferRow {
  return {
    transferId: transfer.id,
    platformType: platformFacts(transfer.platform).platformType,
    direction: transfer.direction,
    tinstType: transfer.pocket === 'futures' ? 2 : 1,
    asset: transfer.asset,
    amount: formatAmount(transfer.amount),
    state: transfer.state,
    reason: reasonOf(transfer),
    createdAt: transfer.createdAt,
    updatedAt: transfer.updatedAt,
    expectedAt: null,
  };
}

/** The wallet that a transfer's money is held in. */
export function sourceOf(transfer: Moved): AccountRef {
  return endsOf(transfer)[0];
}

/** The hold of a transfer. */
export function holdOf({ id }: Pick<StoredTransfer, 'id'>) {
  return holdId('universal', id);
}

/** What tells between which wallets a transfer goes. */
type Moved = Pick<StoredTransfer, 'user' | 'platform' | 'asset' | 'direction' | 'pocket'>;

function endsOf({
  user,
  platform,
  asset,
  direction,
  pocket,
}: Moved): readonly [from: AccountRef, to: AccountRef] {
  const funding = { class: 'FUNDING', user, asset } as const;
  const spot = { class: 'TRADING', user, platform, asset } as const;
  const futures = { class: 'FUTURES', user, platform, asset } as const;
  const trading = pocket === 'futures' ? futures : spot;
  switch (direction) {
    case DIRECTION.TO_TRADING:
      return [funding, trading];
    case DIRECTION.TO_FUNDING:
      return [trading, funding];
    case DIRECTION.TO_FUTURES:
      return [spot, futures];
    case DIRECTION.TO_SPOT:
      return [futures, spot];
  }
}

function custodyMove({ platform, asset, amount, id }: StoredTransfer): CustodyMove {
  return { platform, asset, amount, transfer: id };
}

/** The member's account is there, and the operator's account at the platform holds what is to be paid out of it. */
async function provided(
  deps: WalletDeps,
  transfer: StoredTransfer,
): Promise<ReadyToSend<StoredTransfer, TransferProof> | IntentAnswer<TransferProof>> {
  // What was never sent waits for the gate.
  if (deps.moneyGate() !== undefined) return { outcome: 'unknown', why: 'no money is moved at the moment' };
  const venue = deps.venue(transfer.platform);
  const account = await venue?.accountOf(transfer.user);
  const message = 'no account at the exchange';
  if (venue === undefined || account === undefined) return { outcome: 'not-sent', why: message };
  if (typeof account !== 'string')
    return { outcome: 'not-sent', why: reasonOfRefusal({ message, ...account }) };
  const ready = {
    outcome: 'ready',
    ask: (sent: StoredTransfer) => ask(deps, venue, { account, transfer: sent }),
  } as const;
  // Only what comes from funding must be brought to the platform first.
  if (transfer.direction !== DIRECTION.TO_TRADING) return ready;
  const there = await deps.custody.provide(custodyMove(transfer));
  if (there === 'unknown') return { outcome: 'unknown', why: `funds at ${venue.name} are not certain` };
  if (there !== 'short') return ready;
  const reason = `the service does not have enough ${transfer.asset} at ${venue.name} at the moment`;
  return { outcome: 'proved', proof: { state: 'refused', reason, nothingProvided: true } };
}

/** The deadline counts from the moment of sending, and is written before it. */
async function marked(
  deps: WalletDeps,
  transfer: StoredTransfer,
  deadlineAt: Millis,
  reason?: string,
): Promise<StoredTransfer> {
  const why = reason === undefined ? {} : { reason };
  const after: StoredTransfer = { ...transfer, ...why, deadlineAt, updatedAt: deps.clock() };
  const written = await deps.ledger.commit({ commands: [], writes: [deps.movements.updateTransfer(after)] });
  if (!written.ok) throw new Error(`transfer ${transfer.id}: deadline not written: ${written.code}`);
  return after;
}

async function ask(
  deps: WalletDeps,
  venue: VenueWallet,
  { account, transfer }: { readonly account: string; readonly transfer: StoredTransfer },
): Promise<IntentAnswer<TransferProof>> {
  const { id, asset, amount } = transfer;
  const sides = sidesOf(transfer, account);
  const asked = venue.transfer({ clientId: venueClientId(id), ...sides, asset, amount });
  deps.crash('after-send');
  const outcome = await asked;
  deps.crash('after-answer');
  if (outcome.outcome === 'not-now')
    return { outcome: 'not-sent', why: reasonOfRefusal({ message: 'the exchange is too busy', ...outcome }) };
  if (outcome.outcome === 'unknown') return outcome;
  if (outcome.outcome === 'done') return { outcome: 'proved', proof: { state: 'done' } };
  return { outcome: 'proved', proof: { state: 'refused', reason: reasonOfRefusal(outcome) } };
}

/** Whose account is which side, and which pocket of it; between two pockets it is that where the money goes. */
function sidesOf({ direction, pocket }: StoredTransfer, account: string) {
  const futures = pocket === 'futures' ? ({ pocket } as const) : {};
  switch (direction) {
    case DIRECTION.TO_TRADING:
      return { to: account, ...futures };
    case DIRECTION.TO_FUNDING:
      return { from: account, ...futures };
    case DIRECTION.TO_FUTURES:
      return { from: account, to: account, pocket: 'futures' as const };
    case DIRECTION.TO_SPOT:
      return { from: account, to: account, pocket: 'spot' as const };
  }
}

async function find(deps: WalletDeps, transfer: StoredTransfer): Promise<IntentFinding<TransferProof>> {
  const venue = deps.venue(transfer.platform);
  if (venue === undefined) return { outcome: 'unknown', why: 'the exchange is not there' };
  const found = await venue.findTransfer(venueClientId(transfer.id));
  if (found.outcome === 'found') return { outcome: 'proved', proof: { state: 'done' } };
  return found.outcome === 'not-found' ? { outcome: 'absent' } : found;
}

/** How the venue decided is certain: first the operator's funds go where they belong, then it is booked. */
async function concluded(
  deps: WalletDeps,
  transfer: StoredTransfer,
  { state, reason, nothingProvided }: TransferProof,
): Promise<IntentStep<StoredTransfer>> {
  const reported = reason === undefined ? transfer : { ...transfer, reason };
  if (nothingProvided === true || (await custodyInOrder(deps, transfer, state))) {
    return ended(deps, { ...reported, state });
  }
  const why = 'funds of the operator are not where they belong yet';
  return { intent: await written(deps, reportedOnce(deps, reported, why)), needsLookup: true, why };
}

/** Collects what came to the operator's account: from the member, or provided for a transfer that was refused. */
async function custodyInOrder(
  deps: WalletDeps,
  transfer: StoredTransfer,
  state: 'done' | 'refused',
): Promise<boolean> {
  const { TO_TRADING, TO_FUNDING } = DIRECTION;
  const toTrading = transfer.direction === TO_TRADING;
  // Between the pockets of a member nothing of the operator's moves.
  if (!toTrading && transfer.direction !== TO_FUNDING) return true;
  if (toTrading === (state === 'done')) return true;
  const move = custodyMove(transfer);
  if (toTrading) {
    // Asked again, so that it is certain whether there is anything to take back.
    const there = await deps.custody.provide(move);
    if (there !== 'moved') return there !== 'unknown';
  }
  return (await deps.custody.collect(move)) === 'done';
}

function unclear(deps: WalletDeps, transfer: StoredTransfer, doubt: IntentDoubt): Promise<StoredTransfer> {
  const { deadlineAt: _before, ...rest } = reportedOnce(deps, transfer, doubt.why);
  const deadline = doubt.deadlineAt === undefined ? {} : { deadlineAt: doubt.deadlineAt };
  return written(deps, { ...rest, ...deadline, lookups: doubt.absences });
}

/** The transfer as unknown; the operator is told when it becomes so, not at every lookup. */
function reportedOnce(deps: WalletDeps, transfer: StoredTransfer, why: string): StoredTransfer {
  if (transfer.state !== 'unknown') deps.note('transfer outcome unknown', { id: transfer.id, why });
  return { ...transfer, state: 'unknown' };
}

async function written(deps: WalletDeps, transfer: StoredTransfer): Promise<StoredTransfer> {
  const after = { ...transfer, updatedAt: deps.clock() };
  const stored = await deps.ledger.commit({ commands: [], writes: [deps.movements.updateTransfer(after)] });
  if (!stored.ok) return (await deps.movements.transfer(transfer.id)) ?? transfer;
  deps.publish(after.user, { kind: 'transfer', transfer: transferRow(after) });
  return after;
}

async function ended(deps: WalletDeps, decided: StoredTransfer): Promise<IntentStep<StoredTransfer>> {
  const after = { ...decided, updatedAt: deps.clock() };
  const { id, amount } = after;
  const hold = holdOf(after);
  const paid = { id: transferId('universal', id), to: endsOf(after)[1], amount } as const;
  const pay = { do: 'post-held', hold, ...paid, kind: 'universal-transfer' } as const;
  const release = { do: 'release', hold } as const;
  deps.crash('before-post');
  const booked = await deps.ledger.commit({
    commands: after.state === 'done' ? [pay, release] : [release],
    writes: [deps.movements.updateTransfer(after)],
  });
  deps.crash('after-post');
  if (!booked.ok) {
    deps.note('a transfer could not be booked', { id, refusal: booked.code });
    return { intent: (await deps.movements.transfer(id)) ?? after, needsLookup: true, why: booked.code };
  }
  deps.publish(after.user, { kind: 'transfer', transfer: transferRow(after) });
  await announceWallets(deps, after.user, after.asset, after.platform);
  return { intent: after, needsLookup: false };
}
