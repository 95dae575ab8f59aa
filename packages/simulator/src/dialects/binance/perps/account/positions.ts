import {
  type Amount,
  formatAmount,
  formatAmountFixed,
  lesser,
  type Millis,
  minus,
  ok,
  plus,
  refused,
  stepsToAmount,
  ZERO,
} from '@crossbook/domain';
import type { AccountNumber } from '../../../../exchange.ts';
import type { PerpOrder, PerpPosition, PerpSetting, SimPositionSide } from '../../../../perp-exchange.ts';
import type { PerpFacts } from '../../../../venue.ts';
import { accountOf, type Endpoint, type Prepared } from '../../endpoint.ts';
import { ERRORS, mandatory } from '../../errors.ts';
import type { ParamReader } from '../../params.ts';
import { type FuturesDesk, namedContract, pageLimit } from '../desk.ts';
import { ADDED_MARGIN_WORDS, FUTURES_ERRORS, perpRefusalError, TAKEN_MARGIN_WORDS } from '../errors.ts';
import { exactPrice, money, shownMark, signedSize } from '../format.ts';
import { BOTH_DOORS, BY_REST, memberEndpoint } from '../member-endpoint.ts';
import { readPositionSide } from '../orders/order-draft.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 500;

/** One position of an account with all that lists of positions say of it; flat ones have no `held`. */
export interface PositionView {
  readonly contract: PerpFacts;
  readonly side: SimPositionSide;
  readonly setting: PerpSetting;
  readonly held: PerpPosition | undefined;
  readonly bidNotional: Amount;
  readonly askNotional: Amount;
  /** What its open orders need. */
  readonly orderMargin: Amount;
  /** Largest position at its leverage. */
  readonly notionalMax: Amount;
}

/** What the open orders of one position that may still grow it are worth. */
function orderNotional(contract: PerpFacts, orders: readonly PerpOrder[], side: 'BUY' | 'SELL'): Amount {
  let sum = 0n;
  for (const order of orders) {
    if (order.side !== side || order.reduceOnly || order.price === undefined) continue;
    const left = stepsToAmount(order.quantity - order.executed, contract.lotSize);
    sum += (stepsToAmount(order.price, contract.tickSize) * left) / 10n ** 18n;
  }
  return sum as Amount;
}

function magnitude(value: Amount): Amount {
  return (value < 0n ? -value : value) as Amount;
}

/** Initial margin of open orders: one-way only the worse side counts, in hedge mode what opens the leg. */
function orderMarginOf(
  side: SimPositionSide,
  at: { readonly held: Amount; readonly bids: Amount; readonly asks: Amount; readonly leverage: number },
): Amount {
  const { held, bids, asks, leverage } = at;
  if (side !== 'BOTH') return ((side === 'LONG' ? bids : asks) / BigInt(leverage)) as Amount;
  const bought = magnitude(plus(held, bids));
  const sold = magnitude(minus(held, asks));
  const worse = lesser(bought, sold) === bought ? sold : bought;
  const more = minus(worse, magnitude(held));
  return (more > 0n ? more / BigInt(leverage) : 0n) as Amount;
}

/** The leverage of a position, held or not. */
export function leverageOf({ held, setting, side }: Pick<PositionView, 'held' | 'setting' | 'side'>): number {
  return held?.leverage ?? (side === 'SHORT' ? setting.leverageShort : setting.leverageLong);
}

/** How much may be held at a leverage: up to the last step of the table that allows it. */
export function notionalMaxAt(desk: FuturesDesk, symbol: string, leverage: number): Amount {
  const allowing = desk.perps.tiers(symbol).filter(({ maxLeverage }) => maxLeverage >= leverage);
  return allowing.at(-1)?.cap ?? ZERO;
}

/** What an account's contracts are viewed from. */
interface Holdings {
  readonly held: readonly PerpPosition[];
  readonly orders: readonly PerpOrder[];
  readonly setting: PerpSetting;
}

function viewOf(
  desk: FuturesDesk,
  contract: PerpFacts,
  side: SimPositionSide,
  holdings: Holdings,
): PositionView {
  const { setting } = holdings;
  const held = holdings.held.find((position) => position.side === side);
  const orders = holdings.orders.filter(({ positionSide }) => positionSide === side);
  const bidNotional = orderNotional(contract, orders, 'BUY');
  const askNotional = orderNotional(contract, orders, 'SELL');
  const leverage = leverageOf({ held, setting, side });
  const notional = held === undefined ? ZERO : signedNotional(held);
  const at = { held: notional, bids: bidNotional, asks: askNotional, leverage };
  const orderMargin = orderMarginOf(side, at);
  const notionalMax = notionalMaxAt(desk, contract.symbol, leverage);
  return { contract, side, setting, held, bidNotional, askNotional, orderMargin, notionalMax };
}

/** What a position is worth at its mark, below 0 for short. */
export function signedNotional({ quantity, notional }: PerpPosition): Amount {
  return quantity < 0 ? minus(ZERO, magnitude(notional)) : magnitude(notional);
}

/** Every position that an account's modes allow, flat ones too: one of each contract, or two legs. */
export function positionViews(desk: FuturesDesk, account: AccountNumber, symbol?: string): PositionView[] {
  const { perps } = desk;
  const contracts = [...perps.contracts.values()].filter(
    (one) => symbol === undefined || one.symbol === symbol,
  );
  const held = perps.positions(account, symbol);
  const orders = perps.openPerpOrders(account, symbol);
  return contracts.flatMap((contract) => {
    const own = <Row extends { readonly symbol: string }>(rows: readonly Row[]) =>
      rows.filter((row) => row.symbol === contract.symbol);
    const setting = perps.setting(account, contract.symbol);
    const holdings = { held: own(held), orders: own(orders), setting };
    const sides: readonly SimPositionSide[] = setting.positionMode === 'HEDGE' ? ['LONG', 'SHORT'] : ['BOTH'];
    return sides.map((side) => viewOf(desk, contract, side, holdings));
  });
}

/** Whether there is a position or an order: version 3 lists no others. */
export function isAlive({ held, bidNotional, askNotional }: PositionView): boolean {
  return held !== undefined || bidNotional !== 0n || askNotional !== 0n;
}

/** The margin that an isolated position has, unrealised profit included. */
export function isolatedMarginOf(held: PerpPosition | undefined): Amount {
  return held?.marginMode === 'ISOLATED' ? plus(held.isolatedWallet, held.unrealisedPnl) : ZERO;
}

/** What both versions of positionRisk say. */
function riskFields(desk: FuturesDesk, view: PositionView): Readonly<Record<string, unknown>> {
  const { contract, held, side } = view;
  const format = desk.format.of(contract.symbol);
  return {
    symbol: contract.symbol,
    positionSide: side,
    positionAmt: signedSize(format, held?.quantity ?? 0),
    entryPrice: exactPrice(held?.entryPrice ?? ZERO),
    breakEvenPrice: exactPrice(held?.breakEvenPrice ?? ZERO),
    markPrice: held === undefined ? shownMark(desk.perps.stats(contract.symbol).mark) : money(held.markPrice),
    unRealizedProfit: money(held?.unrealisedPnl ?? ZERO),
    liquidationPrice: held?.liquidationPrice === undefined ? '0' : exactPrice(held.liquidationPrice),
    isolatedMargin: money(isolatedMarginOf(held)),
    notional: money(held === undefined ? ZERO : signedNotional(held)),
    isolatedWallet: money(held?.isolatedWallet ?? ZERO),
    updateTime: held?.updatedAt ?? 0,
  };
}

/** One line of /fapi/v3/positionRisk. */
export function riskRowV3(desk: FuturesDesk, view: PositionView): object {
  const { held, contract, orderMargin, bidNotional, askNotional } = view;
  const initial = held?.initialMargin ?? ZERO;
  return {
    ...riskFields(desk, view),
    marginAsset: contract.settle,
    initialMargin: money(plus(initial, orderMargin)),
    maintMargin: money(held?.maintenanceMargin ?? ZERO),
    positionInitialMargin: money(initial),
    openOrderInitialMargin: money(orderMargin),
    adl: quantileOf(held),
    bidNotional: formatAmount(bidNotional),
    askNotional: formatAmount(askNotional),
  };
}

/** One line of /fapi/v2/positionRisk. */
export function riskRowV2(desk: FuturesDesk, view: PositionView): object {
  return {
    ...riskFields(desk, view),
    leverage: String(leverageOf(view)),
    maxNotionalValue: formatAmount(view.notionalMax),
    marginType: (view.held?.marginMode ?? view.setting.marginMode) === 'CROSS' ? 'cross' : 'isolated',
    isAutoAddMargin: 'false',
  };
}

/** 0 to 4; 4 is deleveraged first. */
function quantileOf(held: PerpPosition | undefined): number {
  return held === undefined ? 0 : Math.max(0, held.adlRank - 1);
}

function risk(
  row: (desk: FuturesDesk, view: PositionView) => object,
  listed: (view: PositionView) => boolean,
) {
  return (reader: ParamReader, desk: FuturesDesk): Prepared => {
    const contract = reader.has('symbol') ? namedContract(reader, desk) : undefined;
    return {
      weight: 5,
      run: (caller) => {
        const views = positionViews(desk, accountOf(caller), contract?.symbol);
        return ok(views.filter(listed).map((view) => row(desk, view)));
      },
    };
  };
}

function adlQuantile(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = reader.has('symbol') ? namedContract(reader, desk) : undefined;
  return {
    weight: 5,
    run: (caller) => {
      const held = desk.perps.positions(accountOf(caller), contract?.symbol);
      return ok(
        [...new Set(held.map(({ symbol }) => symbol))].map((symbol) => {
          const of = (side: SimPositionSide) =>
            quantileOf(held.find((position) => position.symbol === symbol && position.side === side));
          // Both legs of a contract show the same value.
          const legs = Math.max(of('LONG'), of('SHORT'));
          const hedged = held.some((position) => position.symbol === symbol && position.side !== 'BOTH');
          const adl = hedged
            ? { LONG: legs, SHORT: legs, HEDGE: 0 }
            : { LONG: 0, SHORT: 0, BOTH: of('BOTH') };
          return { symbol, adlQuantile: adl };
        }),
      );
    },
  };
}

function moveMargin(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = namedContract(reader, desk);
  const side = readPositionSide(reader);
  const amount = reader.decimal('amount');
  if (amount === undefined) reader.refuse(mandatory('amount'));
  const type = reader.choice('type', ['1', '2']);
  if (type === undefined) reader.refuse(mandatory('type'));
  return {
    weight: 1,
    run: async (caller) => {
      if (contract === undefined || amount === undefined) return refused(ERRORS.badSymbol);
      if (amount === 0n) return refused(FUTURES_ERRORS.marginNotPositive);
      const account = accountOf(caller);
      const { symbol } = contract;
      const held = desk.perps
        .positions(account)
        .find((position) => position.symbol === symbol && position.side === side && position.quantity !== 0);
      const key = { account, symbol, side, marginMode: held?.marginMode ?? 'ISOLATED' };
      const added = type === '1';
      const moved = await desk.perps.moveMargin(key, added ? amount : minus(ZERO, amount));
      const words = added ? ADDED_MARGIN_WORDS : TAKEN_MARGIN_WORDS;
      if (!moved.ok) return refused(words[moved.code] ?? perpRefusalError(moved.code));
      const code = added ? 1 : 2;
      desk.notes.margins.add(account, {
        symbol,
        type: code,
        deltaType: 'USER_ADJUST',
        amount: money(amount),
        asset: contract.settle,
        time: desk.perps.now(),
        positionSide: side,
      });
      const written = Number(formatAmountFixed(amount, 8));
      return ok({ amount: written, code: 200, msg: 'Successfully modify position margin.', type: code });
    },
  };
}

function marginHistory(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = namedContract(reader, desk);
  const type = reader.choice('type', ['1', '2']);
  const startTime = reader.integer('startTime') ?? 0;
  const endTime = (reader.integer('endTime') ?? Number.MAX_SAFE_INTEGER) as Millis;
  const limit = pageLimit(reader, LIMIT_DEFAULT, LIMIT_MAX);
  return {
    weight: 1,
    run: (caller) =>
      ok(
        desk.notes.margins
          .of(accountOf(caller))
          .filter(
            (note) =>
              note.symbol === contract?.symbol &&
              (type === undefined || String(note.type) === type) &&
              note.time >= startTime &&
              note.time <= endTime,
          )
          .slice(-limit),
      ),
  };
}

/** Positions, their margin and their place in the queue of deleveraging. */
export const POSITION_CALLS: readonly Endpoint<FuturesDesk>[] = [
  memberEndpoint(BOTH_DOORS, 'v2/account.position GET /fapi/v3/positionRisk', risk(riskRowV3, isAlive)),
  memberEndpoint(
    BOTH_DOORS,
    'account.position GET /fapi/v2/positionRisk',
    risk(riskRowV2, () => true),
  ),
  memberEndpoint(BY_REST, 'adlQuantile GET /fapi/v1/adlQuantile', adlQuantile),
  memberEndpoint(BY_REST, 'positionMargin POST /fapi/v1/positionMargin', moveMargin),
  memberEndpoint(BY_REST, 'positionMargin.history GET /fapi/v1/positionMargin/history', marginHistory),
];
