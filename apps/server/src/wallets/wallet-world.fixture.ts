import { randomBytes } from 'node:crypto';
import type { CallRequest, MemberCaller, Refusal, UserEvent } from '@crossbook/contract';
import {
  type Amount,
  amount,
  createLanes,
  formatAmount,
  type Millis,
  type OrderId,
  type Platform,
  type PlatformState,
  SHIPPED_REWARDS,
  shippedLimits,
  type Tier,
  type UserId,
} from '@crossbook/domain';
import type { Incident } from '../intents/intent.ts';
import { ScriptedTime } from '../main/scripted-time.fixture.ts';
import type { PostgresLedgerStore } from '../storage/ledger/ledger-store.ts';
import { createRewardStore, REFERRAL_WRITES } from '../storage/stores/members/referral-store.ts';
import { createMovementStore, MOVEMENT_WRITES } from '../storage/stores/movement-store.ts';
import type { TestDatabase } from '../storage/testing.ts';
import { UnderWay } from '../trading/under-way.fixture.ts';
import type { Custody, PaperFaucet, RewardOffer, TransferStep, VenueWallet, WalletDeps } from './ports.ts';
import { createWalletDesk, type WalletDesk } from './wallet-desk.ts';

/** The member of these tests, as a caller. */
export const CALLER: MemberCaller = {
  ...{ user: 7 as UserId, sessionId: 'x', address: '127.0.0.1', userAgent: '', origin: '' },
  ...{ language: 'en', now: 0 as Millis },
};
/** Another one. */
export const OTHER: MemberCaller = { ...CALLER, user: 8 as UserId };
/** An id that a request carries. */
export const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;

/** A venue's wallet, the operator's funds and the paper faucet as a test plays them. Platform 2 is not there unless a test opens it. */
export class World {
  readonly time = new ScriptedTime();
  readonly database: TestDatabase;
  readonly ledger: PostgresLedgerStore;
  desk: WalletDesk;
  readonly #deps: WalletDeps;
  readonly notes: string[] = [];
  readonly published: { readonly user: UserId; readonly event: UserEvent }[] = [];
  readonly asked: object[] = [];
  /** What was asked of the operator's funds, in words. */
  readonly custody: string[] = [];
  /** How often an account was asked for. */
  opening = 0;
  state: PlatformState = 'live';
  transfer: VenueWallet['transfer'] = async () => ({ outcome: 'done', venueId: '1' });
  findTransfer: VenueWallet['findTransfer'] = async () => ({ outcome: 'not-found' });
  accountOf: VenueWallet['accountOf'] = async (user) => `sub-${user}`;
  credit: PaperFaucet['credit'] = async () => 'done';
  provide: Custody['provide'] = async () => 'there';
  collect: Custody['collect'] = async () => 'done';
  platforms: readonly Platform[] = [1];
  paper = true;
  tier: Tier = 0;
  halted: Refusal | undefined;
  /** Why the member may open nothing. */
  barred: Refusal | undefined;
  crash: (step: TransferStep) => void = () => undefined;
  limitsToCome: ReadonlyMap<Tier, { readonly most: Amount; readonly from: number }> = new Map();
  offered: Awaited<ReturnType<RewardOffer['rewards']>> = { ...SHIPPED_REWARDS, next: [] };
  /** What was told to a person and is not over. */
  readonly open = new Map<OrderId, Incident>();
  readonly #work = new UnderWay();

  /** What the venue lets go; nothing stands behind positions by default. */
  withdrawable: Amount | undefined;

  constructor(database: TestDatabase, ledger = database.openLedger()) {
    this.database = database;
    this.ledger = this.#work.watched(ledger);
    this.ledger.register(MOVEMENT_WRITES);
    this.ledger.register(REFERRAL_WRITES);
    const world = this;
    const venue: VenueWallet = {
      name: 'Binance',
      get state() {
        return world.state;
      },
      accountOf: (user) => {
        this.opening += 1;
        return this.accountOf(user);
      },
      transfer: (request) => {
        this.asked.push(request);
        return this.transfer(request);
      },
      findTransfer: (clientId) => this.findTransfer(clientId),
      withdrawable: async () => this.withdrawable,
    };
    const faucet: PaperFaucet = {
      credit: (...given) => this.credit(...given),
    };
    this.#deps = {
      ...{ lanes: createLanes(), ledger: this.ledger, clock: this.time.clock, random: randomBytes },
      movements: this.#work.watched(createMovementStore(database.database)),
      rewards: this.#work.watched(createRewardStore(database.database)),
      venue: (platform: Platform) => (this.platforms.includes(platform) ? venue : undefined),
      custody: {
        provide: (move) => {
          this.custody.push(`provide ${formatAmount(move.amount)} at ${move.platform}`);
          return this.provide(move);
        },
        collect: (move) => {
          this.custody.push(`collect ${formatAmount(move.amount)} at ${move.platform}`);
          return this.collect(move);
        },
      },
      get faucet() {
        return world.paper ? faucet : undefined;
      },
      tiers: {
        tierOf: async () => this.tier,
        limits: async () => shippedLimits(this.paper ? 'paper' : 'live'),
        limitsToCome: async () => this.limitsToCome,
      },
      offer: { rewards: async () => this.offered },
      moneyGate: () => this.halted,
      openingAllowed: async () => this.barred,
      crash: (step) => this.crash(step),
      privateName: (what) => what,
      knownAsset: (asset) => asset === 'USDT' || asset === 'BTC',
      after: this.time.after,
      incidents: {
        open: (incident) => this.open.set(incident.id, incident),
        ended: (id) => this.open.delete(id),
      },
      publish: (user, event) => this.published.push({ user, event }),
      note: (event) => this.notes.push(event),
    };
    this.desk = createWalletDesk(this.#deps);
  }

  /** The process that stood there is gone: another one starts on what is written. */
  async again(): Promise<void> {
    this.crash = () => undefined;
    await this.desk.stop();
    this.desk = createWalletDesk(this.#deps);
    await this.desk.start();
  }

  testFunds(part: Partial<CallRequest<'x/paper/TestFunds'>> = {}, caller = CALLER) {
    return this.desk.handlers['x/paper/TestFunds'](caller, part);
  }

  move(part: Partial<CallRequest<'connexfunding/UniversalTransfer'>> = {}, caller = CALLER) {
    const request = { platformType: 43, direction: 1, asset: 'USDT', amount: amount('100') } as const;
    return this.desk.handlers['connexfunding/UniversalTransfer'](caller, { ...request, ...part });
  }

  history(part: Partial<CallRequest<'connexfunding/UniversalTransferHistory'>> = {}, caller = CALLER) {
    return this.desk.handlers['connexfunding/UniversalTransferHistory'](caller, { limit: 50, ...part });
  }

  /** Funding and trading of a member, held figures in brackets. */
  async owns(user: UserId = CALLER.user, platform: Platform = 1): Promise<string> {
    const [funding] = await this.ledger.fundingBalances(user);
    const [trading] = await this.ledger.tradingBalances(user, platform);
    return [funding, trading]
      .map((row) => {
        if (row === undefined) return '0';
        return row.held === 0n
          ? formatAmount(row.total)
          : `${formatAmount(row.total)}(${formatAmount(row.held)})`;
      })
      .join(' ');
  }

  /** Lets time pass half a second at a time, each until the lookups that it brought are over. */
  async pass(millis: number): Promise<void> {
    for (let passed = 0; passed < millis; passed += 500) {
      this.time.advance(500);
      await this.#work.over();
    }
  }
}

/** Waits for a condition that work in the background makes true; the test's time-out is the bound. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((next) => setTimeout(next, 2));
}
