import type { AccountNumber } from '../../../exchange.ts';
import type { PerpFill, PerpIncome } from '../../../perp-exchange.ts';
import type { PerpFacts } from '../../../venue.ts';
import { accountOf, type Desk, type Run, reply } from '../endpoint.ts';
import { linearContracts } from '../market/instruments.ts';
import { namesOrder } from '../order-choice.ts';
import { type OrderAdapter, readNarrowed } from '../order-lists.ts';
import { cutPage, type Placed, readPage } from '../pages.ts';
import type { ParamReader } from '../params.ts';
import { readSpan } from '../time-span.ts';
import { type ContractOrder, coreIdOf, ownConditional, ownOrder } from './contract-order.ts';
import { findContractOrder } from './find-order.ts';
import {
  contractExecutionRow,
  contractOrderRow,
  contractOrderStatus,
  fundingExecutionRow,
  FILLS_MAX as KEPT_MAX,
} from './order-shapes.ts';
import { contractFilterOf } from './stop-words.ts';

const EXECUTIONS_DEFAULT = 50;
const EXECUTIONS_MAX = 100;
/** Where lists mix fills and funding, whose numbers are counted apart, each has every second place. */
const KINDS = 2n;

/** Orders on contracts, those that wait among them. */
export const LINEAR_ORDERS: OrderAdapter<ContractOrder> = {
  category: 'linear',
  markets: (desk): ReadonlyMap<string, PerpFacts> => linearContracts(desk),
  find: findContractOrder,
  open(desk, account, symbol) {
    const { perps } = desk.venue;
    return [
      ...perps.openPerpOrders(account, symbol).map((order) => ownOrder(desk, order)),
      ...perps.conditionals
        .open(account, symbol)
        .filter(({ state }) => state === 'WAITING')
        .map((stop) => ownConditional(desk, stop)),
    ];
  },
  kept(desk, account, symbols) {
    const { perps } = desk.venue;
    const [only] = symbols.length === 1 ? symbols : [];
    const page = { limit: KEPT_MAX, ...(only === undefined ? {} : { symbol: only }) };
    // What one that fired has become stands among the orders.
    const unfired = perps.conditionals.history(account, page).filter((stop) => !('childId' in stop));
    const wanted = new Set(symbols);
    return [
      // What is settled is recorded as a trade, but not as an order (enum, "CreateBySettle").
      ...perps
        .perpOrders(account, page)
        .filter(({ origin }) => origin !== 'DELISTING')
        .map((order) => ownOrder(desk, order)),
      ...unfired.map((stop) => ownConditional(desk, stop)),
    ].filter(({ symbol }) => wanted.has(symbol));
  },
  row: contractOrderRow,
  status: contractOrderStatus,
  filterOf: contractFilterOf,
};

/** An entry of money that is about a contract. */
export type ContractIncome = PerpIncome & { readonly symbol: string };

/** Whether an entry of money is funding. */
export function isFunding(income: PerpIncome): income is ContractIncome {
  return income.kind === 'FUNDING' && income.symbol !== undefined;
}

/** A fill's place among fills and entries of money. */
export function placedFill<Item>({ time, sequence }: PerpFill, item: Item): Placed<Item> {
  return { time, id: BigInt(sequence) * KINDS, item };
}

/** An entry's place among fills and entries of money. */
export function placedIncome<Item>({ time, sequence }: PerpIncome, item: Item): Placed<Item> {
  return { time, id: BigInt(sequence) * KINDS + 1n, item };
}

/** Executions with the funding among them; of a named order all of them, whenever they were. */
export function contractExecutions(reader: ParamReader, desk: Desk): Run {
  const narrowed = readNarrowed(reader, 'linear', linearContracts(desk));
  const { perps } = desk.venue;
  const span = readSpan(reader, perps.now());
  const wanted = reader.text('execType');
  const page = readPage(reader, EXECUTIONS_DEFAULT, EXECUTIONS_MAX);
  const fillRow = (fill: PerpFill) => {
    const order = perps.perpOrder(fill.account, fill.symbol, { orderId: fill.orderId });
    return placedFill(fill, () => contractExecutionRow(desk, fill, order));
  };
  const within = (account: AccountNumber): Placed<() => object>[] => {
    const symbols = new Set(narrowed.symbols());
    const all = { ...span, limit: KEPT_MAX };
    const fills = perps.perpFills(account, all).filter(({ symbol }) => symbols.has(symbol));
    const funding = perps.income(account, all).filter(isFunding);
    return [
      ...fills.map(fillRow),
      ...funding
        .filter(({ symbol }) => symbols.has(symbol))
        .map((income) => placedIncome(income, () => fundingExecutionRow(desk, income))),
    ];
  };
  const ofOrder = (account: AccountNumber): Placed<() => object>[] => {
    const order = findContractOrder(desk, account, narrowed.market, narrowed.choice);
    if (order === undefined) return [];
    const { symbol } = order;
    const orderId = coreIdOf(order);
    return perps.perpFills(account, { symbol, orderId, limit: KEPT_MAX }).map(fillRow);
  };
  return (caller) => {
    const account = accountOf(caller);
    const found = (namesOrder(narrowed.choice) ? ofOrder(account) : within(account)).map(
      ({ item, ...place }) => ({ ...place, item: item() }),
    );
    const fitting = found.filter(
      ({ item }) => wanted === undefined || ('execType' in item && item.execType === wanted),
    );
    const { items, nextPageCursor } = cutPage(fitting, page);
    return reply({ category: 'linear', nextPageCursor, list: items });
  };
}
