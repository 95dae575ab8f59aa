import { writeSync } from 'node:fs';
import {
  type Amount,
  amount,
  type Lots,
  type Millis,
  PLATFORMS,
  type PlatformSlug,
  type Ticks,
} from '@crossbook/domain';
import type { AccountNumber } from '../exchange.ts';
import type { NewConditionalLeg } from '../perp-conditionals.ts';
import type { NewPerpOrder, PerpFill, PerpIncome, PerpOrder } from '../perp-exchange.ts';
import { ContractRig } from '../perps/contract-rig.fixture.ts';
import { dice } from './traffic.fixture.ts';

/** What every round brings in for each member. */
export const CONTRACT_FUNDS = '20000';
/** Label of each member, and how it trades: by legs or not, and how its margin is kept. */
export const CONTRACT_MEMBERS = [
  { label: 'crosser', hedge: false, isolated: false },
  { label: 'isolator', hedge: false, isolated: true },
  { label: 'hedger', hedge: true, isolated: false },
] as const;
const HOUR_MILLIS = 3_600_000;
const MINUTE_MILLIS = 60_000;
const WORKERS = 8;
const LEVERAGE = 100;

/** One line of the child's output; fills, incomes and orders of both kinds as JSON, so that nothing of them may change unseen. */
export type ContractLine =
  | { readonly kind: 'ready' }
  /** The clock is about to stand here. */
  | { readonly kind: 'clock'; readonly time: number }
  | { readonly kind: 'sent' | 'done' | 'refused'; readonly id: string }
  | { readonly kind: 'order' | 'fill' | 'income' | 'conditional'; readonly json: string }
  /** A margin mode of the whole account that is asked for with so many positions, and again once it is acknowledged. */
  | {
      readonly kind: 'mode';
      readonly acknowledged: boolean;
      readonly account: number;
      readonly isolated: boolean;
      readonly held: number;
      readonly time: number;
    }
  /** A leverage that is asked for, and again once it is acknowledged. */
  | {
      readonly kind: 'leverage';
      readonly acknowledged: boolean;
      readonly account: number;
      readonly symbol: string;
      readonly leverage: number;
      readonly isolated: boolean;
      readonly time: number;
    };

/** Anything of the exchange as text that two processes can compare. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));
}

/** The mark at any time, the same in every process: swings that liquidate who is highly levered, and gaps that bankrupt. */
export function swingingMark(symbol: string, time: Millis): number {
  const turn = (hours: number): number => Math.sin((2 * Math.PI * time) / (hours * HOUR_MILLIS));
  const lag = symbol.startsWith('ETH') ? turn(5) : turn(7);
  const gap = time % (2 * HOUR_MILLIS) < 10 * MINUTE_MILLIS ? 1_500 : 0;
  return Math.round((60_000 + 600 * lag + 400 * turn(0.9) - gap) * 100) / 100;
}

/** Opens the directory as the traffic and its judge both do. */
export function openContractTraffic(
  slug: PlatformSlug,
  dataDirectory: string,
  now: Millis,
): Promise<ContractRig> {
  const limits = { journalBytesMax: 200_000 };
  return ContractRig.open(slug, { dataDirectory, now, path: swingingMark, journalLimits: limits });
}

// Written at once and whole: what the parent reads had been acknowledged before the kill.
function tell(line: ContractLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

/** Endless orders, leverage changes, margin moves and transfers by several members, while time runs and marks swing. */
class ContractTraffic {
  readonly #rig: ContractRig;
  readonly #members: readonly AccountNumber[];
  readonly #roll: (sides: number) => number;
  readonly #round: number;
  #count = 0;

  constructor(rig: ContractRig, members: readonly AccountNumber[], round: number) {
    this.#rig = rig;
    this.#members = members;
    this.#round = round;
    this.#roll = dice(round * 7_919 + 1);
    rig.perps.subscribePerps({
      onPerpOrder: ({ order, fill }) => {
        if (fill !== undefined) tell({ kind: 'fill', json: jsonOf(fill satisfies PerpFill) });
        tell({ kind: 'order', json: jsonOf(order satisfies PerpOrder) });
      },
      onPerpConditional: ({ order }) => tell({ kind: 'conditional', json: jsonOf(order) }),
      onPerpAccount: ({ income }) => {
        for (const one of income) tell({ kind: 'income', json: jsonOf(one satisfies PerpIncome) });
      },
    });
  }

  async run(): Promise<void> {
    tell({ kind: 'ready' });
    await Promise.all(Array.from({ length: WORKERS }, () => this.#worker()));
  }

  async #worker(): Promise<never> {
    for (;;) {
      this.#pass();
      this.#house();
      const at = this.#roll(CONTRACT_MEMBERS.length);
      // Only at Bybit does a margin mode take along what is held.
      const what = this.#roll(this.#rig.slug === 'bybit' ? 30 : 28);
      this.#count += 1;
      const id = `r${this.#round}-${this.#count}`;
      tell({ kind: 'sent', id });
      const done = await this.#act(what, at, id);
      tell({ kind: done ? 'done' : 'refused', id });
    }
  }

  /** @returns whether it was accepted. */
  #act(what: number, at: number, id: string): Promise<boolean> {
    if (what < 15) return this.#place(at, id);
    if (what < 19) return this.#change(at, id, what < 17);
    if (what < 21) return this.#leverage(at);
    if (what < 24) return what < 22 ? this.#margin(at) : this.#transfer(at, id);
    if (what >= 28) return this.#switch(at);
    return what < 26 ? this.#place(at, id, this.#bracket()) : this.#stops(at, id);
  }

  /** Seconds, while agents would trade, or minutes that are worked out as a downtime is. */
  #pass(): void {
    const rig = this.#rig;
    const step = this.#roll(3) === 0 ? (2 + this.#roll(5)) * MINUTE_MILLIS : 1_000 * (1 + this.#roll(8));
    const time = (rig.now + step + 1) as Millis;
    tell({ kind: 'clock', time });
    rig.now = time;
    rig.perps.step(time);
  }

  #house(): void {
    const symbol = this.#symbol();
    if (this.#roll(6) === 0) this.#rig.clearHouse(symbol);
    const side = this.#roll(2) === 0 ? 'BUY' : 'SELL';
    this.#rig.house(symbol, side, this.#price(symbol), 100 + this.#roll(900));
  }

  /** A take profit and a stop loss that are as likely to be reached as the mark swings. */
  #bracket(): { readonly profit: number; readonly loss: number } {
    return { profit: 50 + this.#roll(300), loss: 50 + this.#roll(300) };
  }

  /** An OCO that closes at market, in either direction. */
  async #stops(at: number, id: string): Promise<boolean> {
    const { profit, loss } = this.#bracket();
    const symbol = this.#symbol();
    const side = this.#roll(2) === 0 ? 'BUY' : 'SELL';
    const { positionSide, marginMode } = this.#modes(at);
    const price = Math.round(swingingMark(symbol, this.#rig.now));
    const leg = (direction: 'RISE' | 'FALL', trigger: number): NewConditionalLeg => ({
      purpose: (direction === 'RISE') === (side === 'SELL') ? 'TAKE_PROFIT' : 'STOP',
      trigger: { at: 'PRICE', by: 'MARK', direction, price: (trigger * 10) as Ticks },
      sends: this.#rig.order(this.#account(at), symbol, {
        ...{ side, positionSide, ...marginMode, quantity: (50 + this.#roll(900)) as Lots },
        ...{ reduceOnly: positionSide === 'BOTH', clientId: `${id}${direction}` },
      }),
    });
    const legs = [leg('RISE', price + profit), leg('FALL', price - loss)] as const;
    return (await this.#rig.perps.conditionals.place({ legs: [...legs] })).ok;
  }

  #modes(at: number) {
    const { hedge, isolated } = this.#member(at);
    const leg = this.#roll(2) === 0 ? ('LONG' as const) : ('SHORT' as const);
    const mode = isolated ? ('ISOLATED' as const) : ('CROSS' as const);
    return {
      positionSide: hedge ? leg : ('BOTH' as const),
      marginMode: this.#rig.slug === 'okx' ? { marginMode: mode } : {},
    };
  }

  async #place(
    at: number,
    id: string,
    bracket?: { readonly profit: number; readonly loss: number },
  ): Promise<boolean> {
    const { hedge } = this.#member(at);
    const { positionSide, marginMode } = this.#modes(at);
    const symbol = this.#symbol();
    const side = this.#roll(2) === 0 ? 'BUY' : 'SELL';
    const price = this.#price(symbol);
    const legAt = (away: number) => ({
      by: 'MARK' as const,
      trigger: Math.round((price + (side === 'BUY' ? away : -away)) * 10) as Ticks,
    });
    const market = bracket === undefined && this.#roll(5) === 0;
    const order: Partial<NewPerpOrder> & { at?: number } = {
      ...{ side, positionSide, ...marginMode },
      quantity: (50 + this.#roll(900)) as Lots,
      reduceOnly: !hedge && bracket === undefined && this.#roll(5) === 0,
      selfTradePrevention: this.#roll(2) === 0 ? 'EXPIRE_MAKER' : 'EXPIRE_TAKER',
      clientId: id,
      ...(market ? {} : { at: price }),
      ...(bracket === undefined
        ? {}
        : {
            attached: { extent: 'PART', takeProfit: legAt(bracket.profit), stopLoss: legAt(-bracket.loss) },
          }),
    };
    return (await this.#rig.perps.placePerp(this.#rig.order(this.#account(at), symbol, order))).ok;
  }

  async #change(at: number, id: string, cancels: boolean): Promise<boolean> {
    const { perps } = this.#rig;
    const open = perps.openPerpOrders(this.#account(at));
    const order = open[this.#roll(Math.max(1, open.length))];
    if (order === undefined) return false;
    const ref = { orderId: order.orderId };
    if (cancels) return (await perps.cancelPerp(order.account, order.symbol, ref, `${id}c`)).ok;
    const change = { quantity: (order.executed + 1 + this.#roll(900)) as Lots };
    return (await perps.amendPerp(order.account, order.symbol, ref, change)).ok;
  }

  async #leverage(at: number): Promise<boolean> {
    const [account, symbol] = [this.#account(at), this.#symbol()];
    const { isolated } = this.#member(at);
    const leverage = [50, 75, LEVERAGE][this.#roll(3)] ?? LEVERAGE;
    const line = { kind: 'leverage', account, symbol, leverage, isolated, time: this.#rig.now } as const;
    tell({ ...line, acknowledged: false });
    // Only at OKX is it one of a margin mode.
    const mode = this.#rig.slug === 'okx' ? ({ marginMode: isolated ? 'ISOLATED' : 'CROSS' } as const) : {};
    const done = await this.#rig.perps.setLeverage(account, symbol, { leverage, side: 'BOTH', ...mode });
    if (done.ok) tell({ ...line, acknowledged: true });
    return done.ok;
  }

  /** The other margin mode, once nothing of the member is open that forbids it. */
  async #switch(at: number): Promise<boolean> {
    const { perps } = this.#rig;
    const account = this.#account(at);
    const orders = perps.openPerpOrders(account);
    const cancels = orders.map(({ symbol, orderId }) => perps.cancelPerp(account, symbol, { orderId }));
    await Promise.all([...cancels, perps.conditionals.cancelAll(account)]);
    const symbol = this.#symbol();
    const isolated = perps.setting(account, symbol).marginMode === 'CROSS';
    const held = perps.positions(account).length;
    const line = { kind: 'mode', account, isolated, held, time: this.#rig.now } as const;
    tell({ ...line, acknowledged: false });
    const done = await perps.setMarginMode(account, symbol, isolated ? 'ISOLATED' : 'CROSS');
    if (done.ok) tell({ ...line, acknowledged: true });
    return done.ok;
  }

  async #margin(at: number): Promise<boolean> {
    const { perps } = this.#rig;
    const held = perps.positions(this.#account(at)).find(({ marginMode }) => marginMode === 'ISOLATED');
    return held === undefined ? false : (await perps.moveMargin(held, amount(`${this.#roll(200) - 50}`))).ok;
  }

  async #transfer(at: number, id: string): Promise<boolean> {
    const to = this.#account(this.#roll(CONTRACT_MEMBERS.length));
    const pockets =
      this.#rig.slug === 'binance' ? ({ fromPocket: 'FUTURES', toPocket: 'FUTURES' } as const) : {};
    const value = (BigInt(1 + this.#roll(300_000)) * 10n ** 15n) as Amount;
    const move = { from: this.#account(at), to, asset: 'USDT', amount: value, transferId: id, ...pockets };
    return (await this.#rig.exchange.transfer(move)).ok;
  }

  #price(symbol: string): number {
    return swingingMark(symbol, this.#rig.now) + this.#roll(61) - 30;
  }

  #symbol(): string {
    return this.#rig.symbols[this.#roll(2)] ?? '';
  }

  #account(at: number): AccountNumber {
    return this.#members[at] ?? (0 as AccountNumber);
  }

  #member(at: number): { readonly hedge: boolean; readonly isolated: boolean } {
    return CONTRACT_MEMBERS[at] ?? CONTRACT_MEMBERS[0];
  }
}

/** Brings this round's money in and sets the modes. */
async function prepared(rig: ContractRig, round: number): Promise<AccountNumber[]> {
  const members: AccountNumber[] = [];
  for (const { label, hedge, isolated } of CONTRACT_MEMBERS) {
    const account = await rig.exchange.openAccount(label);
    await rig.exchange.credit(account, 'USDT', amount(CONTRACT_FUNDS), `in ${label} ${round}`);
    if (rig.slug === 'binance')
      await rig.perps.movePocket(account, amount(CONTRACT_FUNDS), `to ${label} ${round}`);
    members.push(account);
    for (const symbol of round > 0 ? [] : rig.symbols) {
      await rig.perps.setMarginMode(account, symbol, isolated ? 'ISOLATED' : 'CROSS');
      await rig.perps.setPositionMode(account, symbol, hedge ? 'HEDGE' : 'ONE_WAY');
      for (const marginMode of ['CROSS', 'ISOLATED'] as const)
        await rig.perps.setLeverage(account, symbol, { leverage: LEVERAGE, side: 'BOTH', marginMode });
    }
  }
  return members;
}

const [, script, venue, directory, round, now] = process.argv;
if (script?.endsWith('contract-commands.fixture.ts') && directory !== undefined) {
  const slug = PLATFORMS.find((platform) => platform.slug === venue)?.slug ?? 'binance';
  const rig = await openContractTraffic(slug, directory, Number(now) as Millis);
  await new ContractTraffic(rig, await prepared(rig, Number(round)), Number(round)).run();
}
