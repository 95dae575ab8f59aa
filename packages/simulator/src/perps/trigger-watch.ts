import type { Ticks } from '@crossbook/domain';
import type { Keeper } from '../accounts/state/keeper.ts';
import type { SimTrade } from '../exchange.ts';
import type { WaitingConditional } from '../perp-conditionals.ts';
import { ended, fired, refusedWith, type Triggering } from '../triggers/conditional-order.ts';
import { isReached, type PriceKind } from '../triggers/trigger.ts';
import type { DueOrder, SeenPrice } from '../triggers/trigger-index.ts';
import type { FollowedPrices } from './followed-prices.ts';
import { takenOrder } from './order-checks.ts';
import type { ContractDesk, DeskTools, TakenOrder } from './state/contract-desk.ts';
import { ContractStep } from './state/contract-step.ts';
import { restingBeside, takeFromStop, targetsBeside } from './state/split-targets.ts';

/** Prices that wait to be looked at; beyond them the oldest go, and the next look finds the newest. */
const PRICES_QUEUED_MAX = 10_000;
/** What the venue states besides its trades. */
const STATED: readonly PriceKind[] = ['MARK', 'INDEX'];
const ALL: readonly PriceKind[] = ['LAST', ...STATED];

/** What the watch works with. */
export interface WatchParts {
  readonly tools: DeskTools;
  readonly prices: FollowedPrices;
  desk(symbol: string): ContractDesk;
  /** Somebody is about to trade there: the book is full afterwards. */
  look(symbol: string): void;
  readonly keeper: Pick<Keeper, 'open'>;
  onFault(fault: unknown): void;
}

/** Lets conditional orders fire: at every trade, at the clock's pace, and in the moments of a downtime. */
export class TriggerWatch {
  readonly #parts: WatchParts;
  readonly #queue: { readonly symbol: string; readonly price: number }[] = [];
  /** The last trade of each contract that was looked at. */
  readonly #tradeIds = new Map<string, number>();
  #due = false;
  #begun = false;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /** Agents trade from now on: what fires meets a book. */
  begin(): void {
    this.#begun = true;
  }

  /** A trade was made. What follows from it happens when the step that made it is over. */
  traded({ symbol, price, tradeId }: SimTrade): void {
    this.#tradeIds.set(symbol, tradeId);
    const index = this.#parts.tools.contracts.conditionals.index(symbol);
    if (index === undefined) return;
    const last = this.#queue.findLast((one) => one.symbol === symbol);
    if (last?.price === price) return;
    const { moved, due } = index.effectOf([{ by: 'LAST', price }]);
    // After one that matters every price does: it meets what that one changed.
    if (this.#queue.length === 0 && moved.length === 0 && due.length === 0) return;
    this.#queue.push({ symbol, price });
    if (this.#queue.length > PRICES_QUEUED_MAX) this.#queue.shift();
    if (this.#due) return;
    this.#due = true;
    Promise.resolve()
      .then(() => this.#drain())
      .catch((fault: unknown) => this.#parts.onFault(fault));
  }

  /** Looks at every price that anybody waits for. @param live whether agents trade, or a moment is worked out later. */
  step(live: boolean): void {
    const { tools, prices } = this.#parts;
    const when = { time: tools.stats.now(), live };
    // What was traded in a downtime is looked at by its moments.
    if (!live) this.#tradeIds.clear();
    for (const symbol of tools.contracts.conditionals.symbolsWaiting()) {
      if (live) this.#look(symbol);
      const seen = (live ? STATED : ALL).flatMap((by): SeenPrice[] => {
        const price = prices.at(symbol, by, when);
        return price === undefined ? [] : [{ by, price }];
      });
      this.#see(symbol, seen, live);
    }
  }

  /** Lets everything fire that trades until now were for: who comes next waits for those after them. */
  upToNow(desk: ContractDesk | undefined): ContractDesk | undefined {
    if (desk !== undefined) this.#look(desk.facts.symbol);
    return desk;
  }

  /** Every trade of a contract since the last look: those of a market that slept are found by it. */
  #look(symbol: string): void {
    this.#drain();
    if (!this.#parts.keeper.open) return;
    const before = this.#tradeIds.get(symbol);
    const trades = this.#parts.prices.trades(symbol, before);
    const newest = trades.at(-1);
    if (newest === undefined) return;
    this.#tradeIds.set(symbol, newest.tradeId);
    // Of what was traded before anybody waited the newest alone counts.
    for (const { price } of before === undefined ? [newest] : trades)
      this.#see(symbol, [{ by: 'LAST', price }], true);
  }

  #drain(): void {
    this.#due = false;
    if (!this.#begun || !this.#parts.keeper.open) return;
    for (const { symbol, price } of this.#queue.splice(0)) this.#see(symbol, [{ by: 'LAST', price }], true);
  }

  #see(symbol: string, seen: readonly SeenPrice[], live: boolean): void {
    const { tools, desk, look } = this.#parts;
    const index = tools.contracts.conditionals.index(symbol);
    if (index === undefined || desk.call(this.#parts, symbol).status !== 'TRADING') return;
    const { moved, due } = index.effectOf(seen);
    if (moved.length > 0) {
      const step = new ContractStep(tools);
      for (const order of moved) step.conditional({ ...order, updatedAt: step.time }, 'MOVED');
      tools.finish(step, () => undefined);
    }
    if (due.length > 0 && live) {
      tools.settle();
      look.call(this.#parts, symbol);
    }
    for (const one of due) this.#fire(one, live);
  }

  /** Sends what an order is for, whose price came; the others of its group end with it. */
  #fire({ order: found, price }: DueOrder<WaitingConditional>, live: boolean): void {
    const { tools, prices } = this.#parts;
    const { conditionals } = tools.contracts;
    const { account, symbol } = found.sends;
    const desk = this.#parts.desk(symbol);
    // What fired before it may have ended it, or changed it. Without an id to give it waits for the next look.
    const order = conditionals.find(account, found);
    if (order?.state !== 'WAITING' || !isReached(order.trigger, price) || !desk.ids.allows()) return;
    if (order.guarded === true && prices.areApart(symbol, { time: tools.stats.now(), live })) return;
    const group = conditionals.index(symbol)?.siblings(order) ?? [];
    const siblings = [...group, ...targetsBeside(tools, order)];
    const step = new ContractStep(tools);
    const firing = fired(order, price, step.time);
    step.conditional(firing, 'TRIGGERING');
    const over = siblings.map((one) => ended(one, { state: 'CANCELLED', cause: 'SIBLING' }, step.time));
    // They are over at once, and reported after what was sent.
    for (const one of over) step.put({ put: 'conditional', order: one });
    for (const resting of restingBeside(tools, order))
      desk.cancel(step, resting, { status: 'CANCELED', cause: 'CANCELED' });
    const trades = this.#send(step, desk, { firing, live });
    const isSent = conditionals.find(account, order)?.state !== 'REFUSED';
    if (isSent && order.attached?.rests !== true)
      takeFromStop(step, tools, order, Number(order.sends.quantity));
    for (const one of over)
      step.events.push({ tell: 'conditional', event: { cause: 'CANCELLED', order: one } });
    desk.finish(step, trades);
  }

  #send(
    step: ContractStep,
    desk: ContractDesk,
    { firing, live }: { readonly firing: Triggering<WaitingConditional['sends']>; readonly live: boolean },
  ): readonly SimTrade[] {
    const { tools, prices } = this.#parts;
    const taken = takenOrder(firing.sends, desk, tools);
    if (!taken.ok) {
      step.conditional(refusedWith(firing, taken.code, step.time), 'REFUSED');
      return [];
    }
    const asked: TakenOrder = { ...taken.value, algoId: firing.algoId };
    const when = { time: step.time, live };
    const stood = live
      ? undefined
      : (prices.at(asked.symbol, 'LAST', when) ?? prices.at(asked.symbol, 'MARK', when));
    if (stood === undefined || !isTaken(asked, stood)) return desk.place(step, asked).trades;
    desk.placeOutside(step, asked, Math.max(1, Math.round(stood)) as Ticks);
    return [];
  }
}

/** Whether a book that stood at a price would have filled it. */
function isTaken({ kind, side, price = 0 as Ticks }: TakenOrder, stood: number): boolean {
  if (kind === 'MARKET') return true;
  return kind === 'LIMIT' && (side === 'BUY' ? price >= stood : price <= stood);
}
