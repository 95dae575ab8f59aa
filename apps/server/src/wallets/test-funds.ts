import { createHash } from 'node:crypto';
import {
  type CallAnswer,
  type CallRequest,
  type CallResponse,
  errorFacts,
  type MemberCaller,
  type Refusal,
  refusalText,
} from '@crossbook/contract';
import {
  type Amount,
  amount,
  formatAmount,
  type Millis,
  type OrderId,
  type Platform,
  platformFacts,
  platformOfType,
  plus,
  uuidV7,
} from '@crossbook/domain';
import { isUnjudged, transferId } from '@crossbook/ledger';
import type { IntentAnswer, IntentRules, IntentStep } from '../intents/intent.ts';
import type { IntentMachine } from '../intents/machine.ts';
import { announceWallets } from './balances.ts';
import { DIRECTION, refusal, type StoredTestFunds, type WalletDeps } from './ports.ts';
import { MOVEMENT_LOOKUPS } from './transfer-intent.ts';
import { type Moving, moveFunds, transferIsOpen, unmovableAmount } from './universal-transfer.ts';

/** What one request gives. */
export const TEST_FUNDS_AMOUNT = amount('50000');
/** Of what test funds are. */
export const TEST_FUNDS_ASSET = 'USDT';
const ASSET = TEST_FUNDS_ASSET;
/** What a member may get is counted over this time. */
export const DAY_MILLIS = 86_400_000;
const FAUCET_SHARE = 'faucet';
/**
 * Where deposits arrive, and where what lies in funding wallets waits: the default deposit exchange (decision 0014).
 */
export const DEPOSIT_PLATFORM: Platform = 1;

type TestFundsAnswer = CallAnswer<CallResponse<'x/paper/TestFunds'>>;

/** TestFunds: a deposit of paper money, and on request part of it straight to a trading wallet. */
export function testFunds(
  giving: Giving,
  caller: MemberCaller,
  request: CallRequest<'x/paper/TestFunds'>,
): Promise<TestFundsAnswer> {
  return giving.deps.lanes.run(`test-funds:${caller.user}`, () => give(giving, caller, request));
}

/** What giving test funds needs besides the ports. */
export interface Giving extends Moving {
  readonly faucet: IntentMachine<StoredTestFunds, 'done'>;
}

async function give(
  giving: Giving,
  caller: MemberCaller,
  request: CallRequest<'x/paper/TestFunds'>,
): Promise<TestFundsAnswer> {
  const { deps } = giving;
  if (deps.faucet === undefined) return refusal({ error: 'paper-only' });
  const id = request.clientId ?? uuidV7(deps.clock(), deps.random(10));
  const orderRequest = onwardRequest(request);
  if (!orderRequest.ok) return orderRequest;
  const onward = orderRequest.value;
  const payloadHash = hashOf(onward);
  const earlier = await deps.movements.testFunds(id);
  const halted = deps.moneyGate();
  if (halted !== undefined && earlier?.state !== 'done') return refusal(halted);
  const barred = earlier === undefined ? await deps.openingAllowed(caller.user) : undefined;
  if (barred !== undefined) return refusal(barred);
  if (earlier === undefined && onward !== undefined && !transferIsOpen(deps, onward)) {
    const { name } = platformFacts(onward.platform);
    return refusal({ error: 'transfer-not-open', field: 'platformType', given: name });
  }
  const begun =
    earlier ?? (await giving.faucet.inLane(id, FAUCET_SHARE, () => begin(deps, caller, id, payloadHash)));
  if ('error' in begun) return refusal(begun);
  if (begun.user !== caller.user || begun.payloadHash !== payloadHash) {
    return refusal({ error: 'client-id-reused', field: 'clientId' });
  }
  const funds = await giving.faucet.inLane(id, FAUCET_SHARE, async () => deposited(giving, begun));
  const state = funds.state === 'done' ? 'done' : 'unknown';
  const given = { asset: ASSET, amount: formatAmount(funds.amount), state } as const;
  if (onward === undefined || funds.state !== 'done')
    return { ok: true, value: { ...given, transfer: null, notMoved: null } };
  const transferId = onwardId(id);
  const moved = await moveFunds(giving, caller.user, { ...onward, id: transferId, asset: ASSET });
  if (moved.ok) return { ok: true, value: { ...given, transfer: moved.value, notMoved: null } };
  // The funds are given whatever becomes of the rest: a refusal of the call would say that nothing happened.
  const { code } = errorFacts(moved.code.error);
  const notMoved = { transferId, code, msg: refusalText(moved.code, caller.language) };
  return { ok: true, value: { ...given, transfer: null, notMoved } };
}

/** Writes the intent; a refusal when the limit of the member's tier is reached, or the ledger cannot take it now. */
async function begin(
  deps: WalletDeps,
  caller: MemberCaller,
  id: OrderId,
  payloadHash: string,
): Promise<StoredTestFunds | Refusal> {
  const now = deps.clock();
  const [used, tier, limits] = await Promise.all([
    deps.movements.testFundsSince(caller.user, (now - DAY_MILLIS) as Millis),
    deps.tiers.tierOf(caller.user),
    deps.tiers.limits(),
  ]);
  const most = limits.testFundsDayMax[tier];
  if (plus(used, TEST_FUNDS_AMOUNT) > most)
    return { error: 'test-funds-limit', allowed: `${formatAmount(most)} ${ASSET}` };
  const funds: StoredTestFunds = {
    ...{ id, user: caller.user, asset: ASSET, amount: TEST_FUNDS_AMOUNT },
    ...{ payloadHash, state: 'pending', createdAt: now, updatedAt: now },
  };
  const written = await deps.ledger.commit({ commands: [], writes: [deps.movements.insertTestFunds(funds)] });
  if (!written.ok && isUnjudged(written.code)) return { error: written.code };
  if (written.ok) return funds;
  return (await deps.movements.testFunds(id)) ?? { error: 'unavailable' };
}

/** What has become of the deposit meanwhile, or the deposit asked for now. */
async function deposited(giving: Giving, begun: StoredTestFunds): Promise<StoredTestFunds> {
  const now = (await giving.deps.movements.testFunds(begun.id)) ?? begun;
  return now.state === 'done' ? now : giving.faucet.attempt(now);
}

/** Test funds as intents: the faucet knows the id, so that asking again is harmless and needs no deadline. */
export function testFundsRules(deps: WalletDeps): IntentRules<StoredTestFunds, 'done'> {
  return {
    name: 'test funds',
    lane: (id) => `test-funds:${id}`,
    load: (id) => deps.movements.testFunds(id),
    left: () => deps.movements.movingTestFunds(),
    standing: ({ id, state, createdAt }) => ({
      ...{ id, ended: state === 'done', perhapsSent: false, taken: false, absences: 0, createdAt },
    }),
    share: () => FAUCET_SHARE,
    sending: {
      prepare: async () => ({ outcome: 'ready', ask: (funds) => askFaucet(deps, funds) }),
      mark: async (funds) => funds,
      patienceMillis: Number.POSITIVE_INFINITY,
      gaveUp: () => 'done',
    },
    find: async () => ({ outcome: 'unknown', why: 'asked for again instead' }),
    deadlineMillis: () => 0,
    absence: { lookupsMin: Number.POSITIVE_INFINITY, spanMillisMin: 0, countedFrom: 'deadline' },
    proveAbsent: async () => undefined,
    settle: (funds) => bookDeposit(deps, funds),
    unclear: async (funds) => {
      deps.note('test funds outcome unknown', { id: funds.id });
      return funds;
    },
    shownUnknown: (funds) => funds,
    evidence: ({ payloadHash: _hash, ...funds }) => ({ ...funds, amount: formatAmount(funds.amount) }),
    lookups: MOVEMENT_LOOKUPS,
  };
}

async function askFaucet(deps: WalletDeps, funds: StoredTestFunds): Promise<IntentAnswer<'done'>> {
  if (deps.moneyGate() !== undefined) return { outcome: 'unknown', why: 'no money is moved at the moment' };
  const outcome = await deps.faucet?.credit(DEPOSIT_PLATFORM, funds.asset, funds.amount, funds.id);
  return outcome === 'done'
    ? { outcome: 'proved', proof: 'done' }
    : { outcome: 'unknown', why: 'the faucet gave no clear answer' };
}

async function bookDeposit(deps: WalletDeps, funds: StoredTestFunds): Promise<IntentStep<StoredTestFunds>> {
  const done: StoredTestFunds = { ...funds, state: 'done', updatedAt: deps.clock() };
  const booked = await deps.ledger.commit({
    commands: [
      {
        do: 'post',
        id: transferId('test-funds', funds.id),
        from: { class: 'EXTERNAL', counterparty: `venue:${DEPOSIT_PLATFORM}`, asset: funds.asset },
        to: { class: 'FUNDING', user: funds.user, asset: funds.asset },
        amount: funds.amount,
        kind: 'test-funds',
      },
    ],
    writes: [deps.movements.updateTestFunds(done)],
  });
  if (!booked.ok) {
    deps.note('test funds could not be booked', { id: funds.id, refusal: booked.code });
    return { intent: funds, needsLookup: true, why: booked.code };
  }
  await announceWallets(deps, done.user, done.asset);
  return { intent: done, needsLookup: false };
}

interface Onward {
  readonly platform: Platform;
  readonly direction: typeof DIRECTION.TO_TRADING;
  readonly pocket: 'spot';
  readonly amount: Amount;
}

/** What is to go on to a trading wallet, if anything. Platform and amount mean something only together. */
function onwardRequest(
  request: CallRequest<'x/paper/TestFunds'>,
): { readonly ok: true; readonly value: Onward | undefined } | ReturnType<typeof refusal> {
  const { platformType, tradingAmount: amount } = request;
  if (platformType === undefined && amount === undefined) return { ok: true, value: undefined };
  const platform = platformType === undefined ? undefined : platformOfType(platformType)?.platform;
  if (platform === undefined || amount === undefined) {
    const field = platform === undefined ? 'platformType' : 'tradingAmount';
    return refusal({ error: 'field-invalid', field, allowed: 'platformType and tradingAmount together' });
  }
  const unmovable = unmovableAmount(platform, amount, 'tradingAmount');
  if (unmovable !== undefined) return refusal(unmovable);
  if (amount > TEST_FUNDS_AMOUNT) return refusal({ error: 'funds-insufficient', field: 'tradingAmount' });
  return { ok: true, value: { platform, direction: DIRECTION.TO_TRADING, pocket: 'spot', amount } };
}

/** The onward transfer's id, derived so that repeating the call repeats neither movement. */
function onwardId(id: OrderId): OrderId {
  return transferId('test-funds-onward', id) as string as OrderId;
}

function hashOf(onward: Onward | undefined): string {
  const text = onward === undefined ? '' : `${onward.platform}\n${formatAmount(onward.amount)}`;
  return createHash('sha256').update(text).digest('hex');
}
