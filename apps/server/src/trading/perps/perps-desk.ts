import type { CallHandlers } from '@crossbook/contract';
import { type Amount, type Millis, type OrderEvent, ZERO } from '@crossbook/domain';
import type { ContractEvent } from '@crossbook/venues/trading';
import { type AccountOwner, eachOwner } from '../account-pages.ts';
import type { ExposedOwner } from '../contract-store.ts';
import type { ContractPart, StoredOrder } from '../order.ts';
import { type PlaceOne, type Placing, placeOrder } from '../orders/place-order.ts';
import type { Doubt, Refused, TradingDeps } from '../ports.ts';
import { ownerKey } from '../rotation.ts';
import { changeTerms } from './change-terms.ts';
import { closeAll, closePosition } from './close-position.ts';
import { type ContractAccount, ContractAccounts } from './contract-accounts.ts';
import { bookForeign, findFills, searchFills } from './found-fills.ts';
import { endHolds } from './in-flight-holds.ts';
import { type IncomeParts, readIncome } from './income.ts';
import { openingState } from './opening-state.ts';
import { cancelAll, filteredOrders, orderRpnl, orderSums, realisedOf } from './order-calls.ts';
import {
  type AskedTerms,
  type ContractPlacing,
  type ContractTerms,
  contractTerms,
  placeContract,
} from './place-contract.ts';
import {
  availableClose,
  availableOpen,
  currentPositions,
  fundingHistory,
  positionHistory,
  positionTiers,
} from './position-calls.ts';
import { PositionCheck } from './position-check.ts';
import { closedRow } from './position-rows.ts';
import { reversePosition } from './reverse-position.ts';
import {
  adjustMargin,
  changeMarginMode,
  changePositionMode,
  getLeverage,
  setLeverage,
  tellSetting,
} from './setting-calls.ts';
import { createSettingChanges } from './setting-changes.ts';
import { StatedStats } from './stated-stats.ts';

/** A push says that money moved before the list says under which id: it is read this long after. */
const INCOME_AFTER_PUSH_MILLIS = 5_000;
/** Funding is due at full hours; the list is read this long after each. */
const HOUR_MILLIS = 3_600_000;
const INCOME_AFTER_HOUR_MILLIS = 20_000;
const CLOCK_MILLIS = 1_000;
/** Accounts with something open that are read at once. */
const EXPOSED_PER_PAGE_MAX = 100;

/** The calls about contracts, and about orders of all types of market. */
export type ContractHandlers = Pick<
  CallHandlers,
  | 'connextrade/CancelAll'
  | 'connextrade/v2/OrderHistory'
  | 'connextrade/v2/OrderHistorySubTotal'
  | 'connextrade/GetOrderRpnl'
  | 'connextrade/GetLeverage'
  | 'connextrade/SetLeverage'
  | 'connextrade/ChangePositionMode'
  | 'x/trade/MarginMode'
  | 'x/trade/AdjustMargin'
  | 'connextrade/GetPositionTiers'
  | 'connextrade/CurPositionList'
  | 'connextrade/PositionHistory'
  | 'connextrade/ClosePosition'
  | 'connextrade/ClosePositionAll'
  | 'x/trade/ReversePosition'
  | 'connextrade/AvailableOpen'
  | 'connextrade/AvailableClose'
  | 'x/trade/Opening'
  | 'x/trade/FundingHistory'
  | 'connexfunding/GetRpnl'
>;

/** Contracts, put together. */
export interface PerpsDesk {
  readonly handlers: ContractHandlers;
  readonly place: PlaceOne;
  /** What an order needs that waits for a price on a contract. */
  readonly terms: (owner: AccountOwner, asked: AskedTerms) => Promise<ContractTerms | Refused>;
  /** What a change of an order on a contract holds besides, or why it may not be. */
  readonly changeTerms: (
    order: StoredOrder & { readonly contract: ContractPart },
    to: Parameters<typeof changeTerms>[2],
  ) => ReturnType<typeof changeTerms>;
  /** An order is at the venue, or has other terms there: its hold ends when the venue's figures contain it. */
  acknowledged(order: StoredOrder): void;
  /** Before anything is booked: what was booked by now, a former process told. */
  begin(): Promise<void>;
  /** Finds what happened while the hub was down, then keeps comparing. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Why opening orders of the member there are refused. */
  doubtful(owner: AccountOwner): Doubt | undefined;
  /** What the venue lets go of an asset behind open positions. */
  withdrawable(owner: AccountOwner, asset: string): Promise<Amount | undefined>;
  onContracts(event: ContractEvent, owner: AccountOwner): void;
  /** A fill of an order that no member sent. */
  onForeign(event: OrderEvent, owner: AccountOwner): void;
  /** The private stream is open: something may have been missed before. */
  onHeard(owner: AccountOwner): void;
  /** Not everything that happens is heard of. */
  onUnheard(owner: AccountOwner): void;
  /** An order on a contract has changed. */
  onOrder(order: Pick<StoredOrder, 'platform' | 'user' | 'symbol'>): void;
}

/** Puts it together on what all orders share. */
export function createPerpsDesk(placing: Placing): PerpsDesk {
  const { deps, lanes } = placing;
  const accounts = new ContractAccounts(deps, lanes);
  const stated = new StatedStats(deps);
  stated.onRead = ({ owner }, { begunAt }) => endHolds(deps, owner, begunAt);
  const income: IncomeParts = {
    ...{ deps, lanes },
    trades: (account, rows) => findFills(placing, account, rows),
  };
  const find = (owner: AccountOwner) => accounts.find(owner);
  const check = new PositionCheck({
    ...{ deps, find, stated },
    catchUp: (account) => readIncome(income, account),
    search: (account, symbols) => searchFills(placing, account, symbols),
  });
  const settings = createSettingChanges({
    ...{ deps, lanes, accounts },
    ended: (change) => tellSetting({ placing, accounts, stated }, change),
  });
  const contracts: ContractPlacing = {
    ...{ placing, accounts, stated, settings },
    doubtful: (owner) => check.doubtful(owner),
    acknowledged: (order) => stated.readSoon(() => find(order), order),
  };
  const incomeAfter = incomeReader({ deps, find, check, read: (account) => readIncome(income, account) });
  const hours = fundingClock(placing, (owner) => incomeAfter(owner, 0));
  const closings = closedTeller(placing);

  return {
    handlers: handlersOf(contracts),
    place: (caller, request, ask) =>
      placeOrder(placing, caller, request, { placeNew: (asked) => placeContract(contracts, asked), ask }),
    terms: (owner, asked) => contractTerms(contracts, owner, asked),
    changeTerms: (order, to) => changeTerms(contracts, order, to),
    acknowledged: contracts.acknowledged,
    begin: closings.begin,
    async start() {
      await settings.start();
      // Where nothing was open nothing can have happened without us: those have their turn in the rotation.
      for await (const owner of exposedOwners(deps)) {
        // What the exchange does to them is to be heard though they are not here themselves.
        await placing.listen(owner);
        check.doubt(owner);
      }
      check.start();
      hours.start();
    },
    async stop() {
      hours.stop();
      await settings.stop();
      await check.stop();
    },
    doubtful: (owner) => check.doubtful(owner),
    onContracts(event, owner) {
      hear({ contracts, owner, incomeAfter, onGap: () => check.doubt(owner) }, event).catch(
        (error: unknown) => {
          deps.log.note('a message about positions was not kept', { ...owner, error: String(error) });
          check.doubt(owner);
        },
      );
    },
    onForeign(event, owner) {
      const { fill, state } = event;
      const instrument = deps.market.instrument(owner.platform, 'SWAP', state.symbol);
      if (fill?.contract === undefined || instrument === undefined) return;
      bookForeign(placing, { owner, instrument }, [fill]).catch((error: unknown) => {
        deps.log.note('a fill of the exchange was not booked', { ...owner, error: String(error) });
        check.doubt(owner);
      });
      incomeAfter(owner, INCOME_AFTER_PUSH_MILLIS);
    },
    withdrawable: (owner, asset) => withdrawableOf({ deps, find, stated }, owner, asset),
    onHeard(owner) {
      stated.happened(owner);
      stated.hears(owner, true);
      check.doubt(owner);
    },
    onUnheard: (owner) => stated.hears(owner, false),
    onOrder(order) {
      stated.happened(order);
      closings.look(order);
    },
  };
}

function handlersOf(contracts: ContractPlacing): ContractHandlers {
  const { placing } = contracts;
  return {
    'connextrade/CancelAll': (caller, request) => cancelAll(placing, caller, request),
    'connextrade/v2/OrderHistory': (caller, request) => filteredOrders(placing, caller, request),
    'connextrade/v2/OrderHistorySubTotal': (caller, request) => orderSums(placing, caller, request),
    'connextrade/GetOrderRpnl': (caller, request) => orderRpnl(placing, caller, request),
    'connextrade/GetLeverage': (caller, request) => getLeverage(contracts, caller, request),
    'connextrade/SetLeverage': (caller, request) => setLeverage(contracts, caller, request),
    'connextrade/ChangePositionMode': (caller, request) => changePositionMode(contracts, caller, request),
    'x/trade/MarginMode': (caller, request) => changeMarginMode(contracts, caller, request),
    'x/trade/AdjustMargin': (caller, request) => adjustMargin(contracts, caller, request),
    'connextrade/GetPositionTiers': (caller, request) => positionTiers(contracts, caller, request),
    'connextrade/CurPositionList': (caller, request) => currentPositions(contracts, caller, request),
    'connextrade/PositionHistory': (caller, request) => positionHistory(contracts, caller, request),
    'connextrade/ClosePosition': (caller, request) => closePosition(contracts, caller, request),
    'connextrade/ClosePositionAll': (caller, request) => closeAll(contracts, caller, request),
    'x/trade/ReversePosition': (caller, request) => reversePosition(contracts, caller, request),
    'connextrade/AvailableOpen': (caller, request) => availableOpen(contracts, caller, request),
    'connextrade/AvailableClose': (caller, request) => availableClose(contracts, caller, request),
    'x/trade/Opening': (caller, request) => openingState(contracts, caller, request),
    'x/trade/FundingHistory': (caller, request) => fundingHistory(contracts, caller, request),
    'connexfunding/GetRpnl': (caller, request) => realisedOf(placing, caller, request),
  };
}

interface IncomeReading {
  readonly deps: TradingDeps;
  readonly find: (owner: AccountOwner) => Promise<ContractAccount | undefined>;
  readonly read: (account: ContractAccount) => Promise<boolean>;
  readonly check: PositionCheck;
}

/** Reads an account's income after a while; asked for again meanwhile, once. */
function incomeReader({ deps, find, read, check }: IncomeReading) {
  const waiting = new Set<string>();
  return (owner: AccountOwner, millis: number): void => {
    const key = ownerKey(owner);
    if (waiting.has(key)) return;
    waiting.add(key);
    deps.timers.after(millis, () => {
      waiting.delete(key);
      find(owner)
        .then(async (account) => {
          if (account !== undefined && !(await read(account))) check.doubt(owner);
        })
        .catch((error: unknown) => {
          deps.log.note('income not read', { ...owner, error: String(error) });
          check.doubt(owner);
        });
    });
  };
}

/** After these the margin is another one, which a stream may not tell. */
const CHANGES_POOL: ReadonlySet<ContractEvent['cause']> = new Set([
  ...(['order', 'margin', 'funding', 'transfer', 'setting'] as const),
]);

interface Hearing {
  readonly contracts: ContractPlacing;
  readonly owner: AccountOwner;
  readonly incomeAfter: (owner: AccountOwner, millis: number) => void;
  readonly onGap: () => void;
}

async function hear({ contracts, owner, incomeAfter, onGap }: Hearing, event: ContractEvent): Promise<void> {
  const { accounts, stated, placing } = contracts;
  const { deps } = placing;
  const { positions, pool, cause } = event;
  if (cause === 'setting') accounts.forget(owner);
  if (cause === 'margin-call') {
    const symbols = [...new Set(event.symbols)];
    deps.publish(owner.user, { kind: 'margin-call', exchange: owner.platform, symbols });
  }
  // Money moved under an id that only the list tells.
  if (cause === 'funding' || cause === 'liquidation') incomeAfter(owner, INCOME_AFTER_PUSH_MILLIS);
  const complete = await stated.hear(owner, positions, pool);
  if (!complete || CHANGES_POOL.has(cause)) stated.readSoon(() => accounts.find(owner), owner);
  if (cause === 'liquidation') onGap();
}

/** What the venue lets go of an asset behind open positions; nothing there is said where there are none. */
async function withdrawableOf(
  { deps, find, stated }: Pick<IncomeReading, 'deps' | 'find'> & { readonly stated: StatedStats },
  owner: AccountOwner,
  asset: string,
): Promise<Amount | undefined> {
  if ((await deps.contracts.booked(owner)).length === 0) return undefined;
  const account = await find(owner);
  const read = account === undefined ? undefined : await stated.read(account);
  // Behind positions nothing leaves on a guess.
  if (read?.ok !== true) return ZERO;
  const { pool } = read.value;
  return pool.asset === asset ? pool.withdrawable : undefined;
}

/** Who has something open on contracts. */
function exposedOwners({ contracts }: Pick<TradingDeps, 'contracts'>): AsyncGenerator<ExposedOwner> {
  return eachOwner((after) => contracts.exposed(EXPOSED_PER_PAGE_MAX, after));
}

/** Calls for everybody who holds a position a moment after each full hour. */
function fundingClock({ deps }: Placing, due: (owner: AccountOwner) => void) {
  const hourNow = () => Math.floor((deps.clock() - INCOME_AFTER_HOUR_MILLIS) / HOUR_MILLIS);
  let hour = hourNow();
  let stopTimer = (): void => undefined;
  const callAll = async (): Promise<void> => {
    for await (const { holds, ...owner } of exposedOwners(deps)) if (holds) due(owner);
  };
  return {
    start() {
      stopTimer = deps.timers.every(CLOCK_MILLIS, () => {
        if (hourNow() === hour) return;
        hour = hourNow();
        callAll().catch((error: unknown) => deps.log.note('funding not asked for', { error: String(error) }));
      });
    },
    stop: () => stopTimer(),
  };
}

/** Tells a member of each position that became flat, once; a former process told of those that it booked. */
function closedTeller({ deps }: Placing) {
  const reported = new Set<string>();
  let count = '0';
  const begin = async (): Promise<void> => {
    count = await deps.contracts.closedCount();
  };
  const look = ({ user, platform, symbol }: Pick<StoredOrder, 'user' | 'platform' | 'symbol'>): void => {
    const since = (deps.clock() - HOUR_MILLIS) as Millis;
    deps.contracts
      .closedSince({ user, platform }, symbol, { since, count })
      .then((closed) => {
        for (const one of closed.toReversed()) {
          if (reported.has(one.positionId)) continue;
          if (reported.size > 10_000) reported.clear();
          reported.add(one.positionId);
          deps.publish(user, { kind: 'position-closed', closed: closedRow(one) });
        }
      })
      .catch((error: unknown) => deps.log.note('a closed position was not told', { error: String(error) }));
  };
  return { begin, look };
}
