import { type Amount, amount, type Lots, type Ticks } from '@crossbook/domain';
import fc from 'fast-check';
import type { AccountNumber } from '../exchange.ts';
import type { NewPerpOrder, PerpOrder } from '../perp-exchange.ts';
import { ContractRig } from './contract-rig.fixture.ts';
import { NaiveAccounts } from './naive-accounts.ts';

/** For tests only: random traffic of three members and the house on contracts, watched by a second witness. */

const MEMBERS = 3;
const member = fc.integer({ min: 0, max: MEMBERS - 1 });
const symbol = fc.nat(1);

const placing = fc.record({
  do: fc.constant('place' as const),
  member,
  symbol,
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  kind: fc.constantFrom('LIMIT' as const, 'LIMIT' as const, 'MARKET' as const, 'LIMIT_MAKER' as const),
  timeInForce: fc.constantFrom('GTC' as const, 'GTC' as const, 'IOC' as const, 'FOK' as const),
  /** Of the mark, in basis points. */
  offset: fc.integer({ min: -60, max: 60 }),
  quantity: fc.integer({ min: 1, max: 1_500 }),
  whole: fc.boolean(),
  reduceOnly: fc.boolean(),
  isolated: fc.boolean(),
  leg: fc.boolean(),
  selfTradePrevention: fc.constantFrom('NONE' as const, 'EXPIRE_TAKER' as const, 'EXPIRE_MAKER' as const),
});

/** What may happen. */
export const contractOperation = fc.oneof(
  { weight: 10, arbitrary: placing },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('house' as const),
      symbol,
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      offset: fc.integer({ min: -50, max: 50 }),
      quantity: fc.integer({ min: 1, max: 3_000 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), member, pick: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('amend' as const),
      member,
      pick: fc.nat(9),
      offset: fc.integer({ min: -60, max: 60 }),
      quantity: fc.integer({ min: 1, max: 1_500 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('mark' as const),
      symbol,
      by: fc.integer({ min: -300, max: 300 }),
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
      leverage: fc.constantFrom(1, 3, 10, 50, 100, 125),
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
export type ContractOperation = typeof contractOperation extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Drives a rig and tells the witness. */
export class ContractTraffic {
  readonly rig: ContractRig;
  readonly naive: NaiveAccounts;
  readonly members: AccountNumber[] = [];
  /** What was brought in, in all. */
  brought = 0n;
  readonly fates = new Set<string>();
  readonly broken: string[] = [];
  #toldTo = 0;

  constructor(rig: ContractRig) {
    this.rig = rig;
    const lotCoins = (rig.slug === 'okx' ? amount('0.0001') : amount('0.001')) as bigint;
    this.naive = new NaiveAccounts(rig.symbols.map((one) => ({ symbol: one, lotCoins })));
  }

  async begin(): Promise<void> {
    for (let at = 0; at < MEMBERS; at += 1) {
      const funds = 3_000 * (at + 1);
      const account = await this.rig.member(`member ${at}`, `${funds}`);
      this.members.push(account);
      this.naive.bring(account, amount(`${funds}`));
      this.brought += amount(`${funds}`);
    }
  }

  async run(operation: ContractOperation): Promise<void> {
    const { rig } = this;
    switch (operation.do) {
      case 'place':
        await this.#place(operation);
        break;
      case 'house':
        rig.house(this.#symbol(operation.symbol), operation.side, this.#price(operation), operation.quantity);
        break;
      case 'cancel':
      case 'amend':
        await this.#change(operation);
        break;
      case 'mark': {
        const name = this.#symbol(operation.symbol);
        rig.clearHouse(name);
        rig.mark(name, Math.max(1_000, Math.round((rig.marks.get(name) ?? 0) * (1 + operation.by / 10_000))));
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
      quantity: asked.whole && asked.reduceOnly ? 'WHOLE' : (asked.quantity as Lots),
      ...(this.rig.slug === 'okx' ? { marginMode: asked.isolated ? 'ISOLATED' : 'CROSS' } : {}),
      ...(kind === 'LIMIT_MAKER' && asked.leg ? { whenTaking: 'EXPIRE' as const } : {}),
    };
    const placed = await this.rig.perps.placePerp(this.rig.order(account, name, order));
    this.fates.add(placed.ok ? placed.value.order.status : placed.code);
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
    const { perps } = this.rig;
    const account = this.#member(asked.member);
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
    const { told } = this.rig;
    for (; this.#toldTo < told.length; this.#toldTo += 1) {
      const one = told[this.#toldTo];
      if (one?.what === 'order' && one.event.fill !== undefined) {
        const { order, fill } = one.event;
        this.naive.fill(fill);
        this.fates.add(fill.origin);
        const legCloses = (order.positionSide === 'LONG') === (order.side === 'SELL');
        const closes = order.positionSide === 'BOTH' ? order.reduceOnly : legCloses;
        if (closes && fill.closedQuantity !== fill.quantity)
          this.broken.push(`order ${order.orderId} grew or flipped`);
        if (order.executed > order.quantity)
          this.broken.push(`order ${order.orderId} is filled beyond its size`);
      }
      if (one?.what === 'account') for (const income of one.event.income) this.#hear(income);
    }
  }

  #hear(income: Parameters<NaiveAccounts['decided']>[0]): void {
    this.naive.decided(income);
    if (income.kind !== 'FUNDING') return;
    this.fates.add('FUNDING');
    this.naive.bring(income.account, income.amount);
    // The naive position decides what is due: the income only names mark and rate.
    const key = `${income.symbol} ${income.positionSide} ${income.marginMode}`;
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
