import type { Millis, Result } from '@crossbook/domain';
import type { AccountNumber, NewSimOrder, SimOrder, SimOrderReport, SimRefusal } from './exchange.ts';

/** Lists of spot orders: what is asked, and how far they have come. */

/** A list as it is asked for: a pair (OCO), or a working order with one order or a pair behind it (OTO). */
export interface NewSimOrderList {
  readonly account: AccountNumber;
  readonly symbol: string;
  readonly clientId: string;
  /** Absent: the others are a pair that works at once. Only with a price of its own. */
  readonly working?: NewSimOrder;
  /** One or two; two are of one side and quantity, and one of them lies above the price. Never by quote quantity. */
  readonly others: readonly NewSimOrder[];
  /** They are placed once the working order is over, for what it has filled; absent: once it is filled wholly, as they are asked for. */
  readonly follows?: true;
}

/** A list and how far it has come. */
export interface SimOrderList {
  readonly account: AccountNumber;
  readonly symbol: string;
  readonly listId: number;
  readonly clientId: string;
  readonly contingency: 'OCO' | 'OTO';
  readonly open: boolean;
  readonly since: Millis;
  /** In the order they were named. */
  readonly orders: readonly SimOrder[];
}

/** Which list is meant. */
export type ListRef = { readonly listId: number } | { readonly clientId: string };

/** Lists of orders, at an exchange that has them. */
export interface OrderLists {
  /** Places a list, or nothing of it. Its pair locks once, at the dearer of both. */
  placeList(list: NewSimOrderList): Promise<Result<readonly SimOrderReport[], SimRefusal>>;
  orderList(account: AccountNumber, ref: ListRef): SimOrderList | undefined;
  /** All lists that are kept, oldest first. */
  orderLists(account: AccountNumber): readonly SimOrderList[];
}
