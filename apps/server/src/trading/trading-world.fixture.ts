import { randomBytes } from 'node:crypto';
import type { MemberCaller, Refusal, UserEvent } from '@crossbook/contract';
import {
  AMOUNT_ONE,
  type Amount,
  amount,
  formatAmount,
  type Instrument,
  type Millis,
  ORDER_STATUS,
  ORDER_TYPE,
  type OrderId,
  type OrderStatus,
  type Platform,
  type PlatformState,
  SIDE,
  TIME_IN_FORCE,
  type UserId,
  uuidV7,
  type VenueFill,
  type VenueOrderId,
  type VenueOrderState,
  type VenueTradeId,
  venueClientId,
} from '@crossbook/domain';
import { type AccountRef, type HoldState, holdId, transferId, type WalletBalance } from '@crossbook/ledger';
import type { Incident } from '../intents/intent.ts';
import { ScriptedTime } from '../main/scripted-time.fixture.ts';
import type { PostgresLedgerStore } from '../storage/ledger/ledger-store.ts';
import { createSeal } from '../storage/stores/seal.ts';
import { ALGO_WRITES, createAlgoStore } from '../storage/stores/trading/algo-store.ts';
import { CONTRACT_WRITES, createContractStore } from '../storage/stores/trading/contract-store.ts';
import { createCountdownStore } from '../storage/stores/trading/countdown-store.ts';
import { createOperatorStore, OPERATOR_WRITES } from '../storage/stores/trading/operator-store.ts';
import { createOrderStore, TRADING_WRITES } from '../storage/stores/trading/trading-store.ts';
import { createVenueAccountStore } from '../storage/stores/venue-account-store.ts';
import { openTestDatabase, type TestDatabase } from '../storage/testing.ts';
import { createBalanceUpdates } from './accounts/balance-updates.ts';
import { rememberVenueAccounts } from './accounts/remembered-accounts.ts';
import { createTradingDesk, type TradingDesk } from './desk.ts';
import type { OperatorStore } from './operator-store.ts';
import type { CheckedOrder, OrderDraft, StoredOrder } from './order.ts';
import { type CountedOrders, countOpenOrders } from './orders/open-orders.ts';
import type { AbsenceProof } from './orders/order-intent.ts';
import { reserve } from './orders/reserve.ts';
import { riskChecked } from './orders/risk-checks.ts';
import type { CrashPoint, OrderStore, TradingDeps, VenueAccountStore } from './ports.ts';
import { ScriptedVenue } from './scripted-venue.fixture.ts';
import { UnderWay } from './under-way.fixture.ts';

/** BTC at a tenth of a dollar's step, roomy bounds. */
export const BTCUSDT: Instrument = {
  platform: 1,
  symbolType: 'SPOT',
  symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
  tickSize: amount('0.1'),
  lotSize: amount('0.001'),
  minPrice: amount('1'),
  maxPrice: amount('1000000'),
  minQty: amount('0.001'),
  maxQty: amount('1000'),
  maxMarketQty: amount('100'),
  minNotional: amount('5'),
  contractValue: AMOUNT_ONE as Amount,
  maxLeverage: 1,
  status: 'trading',
};

/** The contract of the same name. */
export const BTCUSDT_PERP: Instrument = { ...BTCUSDT, symbolType: 'SWAP', maxLeverage: 125 };

const member = 7 as UserId;

/** The member of these tests, as a caller. */
export const CALLER: MemberCaller = {
  user: member,
  sessionId: 'x',
  address: '127.0.0.1',
  userAgent: '',
  origin: '',
  language: 'en',
  now: new ScriptedTime().clock(),
};

/** What a venue says of an order. */
export function stateOf(
  order: Pick<StoredOrder, 'id' | 'symbol'>,
  status: OrderStatus,
  cumulative: string,
  venueOrderId = '1',
): VenueOrderState {
  return {
    clientId: venueClientId(order.id),
    venueOrderId: venueOrderId as VenueOrderId,
    symbol: order.symbol,
    status,
    cumulativeQuantity: amount(cumulative),
    cumulativeQuote: amount('0'),
    time: 1 as Millis,
  };
}

/** A fill at 100 with a fee of a thousandth in BTC. */
export function fillOf(id: number, quantity: string, part: Partial<VenueFill> = {}): VenueFill {
  const base = amount(quantity);
  return {
    tradeId: String(id) as VenueTradeId,
    venueOrderId: '1' as VenueOrderId,
    price: amount('100'),
    quantity: base,
    quoteQuantity: (base * 100n) as Amount,
    ...{ fee: (base / 1000n) as Amount, feeAsset: 'BTC', maker: false, time: id as Millis },
    ...part,
  };
}

/** Trading on a real database with a venue, a market and a clock that the test plays. */
export class TradingWorld {
  readonly database: TestDatabase;
  readonly ledger: PostgresLedgerStore;
  readonly time = new ScriptedTime();
  readonly venue = new ScriptedVenue();
  readonly orders: OrderStore;
  /** The store itself, whose writes nobody counts. */
  readonly plainOrders: OrderStore;
  readonly counted: CountedOrders;
  readonly accounts: VenueAccountStore;
  readonly desk: TradingDesk;
  readonly deps: TradingDeps;
  /** Whose events are heard; everybody's unless a test says otherwise. */
  heard: (user: UserId) => boolean = () => true;
  readonly published: { readonly user: UserId; readonly event: UserEvent }[] = [];
  readonly notes: string[] = [];
  readonly incidents: string[] = [];
  halted: Refusal | undefined;
  /** What was told to a person and is not over, in words. */
  readonly open = new Map<OrderId, Incident>();
  moving = false;
  readonly instruments: Instrument[] = [BTCUSDT, BTCUSDT_PERP];
  readonly operator: { readonly store: OperatorStore; realMoney: boolean };
  platformState: PlatformState = 'live';
  mayOpenContracts = true;
  /** Why the member may open nothing. */
  barred: Refusal | undefined;
  best: Awaited<ReturnType<TradingDeps['market']['best']>>;
  mark: Amount | undefined;
  crash: (point: CrashPoint) => void = () => undefined;
  /** Another platform that there is, with the same venue behind it. */
  second: Platform | undefined;
  readonly #work = new UnderWay();
  readonly #watchedDatabase: TestDatabase['database'];
  readonly #desks: TradingDesk[] = [];
  #dead = false;
  #credits = 0;

  constructor(database: TestDatabase, proof?: AbsenceProof) {
    this.database = database;
    this.ledger = this.#work.watched(database.openLedger());
    for (const writes of [TRADING_WRITES, ALGO_WRITES, CONTRACT_WRITES, OPERATOR_WRITES])
      this.ledger.register(writes);
    const watched = this.#work.watched(database.database);
    this.#watchedDatabase = watched;
    this.plainOrders = createOrderStore(watched);
    this.counted = countOpenOrders({ orders: this.plainOrders, ledger: this.ledger });
    this.orders = this.counted.orders;
    const sealed = createVenueAccountStore(watched, createSeal(new Uint8Array(32)));
    this.accounts = rememberVenueAccounts(sealed, this.time.clock);
    this.operator = { store: createOperatorStore(watched), realMoney: false };
    this.deps = this.#ports();
    const { ledger } = this.deps;
    const commit = ledger.commit.bind(ledger);
    const mortal: typeof commit = async (unit) =>
      this.#dead ? { ok: false, code: 'unavailable' } : commit(unit);
    Object.assign(ledger, { commit: mortal });
    this.desk = createTradingDesk(this.deps, proof);
    this.#desks.push(this.desk);
  }

  /** Whether the process has died: it does nothing more, and writes nothing. */
  get dead(): boolean {
    return this.#dead;
  }

  /** The process dies once it has come to a point so often; never at none. */
  diesAt(point: CrashPoint | undefined, times = 1): void {
    let reached = 0;
    this.crash = (at) => {
      if (at === point) reached += 1;
      if (reached >= times) this.#dead = true;
      if (this.#dead) throw new Error('killed');
    };
  }

  /** A process in place of one that died: what that held in memory is gone. It is stopped with the world. */
  nextDesk(): TradingDesk {
    this.#dead = false;
    this.crash = () => undefined;
    const desk = createTradingDesk(this.deps);
    this.#desks.push(desk);
    return desk;
  }

  /** The next process, which has started. */
  async restarted(): Promise<TradingDesk> {
    const desk = this.nextDesk();
    await desk.start();
    return desk;
  }

  #ports(): TradingDeps {
    const { accounts, venue, time, counted } = this;
    const publish = (user: UserId, event: UserEvent): void => void this.published.push({ user, event });
    const note = (event: string): void => void this.notes.push(event);
    const master = { apiKey: 'm', secret: 'm' };
    return {
      ...{ ...counted, accounts, clock: time.clock, random: randomBytes, timers: time, publish },
      balances: createBalanceUpdates({ ledger: counted.ledger, publish, heard: this.heard, note }),
      orderAgeMillisMax: 2_000,
      market: {
        instrument: (_platform, symbolType, symbol) =>
          this.instruments.find((row) => row.symbolType === symbolType && row.symbol === symbol),
        instruments: () => this.instruments,
        best: async () => this.best,
        mark: async () => this.mark,
      },
      ...{
        contracts: createContractStore(this.#watchedDatabase),
        algos: createAlgoStore(this.#watchedDatabase),
        countdowns: createCountdownStore(this.#watchedDatabase),
      },
      equity: async () => amount('0'),
      transferMoving: async () => this.moving,
      venue: (platform) =>
        platform === 1 || platform === this.second
          ? { platform, name: 'Binance', state: this.platformState, trading: venue, master }
          : undefined,
      crash: (point) => this.crash(point),
      operator: this.operator,
      incidents: {
        open: (incident) => this.open.set(incident.id, incident),
        ended: (id) => this.open.delete(id),
      },
      log: { note, incident: (event) => this.incidents.push(event) },
      moneyGate: () => this.halted,
      mayOpenContracts: async () => this.mayOpenContracts,
      openingAllowed: async () => this.barred,
    };
  }

  /** Questions and commits that the database got so far. */
  get statements(): number {
    return this.#work.begun;
  }

  /** Money into a trading wallet. */
  async fund(asset: string, text: string, user: UserId = CALLER.user, platform: Platform = 1): Promise<void> {
    await this.#credit({ class: 'TRADING', user, platform, asset }, text);
  }

  /** Money into the wallet behind contracts. */
  async fundFutures(text: string): Promise<void> {
    await this.#credit({ class: 'FUTURES', user: CALLER.user, platform: 1, asset: 'USDT' }, text);
  }

  async #credit(to: AccountRef, text: string): Promise<void> {
    const { asset } = to;
    this.#credits += 1;
    const from: AccountRef = { class: 'EXTERNAL', counterparty: 'venue:1', asset };
    const id = transferId('test-credit', this.#credits);
    const done = await this.ledger.commit({
      commands: [{ do: 'post', id, from, to, amount: amount(text), kind: 'test-funds' }],
    });
    if (!done.ok) throw new Error(done.code);
  }

  /** An account at the venue that is ready. */
  async account(user: UserId = CALLER.user, platform: Platform = 1): Promise<void> {
    const credentials = { apiKey: `key-${user}`, secret: 'secret' };
    await this.accounts.begin(user, platform);
    await this.accounts.complete(user, platform, { accountId: `sub-${user}`, credentials });
  }

  /** An order whose money is held, as `reserve` leaves it. */
  async reserved(part: Partial<OrderDraft> = {}): Promise<StoredOrder> {
    const made = await reserve(this.deps, this.checked(part));
    if (!made.ok) throw new Error(made.code.error);
    return made.order;
  }

  /** An order that has passed the checks. */
  checked(part: Partial<OrderDraft> = {}): CheckedOrder {
    const now = this.time.clock();
    const draft: OrderDraft = {
      ...{ id: uuidV7(now, randomBytes(10)), user: CALLER.user, instrument: BTCUSDT },
      ...{ side: SIDE.BUY, type: ORDER_TYPE.LIMIT, timeInForce: TIME_IN_FORCE.GTC },
      ...{ price: amount('100'), quantity: amount('1'), payloadHash: 'hash', createdAt: now },
      ...part,
    };
    const facts = {
      platformName: 'Binance',
      platformState: 'live',
      halted: undefined,
      openOrders: 0,
    } as const;
    const checked = riskChecked(draft, { ...facts, now, best: undefined });
    if (!checked.ok) throw new Error(checked.code.error);
    return checked.value;
  }

  /** Totals of the member's trading wallet as text, with what is held. */
  async wallet(
    user: UserId = CALLER.user,
    platform: Platform = 1,
  ): Promise<Readonly<Record<string, string>>> {
    const rows = await this.ledger.tradingBalances(user, platform);
    const text = (row: WalletBalance) =>
      row.held === 0n
        ? formatAmount(row.total)
        : `${formatAmount(row.total)} (${formatAmount(row.held)} held)`;
    return Object.fromEntries(rows.map((row) => [row.asset, text(row)]));
  }

  /** The order as it is stored. */
  async order(id: OrderId): Promise<StoredOrder> {
    const found = await this.orders.byId(id);
    if (found === undefined) throw new Error(`no order ${id}`);
    return found;
  }

  /** What stands as a debt of the platform. */
  async debt(asset: string): Promise<string> {
    const owed = await this.ledger.balanceOf({ class: 'EXTERNAL', counterparty: 'debt:1', asset });
    return formatAmount(owed.total);
  }

  hold(id: OrderId): Promise<HoldState | undefined> {
    return this.ledger.holdState(holdId('order', id));
  }

  /** Lets time pass in steps, and after each all that it set going come to its end. */
  async pass(millis: number, step = 500): Promise<void> {
    for (let passed = 0; passed < millis; passed += step) {
      this.time.advance(step);
      await this.#work.over();
    }
  }

  async close(): Promise<void> {
    for (const desk of this.#desks) await desk.stop();
    await this.database.close();
  }
}

/** Opens one on a database of its own. */
export async function openTradingWorld(proof?: AbsenceProof): Promise<TradingWorld> {
  return new TradingWorld(await openTestDatabase(), proof);
}

/** Statuses by their short names, for tables. */
export const { UNKNOWN, NEW, OPEN, CANCELLED, FILLED, PARTIALLY_FILLED: PART, REJECT, FAIL } = ORDER_STATUS;

/** Waits for a condition that work in the background makes true; the test's time-out is the bound. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((next) => setTimeout(next, 2));
}
