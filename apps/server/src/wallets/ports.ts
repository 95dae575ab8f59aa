import type { Refusal, UserEvent } from '@crossbook/contract';
import type {
  Amount,
  Lanes,
  Millis,
  OrderId,
  Platform,
  PlatformState,
  RewardTerms,
  Tier,
  TierLimits,
  UserId,
} from '@crossbook/domain';
import type { CompanionWrite, LedgerStore } from '@crossbook/ledger';
import type { FindOutcome, Pocket, VenueTransferOutcome } from '@crossbook/venues/trading';
import type { Incidents } from '../intents/intent.ts';

/** Which way a universal transfer goes; the last two between the pockets of one platform. */
export const DIRECTION = { TO_TRADING: 1, TO_FUNDING: 2, TO_FUTURES: 3, TO_SPOT: 4 } as const;
/** One direction code. */
export type Direction = (typeof DIRECTION)[keyof typeof DIRECTION];

/** A transfer between the funding wallet and a platform's trading wallet, as it is stored. */
export interface StoredTransfer {
  readonly id: OrderId;
  readonly user: UserId;
  readonly platform: Platform;
  readonly direction: Direction;
  /** Which wallet of the platform directions 1 and 2 mean, where it has two. */
  readonly pocket: Pocket;
  readonly asset: string;
  readonly amount: Amount;
  readonly payloadHash: string;
  readonly state: 'pending' | 'done' | 'refused' | 'unknown';
  readonly reason?: string;
  /**
   * After this time a request of ours can no longer arrive, so that "not found" becomes proof. Written before anything
   * is sent: absent means that the platform was never asked.
   */
  readonly deadlineAt?: Millis;
  readonly lookups: number;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** A deposit of test funds, as it is stored. */
export interface StoredTestFunds {
  readonly id: OrderId;
  readonly user: UserId;
  readonly asset: string;
  readonly amount: Amount;
  readonly payloadHash: string;
  readonly state: 'pending' | 'done';
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** Where movements are kept. Writes travel with the ledger unit that moves the money. */
export interface MovementStore {
  transfer(id: OrderId): Promise<StoredTransfer | undefined>;
  /** Whether a transfer of the member to or from the platform has not ended. */
  transferMoving(user: UserId, platform: Platform): Promise<boolean>;
  /** Transfers that have not ended, oldest first. */
  movingTransfers(): Promise<readonly StoredTransfer[]>;
  transfers(
    user: UserId,
    page: { readonly platform?: Platform; readonly limit: number; readonly cursor?: string },
  ): Promise<{ readonly rows: readonly StoredTransfer[]; readonly next?: string }>;
  testFunds(id: OrderId): Promise<StoredTestFunds | undefined>;
  movingTestFunds(): Promise<readonly StoredTestFunds[]>;
  /** Test funds a member received or is receiving since a time. */
  testFundsSince(user: UserId, since: Millis): Promise<Amount>;
  insertTransfer(transfer: StoredTransfer): CompanionWrite;
  updateTransfer(transfer: StoredTransfer): CompanionWrite;
  insertTestFunds(funds: StoredTestFunds): CompanionWrite;
  updateTestFunds(funds: StoredTestFunds): CompanionWrite;
}

/** What wallets ask of a platform; trading implements it, `main.ts` wires it (decision 0030.29). */
export interface VenueWallet {
  readonly name: string;
  readonly state: PlatformState;
  /**
   * The id of the member's account there, made on first use; `undefined` while it cannot be made, and a time where it is
   * our own budget that does not let it be made now.
   */
  accountOf(user: UserId): Promise<string | { readonly retryAfterMillis: number } | undefined>;
  /** Moves between the master account (`undefined`) and a member's account. */
  transfer(request: {
    readonly clientId: string;
    readonly from?: string;
    readonly to?: string;
    readonly asset: string;
    readonly amount: Amount;
    readonly pocket?: Pocket;
  }): Promise<VenueTransferOutcome>;
  /**
   * What the venue lets go of an asset that stands behind open positions; `undefined` where none do, so that the
   * ledger's figure counts alone.
   */
  withdrawable(user: UserId, asset: string): Promise<Amount | undefined>;
  findTransfer(clientId: string): Promise<FindOutcome<{ readonly venueId: string }>>;
}

/** Paper money's source: credits the operator's master account at the simulated venue, once per id. */
export interface PaperFaucet {
  credit(platform: Platform, asset: string, amount: Amount, creditId: string): Promise<'done' | 'unknown'>;
}

/** An amount that must lie in, or has come to, the operator's account at a platform, because of one transfer. */
export interface CustodyMove {
  readonly platform: Platform;
  readonly asset: string;
  readonly amount: Amount;
  /** The transfer's id: whatever is asked twice for one transfer happens once. */
  readonly transfer: OrderId;
}

/**
 * Where the operator keeps what lies in funding wallets (decision 0014). A transfer to a platform is paid out of the
 * operator's account there, which must hold the amount first. Every call is safe to repeat.
 */
export interface Custody {
  /**
   * Makes sure that the operator's account at the platform holds the amount. `there`: it does, and nothing was moved
   * for it; `moved`: it was brought there for this transfer; `short`: it is not to be had, and nothing moved;
   * `unknown`: ask again.
   */
  provide(move: CustodyMove): Promise<'there' | 'moved' | 'short' | 'unknown'>;
  /** Takes an amount that came to, or was left in, the operator's account at the platform to where funding lies. */
  collect(move: CustodyMove): Promise<'done' | 'unknown'>;
}

/** A reward that is owed. */
export interface DueReward {
  /** Who traded; each is rewarded once. */
  readonly invitee: UserId;
  readonly referrer: UserId;
  readonly amount: Amount;
}

/** A member's codes and what they have earned. */
export interface ReferralSummary {
  /** The self-referral code: every member has one, fixed for ever. */
  readonly code: string;
  /** Granted by the operator, with the share that it earns in hundredths of a percent. */
  readonly kol?: { readonly code: string; readonly rateBps: number };
  readonly settled: Amount;
  readonly unsettled: Amount;
  readonly invitees: number;
}

/** Somebody whom a member brought. */
export interface StoredInvitee {
  readonly invitee: UserId;
  readonly nickname: string;
  /** With which of the member's codes. */
  readonly kind: 'self' | 'kol';
  readonly at: Millis;
  /** Absent until the first trade. */
  readonly reward?: { readonly state: 'unsettled' | 'settled'; readonly amount: Amount };
}

/** Where a list of invitees goes on: below this one, newest first. */
export type InviteePlace = UserId;

/** Rewards of referrals. */
export interface RewardStore {
  /** Writes a reward for everybody who was brought, has traded and has none. @param accrual `referrer`: only theirs. */
  accrue(accrual: {
    readonly asset: string;
    readonly base: Amount;
    /** Share of a self-referral code; a KOL code has its own. */
    readonly selfRateBps: number;
    readonly now: Millis;
    readonly referrer?: UserId;
  }): Promise<void>;
  /** Rewards accrued before a time and not paid, oldest first. */
  due(before: Millis, rowsMax: number): Promise<readonly DueReward[]>;
  /** Travels with the payment; refuses what is settled already. */
  settled(invitee: UserId, at: Millis): CompanionWrite;
  summary(user: UserId): Promise<ReferralSummary>;
  invitees(user: UserId, after: InviteePlace | undefined, rowsMax: number): Promise<readonly StoredInvitee[]>;
}

/** What a member may do by his tier; accounts know the tier, the operator sets the figures. */
export interface MemberTiers {
  tierOf(user: UserId): Promise<Tier>;
  limits(): Promise<TierLimits>;
  /** Most test funds that are set and hold later, by tier; `from` in ms. */
  limitsToCome(): Promise<ReadonlyMap<Tier, { readonly most: Amount; readonly from: number }>>;
}

/** What the hub gives for bringing others, as it is in force now, and what changes of it next. */
export interface RewardOffer {
  rewards(): Promise<RewardTerms & { readonly next: readonly NextTerm[] }>;
}

/** A field that changes later. */
export interface NextTerm {
  readonly field: string;
  readonly value: string;
  /** When it begins to hold, ms. */
  readonly from: number;
}

/** Steps of a transfer. */
export type TransferStep =
  | 'before-hold'
  | 'after-hold'
  | 'after-send'
  | 'after-answer'
  | 'before-post'
  | 'after-post';

/** Everything wallets need from outside. */
export interface WalletDeps {
  /** Told of every step, so that tests can end the process between any two. */
  readonly crash: (step: TransferStep) => void;
  /** Movements of one id, and of one member's test funds, go in turn. */
  readonly lanes: Lanes;
  readonly ledger: LedgerStore;
  readonly movements: MovementStore;
  readonly rewards: RewardStore;
  readonly tiers: MemberTiers;
  readonly offer: RewardOffer;
  readonly venue: (platform: Platform) => VenueWallet | undefined;
  readonly custody: Custody;
  /** Absent with live money. */
  readonly faucet: PaperFaucet | undefined;
  /** A name that follows from what it is for, and that nobody outside can work out. */
  readonly privateName: (what: string) => string;
  readonly knownAsset: (asset: string) => boolean;
  /** Why no money may move at the moment: asked before a movement begins or is sent, never when one is looked up. */
  readonly moneyGate: () => Refusal | undefined;
  /** Why the member may get no deposit at the moment; accounts implement it. */
  readonly openingAllowed: (user: UserId) => Promise<Refusal | undefined>;
  readonly clock: () => Millis;
  readonly random: (bytes: number) => Uint8Array;
  readonly after: (millis: number, run: () => void) => () => void;
  /** What needs a person, kept until it is over. */
  readonly incidents: Incidents;
  readonly publish: (user: UserId, event: UserEvent) => void;
  readonly note: (event: string, facts: Readonly<Record<string, unknown>>) => void;
}

/** An asset's last price in USDT. */
export interface LastPrice {
  readonly price: Amount;
  /** When the venue was asked for it. */
  readonly readAt: Millis;
}

/** Last prices by asset; USDT itself is not among them. */
export interface PriceList {
  readonly prices: ReadonlyMap<string, LastPrice>;
  /** Whether every venue has told its list since the time asked for. */
  readonly complete: boolean;
}

/**
 * Last spot prices. Lists older than `since` are read again; a venue that does not answer is waited for a few seconds at
 * most, and its last known prices stand in where no other venue has newer ones. Never rejects.
 */
export type LastPrices = (since: Millis) => Promise<PriceList>;

/** What a member holds of an asset over all wallets, and what of it moved in (above zero) or out today. */
export interface EquityHolding {
  readonly asset: string;
  readonly total: Amount;
  readonly moved: Amount;
}

/** A member's equity at 00:00 UTC as it was recorded. */
export interface EquitySnapshot {
  readonly equity: Amount;
  /** Assets that had no price then, in order. */
  readonly unpriced: readonly string[];
}

/** Where snapshots of equity are kept, beside the balances they are taken of. */
export interface EquityStore {
  /** Holdings and the day's snapshot as of one moment; `dayStart` is 00:00 UTC. */
  reading(
    user: UserId,
    dayStart: Millis,
  ): Promise<{ readonly holdings: readonly EquityHolding[]; readonly start?: EquitySnapshot }>;
  /**
   * Records the next members after `afterUser`, at most `membersMax`, that have a balance and no snapshot of the day.
   * With `complete` unset a member with an asset outside `prices` is left for later. What is there stays as it is.
   */
  record(round: {
    readonly dayStart: Millis;
    readonly now: Millis;
    readonly prices: ReadonlyMap<string, Amount>;
    readonly complete: boolean;
    readonly afterUser: UserId | 0;
    readonly membersMax: number;
  }): Promise<{ readonly lastUser?: UserId; readonly recorded: number; readonly left: number }>;
}

/** A refusal of the catalogue, as a value. */
export type Refused = { readonly ok: false; readonly code: Refusal };

/** Makes a refusal of the catalogue. */
export function refusal(code: Refusal): Refused {
  return { ok: false, code };
}
