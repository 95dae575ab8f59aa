import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Amount, amount, type Lots, type PlatformSlug, type Ticks } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import type { AccountNumber } from '../exchange.ts';
import type { HousePlacement } from '../market-port.ts';
import type { NewPerpOrder, PerpOrder } from '../perp-exchange.ts';
import { ContractRig, rigContract } from './contract-rig.fixture.ts';
import { NaiveAcceptance, type NaiveOrder, type NaiveScene, type NaiveVerdict } from './naive-acceptance.ts';
import { NaiveAccounts } from './naive-accounts.ts';
import { openLots } from './state/account-stats.ts';
import { FIRST_FUND } from './state/venue-habits.ts';
import { TakenOver } from './taken-over.fixture.ts';

const HOUSE = 0 as AccountNumber;
/** By one way or by legs, cross or isolated: all four. */
const MEMBERS = 4;
const member = fc.integer({ min: 0, max: MEMBERS - 1 });
const symbol = fc.nat(1);

/** Now and then more than the tiers allow. */
const lots = fc.oneof(
  { weight: 10, arbitrary: fc.integer({ min: 1, max: 4_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 10_000, max: 1_000_000 }) },
);

const placing = fc.record({
  do: fc.constant('place' as const),
  member,
  symbol,
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  kind: fc.constantFrom('LIMIT' as const, 'LIMIT' as const, 'MARKET' as const, 'LIMIT_MAKER' as const),
  timeInForce: fc.constantFrom('GTC' as const, 'GTC' as const, 'IOC' as const, 'FOK' as const),
  /** Of the mark, in basis points. */
  offset: fc.integer({ min: -40, max: 40 }),
  quantity: lots,
  /** So many lots beyond the largest order that the witness would take, instead of the quantity. */
  beyond: fc.constantFrom(undefined, undefined, undefined, undefined, 0, 1),
  whole: fc.boolean(),
  reduceOnly: fc.boolean(),
  isolated: fc.boolean(),
  leg: fc.boolean(),
  selfTradePrevention: fc.constantFrom('NONE' as const, 'EXPIRE_TAKER' as const, 'EXPIRE_MAKER' as const),
});

/** What may happen. */
const contractOperation = fc.oneof(
  { weight: 10, arbitrary: placing },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('house' as const),
      symbol,
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      offset: fc.integer({ min: -30, max: 30 }),
      quantity: fc.integer({ min: 1, max: 20_000 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), member, pick: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('amend' as const),
      member,
      pick: fc.nat(9),
      offset: fc.integer({ min: -40, max: 40 }),
      quantity: fc.integer({ min: 1, max: 4_000 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('mark' as const),
      symbol,
      by: fc.integer({ min: -900, max: 900 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 300 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('leverage' as const),
      member,
      symbol,
      leverage: fc.constantFrom(3, 20, 100, 100, 125),
      isolated: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('modes' as const),
      member,
      symbol,
      isolated: fc.boolean(),
      hedge: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('margin' as const),
      member,
      by: fc.integer({ min: -800, max: 800 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('fund' as const), left: fc.constantFrom('0', '50', '100000') }),
  },
);
/** One thing that happens. */
type ContractOperation = typeof contractOperation extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const TICK = 10n ** 17n;
/** Less than may be sold at market at once. */
const LOTS_MAX = 10_000_000;
/** What is refused before money is looked at; marks that wandered far bring it about. */
const FILTERS = new Set(['PRICE_FILTER', 'LOT_SIZE', 'NOTIONAL', 'PRICE_BAND', 'MAX_NUM_ORDERS']);

function naiveOrder(
  order: Pick<PerpOrder, 'symbol' | 'side' | 'positionSide' | 'marginMode' | 'reduceOnly'> & {
    readonly price?: Ticks;
  },
  lots: number,
): NaiveOrder {
  const { symbol: name, side, positionSide, marginMode, reduceOnly, price } = order;
  const priced = price === undefined ? {} : { price: BigInt(price) * TICK };
  return { symbol: name, side, positionSide, marginMode, reduceOnly, lots, ...priced };
}

/** Drives a rig and tells the witness. */
class ContractTraffic {
  readonly rig: ContractRig;
  readonly naive: NaiveAccounts;
  readonly acceptance: NaiveAcceptance;
  readonly members: AccountNumber[] = [];
  /** What was brought in, in all. */
  brought = 0n;
  readonly fates = new Set<string>();
  readonly broken: string[] = [];
  readonly verdicts = new Set<NaiveVerdict>();
  readonly #tape = new Set<string>();
  /** Lots that members bought in books, less those they sold, by symbol. */
  readonly #inBooks = new Map<string, number>();
  /** The same of what never met a book. */
  readonly #outside = new Map<string, number>();
  readonly #ofHouse: { symbol: string; side: 'BUY' | 'SELL'; quantity: number; placed: HousePlacement }[] =
    [];
  readonly #takenOver = new TakenOver((account) => this.naive.lots(account), this.members);
  /** Who was liquidated since the operation began. */
  readonly #forced = new Set<AccountNumber>();
  #reportedTo = 0;

  constructor(rig: ContractRig) {
    this.rig = rig;
    const lotCoins = (rig.slug === 'okx' ? amount('0.0001') : amount('0.001')) as bigint;
    this.naive = new NaiveAccounts(rig.symbols.map((one) => ({ symbol: one, lotCoins })));
    const { takerFee } = rigContract(rig.slug, 'BTC');
    this.acceptance = new NaiveAcceptance(rig.slug, { lotCoins, takerFee });
    rig.perps.subscribe({ onTrade: ({ symbol: name, tradeId }) => this.#tape.add(`${name} ${tradeId}`) });
  }

  async begin(): Promise<void> {
    for (let at = 0; at < MEMBERS; at += 1) {
      const funds = 3_000 * (at + 1);
      const account = await this.rig.member(`member ${at}`, `${funds}`);
      this.members.push(account);
      this.naive.bring(account, amount(`${funds}`));
      this.brought += amount(`${funds}`);
      for (const symbol of this.rig.symbols) {
        for (const marginMode of ['CROSS', 'ISOLATED'] as const)
          await this.rig.perps.setLeverage(account, symbol, { leverage: 100, side: 'BOTH', marginMode });
        await this.rig.perps.setMarginMode(account, symbol, at % 2 === 0 ? 'CROSS' : 'ISOLATED');
        await this.rig.perps.setPositionMode(account, symbol, at < 2 ? 'ONE_WAY' : 'HEDGE');
      }
    }
  }

  async run(operation: ContractOperation): Promise<void> {
    const { rig } = this;
    this.#forced.clear();
    let ruined: readonly AccountNumber[] = [];
    switch (operation.do) {
      case 'place':
        await this.#place(operation);
        break;
      case 'house':
        this.#house(operation);
        break;
      case 'cancel':
      case 'amend':
        await this.#change(operation);
        break;
      case 'mark': {
        const name = this.#symbol(operation.symbol);
        const height = Math.round((rig.marks.get(name) ?? 0) * (1 + operation.by / 10_000));
        rig.marks.set(name, Math.max(1_000, height));
        ruined = this.members.filter((account) => this.worth(account) < -this.naive.tolerance(account));
        rig.perps.step(rig.now);
        break;
      }
      case 'pass':
        rig.pass(operation.minutes * 60_000);
        break;
      case 'fund':
        rig.perps.moveFund((amount(operation.left) - rig.perps.insuranceFund()) as Amount);
        break;
      default:
        await this.#settings(operation);
    }
    await rig.quiet();
    this.#listen();
    for (const account of ruined)
      if (!this.#forced.has(account)) this.broken.push(`${account} was below 0 and nothing became of it`);
  }

  /** All that an account has at the marks, by the witness. */
  worth(account: AccountNumber): bigint {
    return this.naive.worth(account, (name) => this.#mark(name));
  }

  /** Lots that members and house hold of each other by trades in books; what is not 0. */
  unbalanced(): string[] {
    return this.rig.symbols.flatMap((name) => {
      let lots = this.#inBooks.get(name) ?? 0;
      for (const { symbol: own, side, quantity, placed } of this.#ofHouse) {
        if (own !== name) continue;
        const rests = placed.resting === undefined ? 0 : this.rig.perps.house.remaining(own, placed.resting);
        const filled = placed.resting === undefined ? placed.executed : quantity - rests;
        lots += side === 'BUY' ? filled : -filled;
      }
      return lots === 0 ? [] : [`${name}: ${lots} lots have no other side`];
    });
  }

  /** Lots that house and venue hold against members: bought from them in books, taken over, set off, deleveraged. */
  othersHold(name: string): number {
    return (this.#inBooks.get(name) ?? 0) + (this.#outside.get(name) ?? 0);
  }

  #house(asked: Extract<ContractOperation, { do: 'house' }>): void {
    const { side, quantity } = asked;
    const name = this.#symbol(asked.symbol);
    const placed = this.rig.house(name, side, this.#price(asked), quantity);
    this.#ofHouse.push({ symbol: name, side, quantity, placed });
  }

  #mark(name: string): bigint {
    return BigInt(Math.round((this.rig.marks.get(name) ?? 0) * 1e10)) * 10n ** 8n;
  }

  /** What an account has, for the witness; @param without an order that is about to be replaced. */
  #scene(account: AccountNumber, without?: PerpOrder): NaiveScene {
    const { perps } = this.rig;
    const ticks = (at: number | undefined) => (at === undefined ? undefined : BigInt(at) * TICK);
    return {
      wallet: perps.pool(account).wallet,
      positions: perps.positions(account).map((one) => ({ ...one, lots: one.quantity })),
      orders: perps
        .openPerpOrders(account)
        .filter((one) => one.orderId !== without?.orderId && openLots(one) > 0)
        .map((one) => naiveOrder(one, openLots(one))),
      leverage: (of, long) => {
        const { leverageLong, leverageShort } = perps.setting(account, of.symbol, of.marginMode);
        return long ? leverageLong : leverageShort;
      },
      mark: (name) => this.#mark(name),
      best: (name, side) => ticks(side === 'BUY' ? perps.house.bestAsk(name) : perps.house.bestBid(name)),
      tiers: (name) => perps.tiers(name),
    };
  }

  /** The most lots that the witness takes of such an order; `undefined` when it takes any. */
  #largest(order: NaiveOrder, scene: NaiveScene): number | undefined {
    const takes = (lots: number): boolean =>
      ['ACCEPTED', 'EITHER'].includes(this.acceptance.verdict({ ...order, lots }, scene));
    let [taken, refused] = [0, LOTS_MAX];
    if (takes(refused)) return undefined;
    while (refused - taken > 1) {
      const middle = Math.floor((taken + refused) / 2);
      if (takes(middle)) taken = middle;
      else refused = middle;
    }
    return taken;
  }

  /** Whether an order that must not take would. */
  #wouldTake({ symbol: name, side, price }: NewPerpOrder | PerpOrder): boolean {
    const { house } = this.rig.perps;
    const best = side === 'BUY' ? house.bestAsk(name) : house.bestBid(name);
    return best !== undefined && price !== undefined && (side === 'BUY' ? price >= best : price <= best);
  }

  #judge(due: NaiveVerdict, fate: string, wouldTake: boolean): void {
    const passes = wouldTake ? 'WOULD_TAKE' : 'ACCEPTED';
    const may = due === 'EITHER' ? [passes, 'INSUFFICIENT_MARGIN'] : [due === 'ACCEPTED' ? passes : due];
    this.verdicts.add(due);
    if (!may.includes(fate) && !FILTERS.has(fate))
      this.broken.push(`the witness says ${may}, the venue ${fate}`);
  }

  async #place(asked: Extract<ContractOperation, { do: 'place' }>): Promise<void> {
    const account = this.#member(asked.member);
    const name = this.#symbol(asked.symbol);
    const { positionMode } = this.rig.perps.setting(account, name);
    const hedge = positionMode === 'HEDGE';
    const { side, kind, timeInForce, selfTradePrevention } = asked;
    const order: Partial<NewPerpOrder> = {
      ...{ side, kind, timeInForce, selfTradePrevention },
      ...(kind === 'MARKET' ? {} : { price: Math.round(this.#price(asked) * 10) as Ticks }),
      positionSide: hedge ? (asked.leg ? 'LONG' : 'SHORT') : 'BOTH',
      reduceOnly: !hedge && asked.reduceOnly,
      ...(this.rig.slug === 'okx' ? { marginMode: asked.isolated ? 'ISOLATED' : 'CROSS' } : {}),
      ...(kind === 'LIMIT_MAKER' && asked.leg ? { whenTaking: 'EXPIRE' as const } : {}),
    };
    const { marginMode } = this.rig.perps.setting(account, name, order.marginMode);
    const whole = asked.whole && asked.reduceOnly;
    const scene = this.#scene(account);
    const held = scene.positions.find(
      (one) => one.symbol === name && one.side === order.positionSide && one.marginMode === marginMode,
    );
    const draft = this.rig.order(account, name, order);
    const naive = naiveOrder({ ...draft, marginMode, reduceOnly: draft.reduceOnly || whole }, asked.quantity);
    const largest = asked.beyond === undefined || whole ? undefined : this.#largest(naive, scene);
    const lots = largest === undefined ? asked.quantity : Math.max(1, largest + (asked.beyond ?? 0));
    const quantity = whole ? 'WHOLE' : (lots as Lots);
    // An opening leg has nothing to close.
    const opensLeg = hedge && (draft.positionSide === 'LONG') === (side === 'BUY');
    const sized = { ...naive, lots: whole ? Math.abs(held?.lots ?? 0) : lots };
    const due = whole && opensLeg ? 'REDUCE_ONLY_NOTHING' : this.acceptance.verdict(sized, scene);
    const wouldTake = kind === 'LIMIT_MAKER' && draft.whenTaking !== 'EXPIRE' && this.#wouldTake(draft);
    const placed = await this.rig.perps.placePerp({ ...draft, quantity });
    const fate = placed.ok ? placed.value.order.status : placed.code;
    this.fates.add(fate);
    this.#judge(due, placed.ok ? 'ACCEPTED' : placed.code, wouldTake);
    if (placed.ok) this.fates.add(`${positionMode} ${marginMode}`);
  }

  async #change(asked: Extract<ContractOperation, { do: 'cancel' | 'amend' }>): Promise<void> {
    const account = this.#member(asked.member);
    const open = this.rig.perps.openPerpOrders(account);
    const order: PerpOrder | undefined = open[asked.pick % Math.max(1, open.length)];
    if (order === undefined) return;
    const ref = { orderId: order.orderId };
    if (asked.do === 'cancel') await this.rig.perps.cancelPerp(account, order.symbol, ref);
    else {
      const price = Math.round(
        this.#price({ ...asked, symbol: this.rig.symbols.indexOf(order.symbol) }) * 10,
      ) as Ticks;
      const done = await this.rig.perps.amendPerp(account, order.symbol, ref, {
        price,
        quantity: asked.quantity as Lots,
      });
      this.fates.add(done.ok ? 'AMENDED' : done.code);
    }
  }

  async #settings(asked: Extract<ContractOperation, { do: 'leverage' | 'modes' | 'margin' }>): Promise<void> {
    const [{ perps }, account] = [this.rig, this.#member(asked.member)];
    if (asked.do === 'leverage') {
      const change = {
        leverage: asked.leverage,
        side: 'BOTH',
        marginMode: asked.isolated ? 'ISOLATED' : 'CROSS',
      } as const;
      const done = await perps.setLeverage(
        account,
        this.#symbol(asked.symbol),
        this.rig.slug === 'okx' ? change : { leverage: change.leverage, side: 'BOTH' },
      );
      this.fates.add(done.ok ? 'LEVERAGE' : done.code);
    } else if (asked.do === 'modes') {
      const name = this.#symbol(asked.symbol);
      const margin = await perps.setMarginMode(account, name, asked.isolated ? 'ISOLATED' : 'CROSS');
      const mode = await perps.setPositionMode(account, name, asked.hedge ? 'HEDGE' : 'ONE_WAY');
      this.fates.add(margin.ok ? 'MARGIN_MODE' : margin.code).add(mode.ok ? 'POSITION_MODE' : mode.code);
    } else {
      const held = perps.positions(account).find(({ marginMode }) => marginMode === 'ISOLATED');
      if (held === undefined) return;
      const moved = await perps.moveMargin(held, amount(`${asked.by}`));
      this.fates.add(moved.ok ? 'MARGIN_MOVED' : moved.code);
    }
  }

  /** Hands what was told to the witness, in its order. */
  #listen(): void {
    const { reported } = this.rig;
    for (; this.#reportedTo < reported.length; this.#reportedTo += 1) {
      const one = reported[this.#reportedTo];
      if (one?.what === 'order' && one.event.fill !== undefined) {
        const { order, fill } = one.event;
        this.naive.fill(fill);
        this.fates.add(fill.origin);
        if (fill.origin === 'LIQUIDATION' || fill.origin === 'TAKEOVER') this.#forced.add(fill.account);
        const signed = fill.side === 'BUY' ? fill.quantity : -fill.quantity;
        const met = this.#tape.has(`${fill.symbol} ${fill.tradeId}`) ? this.#inBooks : this.#outside;
        met.set(fill.symbol, (met.get(fill.symbol) ?? 0) + signed);
        this.broken.push(...this.#takenOver.hear(fill));
        const legCloses = (order.positionSide === 'LONG') === (order.side === 'SELL');
        const closes = order.positionSide === 'BOTH' ? order.reduceOnly : legCloses;
        if ((closes || fill.origin !== 'MEMBER') && fill.closedQuantity !== fill.quantity)
          this.broken.push(`order ${order.orderId} grew or flipped`);
        if (order.executed > order.quantity)
          this.broken.push(`order ${order.orderId} is filled beyond its size`);
      }
      if (one?.what === 'account') for (const income of one.event.income) this.#hear(income);
      if (one?.what === 'account' && one.event.cause === 'MARGIN_MODE') this.naive.moved(one.event);
    }
  }

  #hear(income: Parameters<NaiveAccounts['decided']>[0]): void {
    this.naive.decided(income);
    if (income.kind !== 'FUNDING') return;
    this.fates.add('FUNDING');
    const key = `${income.symbol} ${income.positionSide} ${income.marginMode}`;
    const rate = BigInt(Math.round((income.rate ?? 0) * 1e8)) * 10n ** 10n;
    const due = this.naive.fundingOf(income.account, key, { mark: income.markPrice ?? 0n, rate });
    const apart = due > income.amount ? due - income.amount : income.amount - due;
    if (apart > 10n ** 10n) this.broken.push(`funding of ${income.account} is ${income.amount}, not ${due}`);
    this.naive.bring(income.account, income.amount);
    const lots = this.naive.lots(income.account).get(key) ?? 0;
    if (lots !== income.quantity)
      this.broken.push(`funding of ${income.account} counts ${income.quantity}, not ${lots}`);
  }

  #member(at: number): AccountNumber {
    return this.members[at] ?? (0 as AccountNumber);
  }

  #symbol(at: number): string {
    return this.rig.symbols[at % this.rig.symbols.length] ?? '';
  }

  #price({ symbol: at, offset }: { readonly symbol: number; readonly offset: number }): number {
    return Math.round((this.rig.marks.get(this.#symbol(at)) ?? 0) * (1 + offset / 10_000));
  }
}

/** What does not hold; an empty list means that all does. */
function brokenOf(traffic: ContractTraffic): string[] {
  const { rig, naive, members } = traffic;
  const broken = [...traffic.broken, ...traffic.unbalanced()];
  let sum = 0n;
  for (const account of members) {
    const pool = rig.perps.pool(account);
    const held = rig.perps.positions(account);
    sum += pool.wallet;
    const lots = new Map(held.map((one) => [`${one.symbol} ${one.side} ${one.marginMode}`, one.quantity]));
    expect(lots).toEqual(new Map(naive.lots(account)));
    const worth = traffic.worth(account);
    const reported = pool.wallet + pool.unrealisedPnl;
    const apart = reported > worth ? reported - worth : worth - reported;
    if (apart > naive.tolerance(account)) broken.push(`${account}: ${reported} told, is worth ${worth}`);
    if (worth < -naive.tolerance(account)) broken.push(`${account} is worth ${worth} and was not liquidated`);
    // A wallet may be below 0 while the profit of a cross position stands behind it, and only then.
    if (pool.crossWallet + pool.crossUnrealisedPnl < 0n)
      broken.push(`${account} owes ${pool.crossWallet} with ${pool.crossUnrealisedPnl} behind it`);
    const needs = held
      .filter(({ marginMode }) => marginMode === 'CROSS')
      .reduce((all, one) => all + one.maintenanceMargin + (one.notional * 5n) / 10_000n, 0n);
    const rest = pool.crossWallet + pool.crossUnrealisedPnl - pool.orderInitial;
    if (rig.slug === 'okx' && pool.orderInitial > 0n && rest < needs - naive.tolerance(account))
      broken.push(`${account} rests orders with ${rest} beside them, where positions need ${needs}`);
    for (const one of held) {
      if (one.ratio >= 1) broken.push(`${account} ${one.symbol} stands at ${one.ratio}`);
      if (one.isolatedWallet < 0n) broken.push(`${account} ${one.symbol} has margin below 0`);
      if (one.marginMode === 'CROSS' && one.isolatedWallet !== 0n) broken.push('a cross position has margin');
    }
    for (const order of rig.perps.openPerpOrders(account)) {
      if (
        order.reduceOnly &&
        !held.some((one) => one.symbol === order.symbol && one.marginMode === order.marginMode)
      )
        broken.push(`${account} rests a reduce-only order without a position`);
    }
  }
  for (const symbol of rig.symbols) {
    // Members, what the house holds of them by trades in books, and what the venue took over and has not passed on.
    const own = members.flatMap((account) => rig.perps.positions(account, symbol));
    const sum = own.reduce((lots, { quantity }) => lots + quantity, 0);
    if (sum !== traffic.othersHold(symbol)) broken.push(`${symbol}: positions sum to ${sum}`);
  }
  const fund = rig.perps.insuranceFund();
  // Winners pay at a bankruptcy price of 8 decimals: what that leaves of a wallet an empty fund owes, and it counts in the sum below.
  if (fund < -amount('0.000001')) broken.push(`the fund owes ${-fund}`);
  const lost = traffic.brought + FIRST_FUND - sum - futuresOf(rig, HOUSE) - fund;
  if (lost !== 0n) broken.push(`money is not conserved: ${lost}`);
  return broken;
}

/** What the house has in the wallets that contracts are paid from: it gave what members were credited. */
function futuresOf(rig: ContractRig, account: AccountNumber): bigint {
  return rig.slug === 'binance'
    ? rig.perps.pool(account).wallet
    : rig.exchange
        .balances(account)
        .reduce((sum, { asset, free, locked }) => (asset === 'USDT' ? sum + free + locked : sum), 0n);
}

/** Everything that a member can read. */
function readable(rig: ContractRig, members: readonly AccountNumber[]): unknown {
  const all = { limit: 100_000 };
  return members.map((account) => ({
    // A place in the queue of ADL may be one of a moment ago.
    positions: rig.perps.positions(account).map(({ adlRank: _, ...position }) => position),
    pool: rig.perps.pool(account),
    orders: rig.perps.perpOrders(account, all),
    open: rig.perps.openPerpOrders(account),
    fills: rig.perps.perpFills(account, all),
    income: rig.perps.income(account, all),
    closed: rig.perps.closedPositions(account, all),
    settings: rig.symbols.map((symbol) => rig.perps.setting(account, symbol)),
    balances: rig.exchange.balances(account),
    fund: rig.perps.insuranceFund(),
  }));
}

describe.each<PlatformSlug>(['binance', 'okx', 'bybit'])('contracts of %s', (slug) => {
  test('whatever members, house, marks and time do, a naive witness says the same, and all money with what an empty fund owes sums to zero', async () => {
    const fates = new Set<string>();
    const verdicts = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(contractOperation, { minLength: 20, maxLength: 120, size: 'max' }),
        async (operations) => {
          const rig = await ContractRig.open(slug);
          const traffic = new ContractTraffic(rig);
          try {
            await traffic.begin();
            for (const operation of operations) {
              await traffic.run(operation);
              rig.perps.step(rig.now);
              await rig.quiet();
              await traffic.run({ do: 'pass', minutes: 0 });
              expect(brokenOf(traffic), JSON.stringify(operation)).toEqual([]);
            }
          } finally {
            await rig.exchange.close();
          }
          for (const fate of traffic.fates) fates.add(fate);
          for (const verdict of traffic.verdicts) verdicts.add(verdict);
        },
      ),
      { numRuns: runs(15, 5) },
    );
    for (const verdict of ['ACCEPTED', 'REDUCE_ONLY_NOTHING', 'TIER_EXCEEDED', 'INSUFFICIENT_MARGIN'])
      expect(verdicts, [...verdicts].join(' ')).toContain(verdict);
    const modes = ['ONE_WAY CROSS', 'ONE_WAY ISOLATED', 'HEDGE CROSS', 'HEDGE ISOLATED'];
    for (const fate of ['FILLED', 'FUNDING', 'LEVERAGE', ...modes])
      expect(fates, [...fates].join(' ')).toContain(fate);
    expect(fates.has('LIQUIDATION') || fates.has('TAKEOVER'), [...fates].join(' ')).toBe(true);
  });

  test('a copy of the data directory taken at any moment opens to the same accounts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(contractOperation, { minLength: 10, maxLength: 60 }),
        fc.nat(59),
        async (operations, cut) => {
          const directory = await mkdtemp(join(tmpdir(), 'crossbook-contracts-'));
          const dataDirectory = join(directory, 'live');
          const rig = await ContractRig.open(slug, { dataDirectory });
          const traffic = new ContractTraffic(rig);
          try {
            await traffic.begin();
            for (const operation of operations.slice(0, cut)) await traffic.run(operation);
            // An order may have been taken at a price that is due for liquidation at once.
            rig.perps.step(rig.now);
            await rig.exchange.durable();
            const before = readable(rig, traffic.members);
            const copy = join(directory, 'copy');
            await cp(dataDirectory, copy, { recursive: true, filter: (path) => !path.endsWith('lock') });
            // First from the journal, then from the snapshot that the first one wrote when it closed.
            for (const from of ['journal', 'snapshot']) {
              const again = await ContractRig.open(slug, {
                dataDirectory: copy,
                now: rig.now,
                marks: rig.marks,
              });
              const after = readable(again, traffic.members);
              await again.exchange.close();
              expect(after, from).toEqual(before);
            }
          } finally {
            await rig.exchange.close();
            await rm(directory, { recursive: true, force: true });
          }
        },
      ),
      { numRuns: runs(6, 10) },
    );
  });
});
