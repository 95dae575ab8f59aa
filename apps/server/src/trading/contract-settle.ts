import { type Amount, lesser, minus, type Platform, plus, type UserId, ZERO } from '@crossbook/domain';
import {
  type AccountRef,
  type LedgerCommand,
  type OutsideParty,
  type TradingWallet,
  type TransferId,
  type TransferKind,
  transferId,
} from '@crossbook/ledger';
import { venueProfile } from '@crossbook/venues';
import type { StoredOrder } from './order.ts';

/** One movement of money that the venue made in an account: its id is the venue's own, so that it happens once. */
export interface MoneyLeg {
  readonly id: readonly (string | number)[];
  /** Above 0 received, below 0 paid. */
  readonly amount: Amount;
  readonly party: OutsideParty;
  readonly kind: TransferKind;
}

/** Whose wallet is moved, in which asset. */
export interface ContractWallet {
  readonly user: UserId;
  readonly platform: Platform;
  readonly asset: string;
}

/** What a member has free there, and what stands as a debt of the platform because it once was too little. */
export interface Means {
  readonly free: Amount;
  readonly debt: Amount;
}

/** Movements and how the debt changes by them. */
export interface Plan {
  readonly commands: readonly LedgerCommand[];
  /** Above 0: more stands as a debt than before. */
  readonly debtChange: Amount;
}

/** The wallet that stands behind contracts: the second one where the venue has two. */
export function contractWallet(platform: Platform): TradingWallet {
  return venueProfile(platform).trading.contracts.ownPocket ? 'FUTURES' : 'TRADING';
}

/** The account of it. */
export function contractAccount({ user, platform, asset }: ContractWallet): AccountRef {
  return { class: contractWallet(platform), user, platform, asset };
}

/** What a fill moves: opening pays its fee only, closing also realises. A contract itself is no asset of the ledger. */
export function fillLegs(
  order: Pick<StoredOrder, 'id' | 'platform' | 'symbol'>,
  fill: { readonly tradeId: string; readonly fee: Amount; readonly realisedPnl: Amount },
): readonly MoneyLeg[] {
  const id = (leg: string) => ['fill', order.platform, order.symbol, fill.tradeId, order.id, leg];
  return [
    { id: id('pnl'), amount: fill.realisedPnl, party: 'pnl', kind: 'realised-pnl' },
    { id: id('fee'), amount: minus(ZERO, fill.fee), party: 'venue', kind: 'trade-fee' },
  ];
}

/**
 * Movements of some legs in their order. What is received pays an earlier debt first; what is paid and not there stands
 * as a debt of the platform, so that no member is ever negative (invariant I2).
 */
export function planLegs(wallet: ContractWallet, legs: readonly MoneyLeg[], means: Means): Plan {
  const own = contractAccount(wallet);
  const outside = (party: OutsideParty): AccountRef => ({
    class: 'EXTERNAL',
    counterparty: `${party}:${wallet.platform}`,
    asset: wallet.asset,
  });
  const commands: LedgerCommand[] = [];
  let { free, debt } = means;
  for (const { id, amount, party, kind } of legs) {
    const received = amount > 0n;
    const whole = received ? amount : minus(ZERO, amount);
    const owed = received ? lesser(debt, whole) : minus(whole, lesser(free, whole));
    const moved = minus(whole, owed);
    const post = (what: string | undefined, between: readonly [AccountRef, AccountRef], value: Amount) => {
      if (value === 0n) return;
      const [from, to] = received ? between : [between[1], between[0]];
      commands.push({ do: 'post', id: idOf(id, what), from, to, amount: value, kind });
    };
    post(undefined, [outside(party), own], moved);
    post('debt', [outside(party), outside('debt')], owed);
    free = received ? plus(free, moved) : minus(free, moved);
    debt = received ? minus(debt, owed) : plus(debt, owed);
  }
  return { commands, debtChange: minus(debt, means.debt) };
}

function idOf(id: MoneyLeg['id'], part: string | undefined): TransferId {
  return part === undefined ? transferId(...id) : transferId(...id, part);
}
