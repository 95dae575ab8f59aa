import type { UserEvent } from '@crossbook/contract';
import { amount, createLanes, type Millis, type Platform, type UserId, ZERO } from '@crossbook/domain';
import type { Config } from '../config.ts';
import type { HttpLog } from '../http/call-routes.ts';
import { createIncidentBook } from '../intents/incident-book.ts';
import { MoneyGate } from '../money-gate/money-gate.ts';
import { createLedgerChecks } from '../storage/ledger/ledger-check.ts';
import { PostgresLedgerStore } from '../storage/ledger/ledger-store.ts';
import type { Database } from '../storage/postgres/database.ts';
import { createRewardStore, REFERRAL_WRITES } from '../storage/stores/members/referral-store.ts';
import { createMoneyGateStore } from '../storage/stores/money-gate-store.ts';
import { createMovementStore, MOVEMENT_WRITES } from '../storage/stores/movement-store.ts';
import { createSeal } from '../storage/stores/seal.ts';
import { ALGO_WRITES, createAlgoStore } from '../storage/stores/trading/algo-store.ts';
import { CONTRACT_WRITES, createContractStore } from '../storage/stores/trading/contract-store.ts';
import { createCountdownStore } from '../storage/stores/trading/countdown-store.ts';
import {
  createIncidentStore,
  createOperatorStore,
  OPERATOR_WRITES,
} from '../storage/stores/trading/operator-store.ts';
import { createOrderStore, TRADING_WRITES } from '../storage/stores/trading/trading-store.ts';
import { createVenueAccountStore } from '../storage/stores/venue-account-store.ts';
import { createBalanceUpdates } from '../trading/accounts/balance-updates.ts';
import { rememberVenueAccounts } from '../trading/accounts/remembered-accounts.ts';
import { createTradingDesk, type TradingDesk } from '../trading/desk.ts';
import type { KnownInstruments } from '../trading/known-instruments.ts';
import { countOpenOrders } from '../trading/orders/open-orders.ts';
import type { AbsenceProof } from '../trading/orders/order-intent.ts';
import type { CrashPoint, MarketView, TradingDeps } from '../trading/ports.ts';
import type { Custody, MemberTiers, PaperFaucet, RewardOffer, VenueWallet } from '../wallets/ports.ts';
import { DEPOSIT_PLATFORM } from '../wallets/test-funds.ts';
import { createWalletDesk, type WalletDesk } from '../wallets/wallet-desk.ts';
import { composeEquity, type EquityPart } from './equity.ts';
import { incidentMail, type OperatorMail } from './mail/incident-mail.ts';
import { mayOpenContracts } from './member-tiers.ts';
import { operatorCustody } from './operator-custody.ts';
import { timers } from './outside/outside.ts';
import { paperCustody, paperFaucet } from './venues/simulator-admin.ts';
import type { OpenVenue } from './venues/venues.ts';

/** What moves money: the ledger, trading and wallets, and the gate that stops them when the ledger is broken. */
export interface MoneyPart {
  readonly trading: TradingDesk;
  readonly wallets: WalletDesk;
  readonly equity: EquityPart;
  readonly ledger: PostgresLedgerStore;
  readonly gate: MoneyGate;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What the money part is made of. */
export interface MoneyParts {
  readonly config: Config;
  readonly database: Database;
  readonly masterKey: Uint8Array;
  readonly privateName: (what: string) => string;
  readonly venues: ReadonlyMap<Platform, OpenVenue>;
  /** What was listed once. */
  readonly known: KnownInstruments;
  readonly clock: () => Millis;
  readonly random: (bytes: number) => Uint8Array;
  readonly log: HttpLog;
  readonly publish: (user: UserId, event: UserEvent) => void;
  readonly heard: (user: UserId) => boolean;
  readonly tiers: MemberTiers;
  readonly openingAllowed: TradingDeps['openingAllowed'];
  readonly offer: RewardOffer;
  /** Sends a mail to the operator, where there is an address. */
  readonly tellOperator: (mail: OperatorMail) => Promise<void>;
  /** For tests that kill the process at a named point of an order's life. */
  readonly crash?: (point: CrashPoint) => void;
  readonly proof?: AbsenceProof;
}

/** Puts the money part together. */
export function composeMoney(parts: MoneyParts): MoneyPart {
  const { database, venues, clock, random, log, publish, heard, openingAllowed } = parts;
  const ledger = openLedger(database);
  const incidents = createIncidentBook({
    store: createIncidentStore(database),
    clock,
    log: (event, facts) => log.error(facts, event),
    tell: async (incident) => parts.tellOperator(incidentMail(incident)),
  });
  const gate = new MoneyGate({
    store: createMoneyGateStore(database),
    checks: createLedgerChecks(database),
    uptimeMillis: () => performance.now(),
    pause: timers.pause,
    log,
  });

  const note = (event: string, facts: Readonly<Record<string, unknown>>): void => log.warn(facts, event);
  const counted = countOpenOrders({ orders: createOrderStore(database), ledger });
  const trading = createTradingDesk(
    {
      ...counted,
      contracts: createContractStore(database),
      ...{ algos: createAlgoStore(database), countdowns: createCountdownStore(database) },
      equity: equityOf(() => equity),
      balances: createBalanceUpdates({ ledger, publish, heard, note }),
      orderAgeMillisMax: parts.config.orderAgeMillisMax,
      accounts: rememberVenueAccounts(createVenueAccountStore(database, createSeal(parts.masterKey)), clock),
      market: marketView(venues, parts.known),
      transferMoving: (owner) => wallets.transferMoving(owner),
      venue: (platform) => venues.get(platform)?.desk,
      ...{ clock, random, timers, publish, openingAllowed },
      crash: parts.crash ?? (() => undefined),
      log: {
        note,
        incident: (event, facts) => log.error(facts, `incident: ${event}`),
      },
      ...{ moneyGate: gate.refusal, mayOpenContracts: mayOpenContracts(parts.config, parts.tiers) },
      incidents,
      operator: { store: createOperatorStore(database), realMoney: parts.config.money === 'live' },
    },
    parts.proof,
  );

  const wallets: WalletDesk = createWalletDesk({
    ledger,
    ...{ lanes: createLanes(), tiers: parts.tiers, offer: parts.offer },
    movements: createMovementStore(database),
    rewards: createRewardStore(database),
    venue: (platform) => venueWallet(venues.get(platform), trading),
    custody: custodyOf(parts.config, venues),
    faucet: faucetOf(parts.config),
    knownAsset: (asset) => isKnownAsset(venues, asset),
    ...{ clock, random, publish, moneyGate: gate.refusal, privateName: parts.privateName },
    ...{ openingAllowed, after: timers.after, crash: parts.crash ?? (() => undefined) },
    incidents,
    note: (event, facts) => log.warn(facts, event),
  });

  const equity = composeEquity({
    ...{ config: parts.config, database, venues, clock },
    note: (event, facts) => log.warn(facts, event),
  });

  return {
    trading,
    wallets,
    equity,
    ledger,
    gate,
    async start() {
      await gate.start();
      await incidents.start();
      await trading.start();
      await wallets.start();
    },
    async stop() {
      await equity.stop();
      await wallets.stop();
      await trading.stop();
      await incidents.idle();
      await gate.stop();
      await ledger.close();
    },
  };
}

/** The ledger with the rows of all features that commit with it. */
function openLedger(database: Database): PostgresLedgerStore {
  const ledger = new PostgresLedgerStore(database);
  const all = [
    TRADING_WRITES,
    ALGO_WRITES,
    CONTRACT_WRITES,
    MOVEMENT_WRITES,
    REFERRAL_WRITES,
    OPERATOR_WRITES,
  ];
  for (const writes of all) {
    ledger.register(writes);
  }
  return ledger;
}

/** Equity as trading asks for it. */
function equityOf(desk: () => EquityPart): TradingDeps['equity'] {
  return async (caller) => {
    const answer = await desk().handlers['x/wallet/Equity'](caller, {});
    return answer.ok ? amount(answer.value.equity) : ZERO;
  };
}

function paperAdmin(config: Config): string | undefined {
  return config.money === 'paper' ? config.simulator?.admin : undefined;
}

function faucetOf(config: Config): PaperFaucet | undefined {
  const admin = paperAdmin(config);
  return admin === undefined ? undefined : paperFaucet(admin);
}

function custodyOf(config: Config, venues: ReadonlyMap<Platform, OpenVenue>): Custody {
  const admin = paperAdmin(config);
  return admin === undefined
    ? operatorCustody((platform) => venues.get(platform)?.desk)
    : paperCustody(admin, DEPOSIT_PLATFORM);
}

function marketView(venues: ReadonlyMap<Platform, OpenVenue>, known: KnownInstruments): MarketView {
  return {
    instrument: (platform, symbolType, symbol) =>
      venues.get(platform)?.markets.of(symbolType)?.listing.find(symbol) ??
      known.find(platform, symbolType, symbol),
    instruments(platform) {
      const listed = (['SPOT', 'SWAP'] as const).flatMap(
        (symbolType) => venues.get(platform)?.markets.of(symbolType)?.listing.all() ?? [],
      );
      return [...listed, ...known.gone(platform, listed)];
    },
    best: async (platform, symbolType, symbol) => venues.get(platform)?.markets.of(symbolType)?.best(symbol),
    mark: async (platform, symbol) => venues.get(platform)?.markets.of('SWAP')?.mark(symbol),
  };
}

/** USDT, and whatever is traded somewhere. */
function isKnownAsset(venues: ReadonlyMap<Platform, OpenVenue>, asset: string): boolean {
  if (asset === 'USDT') return true;
  return [...venues.values()].some(({ market }) => market.listing.all().some((row) => row.base === asset));
}

/** A platform as wallets see it: trading owns the member's account there (decision 0030.29). */
function venueWallet(venue: OpenVenue | undefined, trading: TradingDesk): VenueWallet | undefined {
  if (venue === undefined) return undefined;
  const { desk } = venue;
  return {
    name: desk.name,
    get state() {
      return desk.state;
    },
    async accountOf(user) {
      const account = await trading.venueAccount(user, desk.platform);
      if (account.state === 'ready') return account.accountId;
      const { retryAfterMillis } = account;
      return retryAfterMillis === undefined ? undefined : { retryAfterMillis };
    },
    transfer: (request) => desk.trading.transfer(desk.master, request),
    findTransfer: (clientId) => desk.trading.findTransfer(desk.master, clientId),
    withdrawable: (user, asset) => trading.withdrawable({ user, platform: desk.platform }, asset),
  };
}
