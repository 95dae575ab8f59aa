import type { Millis } from '@crossbook/domain';
import { Listeners } from './accounts/listeners.ts';
import { MarketBooks } from './accounts/market-books.ts';
import { MarketDesk } from './accounts/market-desk.ts';
import { openDesks } from './accounts/market-desks.ts';
import { lastPriceOf, OrderEntry } from './accounts/order-entry.ts';
import { Keeper } from './accounts/state/keeper.ts';
import { MemberState } from './accounts/state/member-state.ts';
import { listsOf } from './accounts/state/order-lists.ts';
import { termsOf } from './accounts/state/terms.ts';
import { StepPublisher } from './accounts/step-publisher.ts';
import { Treasury } from './accounts/treasury.ts';
import type { AccountNumber, Exchange, MarketFacts } from './exchange.ts';
import { type JournalLimits, openFileJournal } from './journal/file-journal.ts';
import { MemoryJournal } from './journal/journal.ts';
import type { JournalRecord } from './journal/records.ts';
import type { HouseTrading, MarketSide } from './market-port.ts';
import type { ListRef, OrderLists, SimOrderList } from './order-list-port.ts';
import { ContractExchange } from './perps/contract-exchange.ts';
import type { ContractMarkets } from './perps/state/contract-parts.ts';
import { ContractState } from './perps/state/contract-state.ts';

/** 2024-01-01, when the invented history begins: a thousand ids a second, more than were used. */
const FIRST_CONTRACT_IDS_SINCE = Date.UTC(2024, 0, 1);

/** What an exchange is made of; everything outside is handed in. */
export interface ExchangeOptions {
  readonly market: MarketSide;
  readonly clock: () => Millis;
  /** For API keys and secrets. */
  readonly randomBytes: (size: number) => Uint8Array;
  /** Where journal and snapshots live; absent keeps nothing beyond the process. */
  readonly dataDirectory?: string;
  /** Added to the first trade and update ids: an exchange that keeps no journal must not repeat those of an earlier run. */
  readonly firstIds?: number;
  readonly journalLimits?: Partial<JournalLimits>;
  /** The venue's contracts, which are kept in the same journal; absent: spot alone. */
  readonly contracts?: ContractMarkets;
  /** Hears of faults that must not stop trading (a listener threw) or must stop the process (`fatal`: the disk failed). */
  readonly onFault: (fault: unknown, fatal: boolean) => void;
}

/** The exchange with what only its composition needs. */
export interface OpenedExchange extends Exchange, OrderLists {
  /** Trading for the house; tests and tools use it beside the agents. */
  readonly house: HouseTrading;
  /** The contract half, where there is one. */
  readonly contracts: ContractExchange | undefined;
}

/**
 * Opens the exchange: recovers what the data directory holds, fills the orders that the fair price crossed during
 * the downtime, and starts the agents.
 * @throws DirectoryInUse, JournalDamaged.
 */
export async function openExchange(options: ExchangeOptions): Promise<OpenedExchange> {
  const opened =
    options.dataDirectory === undefined
      ? { journal: new MemoryJournal(), records: [] }
      : await openFileJournal(options.dataDirectory, options.journalLimits);
  const keeper = new Keeper(opened.journal, (fault) => options.onFault(fault, true));
  try {
    const exchange = new SimulatedExchange(options, keeper, opened.records);
    await exchange.open();
    return exchange;
  } catch (error) {
    await opened.journal.close();
    throw error;
  }
}

function walletOf(contracts: ContractMarkets | undefined): 'APART' | 'SHARED' | undefined {
  if (contracts === undefined) return undefined;
  return contracts.habits.apart ? 'APART' : 'SHARED';
}

class SimulatedExchange implements OpenedExchange {
  readonly contracts: ContractExchange | undefined;
  readonly #books: MarketBooks<MarketDesk>;
  readonly #state: MemberState;
  readonly #entry: OrderEntry;
  readonly #treasury: Treasury;
  readonly #keeper: Keeper;
  readonly #market: MarketSide;
  #closed = false;

  constructor(options: ExchangeOptions, keeper: Keeper, records: readonly JournalRecord[]) {
    const { market, clock } = options;
    this.#market = market;
    this.#keeper = keeper;
    const terms = new Map(market.markets.map((facts) => [facts.symbol, termsOf(facts)]));
    this.#state = new MemberState(terms, walletOf(options.contracts));
    const held = new ContractState();
    if (options.contracts !== undefined) this.#state.join(held);
    const listeners = new Listeners((fault) => options.onFault(fault, false));
    const publisher = new StepPublisher({
      state: this.#state,
      now: clock,
      keeper,
      listeners,
      tape: (trade) => this.#market.onTrade(trade),
    });
    this.#treasury = new Treasury({
      ...{ publisher, listeners, randomBytes: options.randomBytes, keeper },
      contractsTeller: ({ account, asset, amount }) =>
        (asset === 'USDT' ? this.contracts?.transferTeller(account, amount) : undefined) ?? (() => undefined),
    });
    for (const record of records) this.#state.apply(record);
    const append = keeper.append.bind(keeper);
    const parts = { records, append, firstIds: options.firstIds ?? 0 };
    const desks = openDesks(terms, this.#state.history, parts, (one, engine, ids) => {
      const lastPrice = () => lastPriceOf(market, one, clock());
      return new MarketDesk({ terms: one, engine, ids, publisher, lastPrice });
    });
    this.#books = new MarketBooks(desks, { market, keeper, listeners, clock });
    this.#entry = new OrderEntry(this.#books, this.#state, market);
    keeper.join(this.#state);
    keeper.join(this.#books);
    this.contracts =
      options.contracts === undefined
        ? undefined
        : new ContractExchange(options.contracts, {
            ...{ members: this.#state, state: held, keeper, records, clock, onFault: options.onFault },
            // Before members traded contracts nothing of their books was kept: their ids went by the clock.
            firstIds: Math.max(0, clock() - FIRST_CONTRACT_IDS_SINCE),
            transfer: (move) => this.transfer(move),
            freeSpot: (account) => this.#entry.freeSpot(account),
            tellSpot: (changed) => {
              for (const [account, balances] of changed) listeners.balances(account, balances);
            },
          });
  }

  async open(): Promise<void> {
    await this.#books.open();
    await this.contracts?.open();
  }

  get markets(): ReadonlyMap<string, MarketFacts> {
    return this.#books.markets;
  }

  get house(): HouseTrading {
    return this.#books.house;
  }

  readonly now: OpenedExchange['now'] = () => this.#books.now();
  readonly subscribe: OpenedExchange['subscribe'] = (...asked) => this.#books.subscribe(...asked);
  readonly openAccount: OpenedExchange['openAccount'] = (...asked) => this.#treasury.openAccount(...asked);
  readonly accountOfLabel: OpenedExchange['accountOfLabel'] = (...asked) =>
    this.#state.accountOfLabel(...asked);
  readonly accounts: OpenedExchange['accounts'] = () => this.#state.accounts();
  readonly createKey: OpenedExchange['createKey'] = (...asked) => this.#treasury.createKey(...asked);
  readonly permitKey: OpenedExchange['permitKey'] = (...asked) => this.#treasury.permitKey(...asked);
  readonly keyOwner: OpenedExchange['keyOwner'] = (...asked) => this.#state.keyOwner(...asked);
  readonly balances: OpenedExchange['balances'] = (...asked) => this.#state.balances.list(...asked);
  readonly credit: OpenedExchange['credit'] = (...asked) => this.#treasury.credit(...asked);
  readonly transfer: OpenedExchange['transfer'] = (...asked) => this.#treasury.transfer(...asked);
  readonly findTransfer: OpenedExchange['findTransfer'] = (...asked) => this.#state.transfer(...asked);
  readonly check: OpenedExchange['check'] = (...asked) => this.#entry.check(...asked);
  readonly place: OpenedExchange['place'] = (...asked) => this.#entry.place(...asked);
  readonly placeList: OpenedExchange['placeList'] = (...asked) => this.#entry.placeList(...asked);

  orderList(account: AccountNumber, ref: ListRef): SimOrderList | undefined {
    // The newest of those that share a client id.
    const lists = this.orderLists(account).filter((list) =>
      'listId' in ref ? list.listId === ref.listId : list.clientId === ref.clientId,
    );
    return lists.at(-1);
  }

  readonly orderLists: OpenedExchange['orderLists'] = (account) =>
    listsOf(this.#state.history.ordersOf(account));
  readonly cancel: OpenedExchange['cancel'] = (...asked) => this.#entry.cancel(...asked);
  readonly amendKeepPriority: OpenedExchange['amendKeepPriority'] = (...asked) =>
    this.#entry.amendKeepPriority(...asked);
  readonly amendWaiting: OpenedExchange['amendWaiting'] = (...asked) => this.#entry.amendWaiting(...asked);
  readonly amend: OpenedExchange['amend'] = (...asked) => this.#entry.amend(...asked);
  readonly order: OpenedExchange['order'] = (...asked) => this.#state.history.find(...asked);
  readonly openOrders: OpenedExchange['openOrders'] = (...asked) => this.#state.history.open(...asked);
  readonly orders: OpenedExchange['orders'] = (...asked) => this.#state.history.orders(...asked);
  readonly fills: OpenedExchange['fills'] = (...asked) => this.#state.history.fills(...asked);
  readonly depth: OpenedExchange['depth'] = (...asked) => this.#books.depth(...asked);
  readonly trades: OpenedExchange['trades'] = (...asked) => this.#books.trades(...asked);
  readonly ticker: OpenedExchange['ticker'] = (...asked) => this.#books.ticker(...asked);
  readonly averagePrice: OpenedExchange['averagePrice'] = (...asked) => this.#books.averagePrice(...asked);
  readonly candles: OpenedExchange['candles'] = (...asked) => this.#books.candles(...asked);
  readonly setAgentsPaused: OpenedExchange['setAgentsPaused'] = (...asked) =>
    this.#books.setAgentsPaused(...asked);
  readonly shock: OpenedExchange['shock'] = (...asked) => this.#books.shock(...asked);
  readonly setStatus: OpenedExchange['setStatus'] = (...asked) => this.#books.setStatus(...asked);
  readonly durable: OpenedExchange['durable'] = () => this.#keeper.journal.flushed();

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#market.stop();
    await this.contracts?.stop();
    await this.#keeper.close();
  }
}
