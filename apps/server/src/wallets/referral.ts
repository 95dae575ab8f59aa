import type { CallAnswer, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import { amount, divDown, formatAmount, type Millis, type UserId, ZERO } from '@crossbook/domain';
import { type LedgerCommit, transferId } from '@crossbook/ledger';
import { announceWallets } from './balances.ts';
import { type DueReward, refusal, type WalletDeps } from './ports.ts';
import { DEPOSIT_PLATFORM } from './test-funds.ts';

/**
 * Rewards for bringing members (decision 0030.9). This hub charges no commission that could be shared, so only paper
 * money pays them: a promotion on the first trade of who was brought, of which the code's rate is earned. What both are the
 * operator sets; it is read each time that something is earned or shown.
 */

const ASSET = 'USDT';
/** What the faucet brings into the promo account on one day, and so the most that is paid out of new money. */
export const PROMO_DAY_MAX = amount('1000');

const DAY_MILLIS = 86_400_000;
const LOOK_EVERY_MILLIS = 3_600_000;
const REWARDS_AT_ONCE_MAX = 500;
const SHOWN_LETTERS = 2;

type InviteAnswer = CallAnswer<CallResponse<'invite/namuinvitereward'>>;

/** Rewards of the hub: what members read, and the daily payment. */
export interface ReferralRewards {
  answer(caller: MemberCaller, request: CallRequest<'invite/namuinvitereward'>): Promise<InviteAnswer>;
  /** Whether what is due has met a promo account that could not pay, and waits. */
  starved(): boolean;
  /** Writes down what was earned so far, by what holds now. */
  accrue(): Promise<void>;
  /** Pays what was earned before today, as far as the promo account goes. Never rejects: what goes wrong is noted. */
  settle(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

function rateOf(bps: number): string {
  return formatAmount(divDown(amount(String(bps)), amount('10000')));
}

/** `Trader-K7QX` is shown as `Tr***`: enough to recognise a friend, too little to find a stranger. */
function masked(nickname: string): string {
  return `${[...nickname].slice(0, SHOWN_LETTERS).join('')}***`;
}

async function answer(
  deps: WalletDeps,
  caller: MemberCaller,
  { limit, cursor }: CallRequest<'invite/namuinvitereward'>,
  starved: boolean,
): Promise<InviteAnswer> {
  if (cursor !== undefined && !/^[0-9]{1,9}$/.test(cursor)) {
    return refusal({ error: 'field-invalid', field: 'cursor', allowed: 'the "next" of the page before' });
  }
  const pays = deps.faucet !== undefined;
  const { firstTrade, selfRateBps, next: later } = await deps.offer.rewards();
  if (pays) await accrue(deps, caller.user);
  const { code, kol, settled, unsettled, invitees } = await deps.rewards.summary(caller.user);
  const after = cursor === undefined ? undefined : (Number(cursor) as UserId);
  const found = await deps.rewards.invitees(caller.user, after, limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const next = found.length > limit && last !== undefined ? { next: String(last.invitee) } : {};
  return {
    ok: true,
    value: {
      ...{ settled: formatAmount(settled), unsettled: formatAmount(unsettled), invitees },
      self: { code, rate: rateOf(selfRateBps) },
      kol: kol === undefined ? null : { code: kol.code, rate: rateOf(kol.rateBps) },
      late: starved && unsettled > ZERO,
      paysFor: pays ? formatAmount(firstTrade) : null,
      later: pays ? [...later] : [],
      rows: rows.map(({ at, nickname, kind, reward }) => ({
        ...{ at, invitee: masked(nickname), kind, asset: ASSET, state: reward?.state ?? 'invited' },
        amount: reward === undefined ? null : formatAmount(reward.amount),
      })),
      ...next,
    },
  };
}

async function accrue(deps: WalletDeps, referrer?: UserId): Promise<void> {
  const { firstTrade: base, selfRateBps } = await deps.offer.rewards();
  await deps.rewards.accrue({
    ...{ asset: ASSET, base, selfRateBps, now: deps.clock() },
    ...(referrer === undefined ? {} : { referrer }),
  });
}

/** Pays one reward out of the promo account, once: the movement's id is made of who was brought. */
function pay(deps: WalletDeps, { invitee, referrer, amount: owed }: DueReward): Promise<LedgerCommit> {
  return deps.ledger.commit({
    commands: [
      {
        do: 'post',
        id: transferId('referral-reward', invitee),
        from: { class: 'HOUSE_PROMO', asset: ASSET },
        to: { class: 'FUNDING', user: referrer, asset: ASSET },
        ...{ amount: owed, kind: 'referral-reward' },
      },
    ],
    writes: [deps.rewards.settled(invitee, deps.clock())],
  });
}

/** Brings the day's paper money into the promo account, once a day however often it is asked. */
async function fund(deps: WalletDeps): Promise<boolean> {
  const id = transferId('promo-funding', Math.floor(deps.clock() / DAY_MILLIS));
  const credited = await deps.faucet?.credit(DEPOSIT_PLATFORM, ASSET, PROMO_DAY_MAX, id);
  if (credited !== 'done') return false;
  const booked = await deps.ledger.commit({
    commands: [
      {
        ...{ do: 'post', id, amount: PROMO_DAY_MAX, kind: 'promo-funding' },
        from: { class: 'EXTERNAL', counterparty: `venue:${DEPOSIT_PLATFORM}`, asset: ASSET },
        to: { class: 'HOUSE_PROMO', asset: ASSET },
      },
    ],
  });
  return booked.ok && !booked.value.replayed;
}

/** @returns whether rewards wait because the promo account could not pay. */
async function settleDue(deps: WalletDeps): Promise<boolean> {
  if (deps.faucet === undefined || deps.moneyGate() !== undefined) return false;
  await accrue(deps);
  const today = (Math.floor(deps.clock() / DAY_MILLIS) * DAY_MILLIS) as Millis;
  for (const reward of await deps.rewards.due(today, REWARDS_AT_ONCE_MAX)) {
    if (deps.moneyGate() !== undefined) return false;
    let paid = await pay(deps, reward);
    if (!paid.ok && paid.code === 'insufficient-funds' && (await fund(deps))) paid = await pay(deps, reward);
    if (!paid.ok) {
      deps.note('rewards wait: the promo account could not pay', {
        refusal: paid.code,
        ...evidenceOf(reward),
      });
      return paid.code === 'insufficient-funds';
    }
    await announceWallets(deps, reward.referrer, ASSET);
  }
  return false;
}

function evidenceOf({ amount: owed, ...reward }: DueReward): Readonly<Record<string, unknown>> {
  return { ...reward, amount: formatAmount(owed) };
}

/** Puts rewards together. */
export function createReferralRewards(deps: WalletDeps): ReferralRewards {
  let working: Promise<void> = Promise.resolve();
  let starved = false;
  let stop: () => void = () => undefined;
  const settle = (): Promise<void> => {
    working = working.then(async () => {
      try {
        starved = await settleDue(deps);
      } catch (error) {
        deps.note('rewards could not be settled', { error });
      }
    });
    return working;
  };
  const again = (): void => {
    stop = deps.after(LOOK_EVERY_MILLIS, () => {
      void settle();
      again();
    });
  };
  return {
    answer: (caller, request) => answer(deps, caller, request, starved),
    starved: () => starved,
    accrue: async () => (deps.faucet === undefined ? undefined : accrue(deps)),
    settle,
    start() {
      void settle();
      again();
    },
    async stop() {
      stop();
      await working;
    },
  };
}
