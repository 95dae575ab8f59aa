import { type Amount, amount, type Millis, plus, ZERO } from '@crossbook/domain';
import type { AccountNumber } from '../exchange.ts';
import type { HeldPosition } from '../journal/contract-entries.ts';
import type { FundingPayment, PerpFacts, PerpStats } from '../venue.ts';
import { cancelCostly } from './costly-orders.ts';
import { liquidateAccount } from './liquidation.ts';
import { greater } from './margin/rounding.ts';
import type { ContractDesk, DeskTools } from './state/contract-desk.ts';
import { keyText } from './state/contract-state.ts';
import { ContractStep } from './state/contract-step.ts';

const MINUTE_MILLIS = 60_000;
/** A pause that is longer was a downtime: its moments are worked out one by one. */
const PAUSE_MILLIS_MAX = 10_000;
/** Moments at which a downtime is looked at, funding times not counted; a longer one is looked at more coarsely. */
const MOMENTS_MAX = 2_000;
/** Rates are published with eight decimals. */
const RATE_DECIMALS = 8;

/** What happens by the clock, and what it is made from. */
export interface SchedulerParts {
  readonly tools: DeskTools;
  readonly contracts: ReadonlyMap<string, PerpFacts>;
  readonly clock: () => Millis;
  desk(symbol: string): ContractDesk;
  /** Somebody is about to trade there: the book is full afterwards. */
  look(symbol: string): void;
  stats(symbol: string, time: Millis): PerpStats;
  /** Lets conditional orders fire whose price came. @param live whether agents trade. */
  triggers(live: boolean): void;
  /** What was paid at a funding time. */
  payment(symbol: string, time: Millis): FundingPayment | undefined;
}

/** Funding, triggers and liquidations: they come at their time though nobody looks, and after a downtime in their order. */
export class ContractScheduler {
  readonly #parts: SchedulerParts;
  /** Of each account what it was warned of: its cross pool, isolated positions by key. */
  readonly #warned = new Map<AccountNumber, ReadonlySet<string>>();
  #settledTo: Millis;
  #keptAt = 0;
  #busy = false;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    const { settledTo } = parts.tools.contracts;
    this.#settledTo = settledTo === 0 ? parts.clock() : settledTo;
  }

  /** Lets the funding happen that is due: before anything else may change a position. */
  settle(): void {
    const now = this.#parts.clock();
    if (this.#busy || now <= this.#settledTo || !this.#fundingWithin(this.#settledTo, now)) return;
    this.#run(now, false);
  }

  /** Lets everything happen that is due at `now`. @param live whether agents trade. */
  step(now: Millis, live: boolean): void {
    if (this.#busy || now < this.#settledTo) return;
    this.#run(now, true, live);
  }

  /** Pays funding at once, at the rate and mark of now, whatever the time. */
  fundNow(symbol: string): void {
    const now = this.#parts.clock();
    const { fundingRate, mark } = this.#parts.stats(symbol, now);
    this.#fund(symbol, { time: now, rate: fundingRate, mark });
  }

  #run(now: Millis, liquidations: boolean, live = true): void {
    const { tools } = this.#parts;
    this.#busy = true;
    try {
      const { anyHeld, anyOverdrawn, conditionals } = tools.contracts;
      if (anyHeld || anyOverdrawn || conditionals.anyWaiting) this.#pass(now, liquidations, live);
      this.#settledTo = now;
    } finally {
      this.#busy = false;
    }
  }

  #pass(now: Millis, liquidations: boolean, live: boolean): void {
    const { tools } = this.#parts;
    const from = this.#settledTo;
    const slept = now - from > PAUSE_MILLIS_MAX;
    for (const moment of this.#moments(from, now, slept && liquidations)) {
      tools.stats.at(moment, () => {
        this.#fundAt(moment);
        if (slept && liquidations) this.#look(false);
      });
    }
    if (liquidations) this.#look(live);
    if (now - this.#keptAt >= MINUTE_MILLIS) this.#keepTime(now);
  }

  /** Funding times after `from` up to `now`, and of a downtime its minutes too, ascending. */
  #moments(from: Millis, now: Millis, withMinutes: boolean): Millis[] {
    const moments = new Set<Millis>();
    for (const every of this.#intervals()) {
      for (let at = (Math.floor(from / every) + 1) * every; at <= now; at += every) moments.add(at as Millis);
    }
    if (withMinutes) {
      const coarse = Math.max(1, Math.ceil((now - from) / MINUTE_MILLIS / MOMENTS_MAX)) * MINUTE_MILLIS;
      for (let at = (Math.floor(from / coarse) + 1) * coarse; at <= now; at += coarse)
        moments.add(at as Millis);
    }
    return [...moments].sort((a, b) => a - b);
  }

  #fundingWithin(from: Millis, now: Millis): boolean {
    if (!this.#parts.tools.contracts.anyHeld) return false;
    for (const every of this.#intervals())
      if (Math.floor(from / every) < Math.floor(now / every)) return true;
    return false;
  }

  /** How often funding is paid on what anybody holds. */
  #intervals(): Set<number> {
    const held = this.#parts.tools.contracts.allPositions();
    return new Set(held.flatMap(({ symbol }) => this.#parts.contracts.get(symbol)?.fundingEveryMillis ?? []));
  }

  #fundAt(moment: Millis): void {
    const symbols = new Set(this.#parts.tools.contracts.allPositions().map(({ symbol }) => symbol));
    for (const symbol of symbols) {
      const every = this.#parts.contracts.get(symbol)?.fundingEveryMillis ?? Number.POSITIVE_INFINITY;
      const payment = moment % every === 0 ? this.#parts.payment(symbol, moment) : undefined;
      if (payment !== undefined) this.#fund(symbol, payment);
    }
  }

  #fund(symbol: string, { rate: shown, mark: shownMark }: FundingPayment): void {
    const { tools } = this.#parts;
    const held = tools.contracts.allPositions(symbol);
    if (held.length === 0) return;
    const step = new ContractStep(tools);
    const rate = amount(shown.toFixed(RATE_DECIMALS));
    const mark = amount(shownMark.toFixed(RATE_DECIMALS));
    for (const position of held) this.#pay(step, position, { rate, mark, shown });
    tools.finish(step, () => undefined);
    for (const account of new Set(held.map((position) => position.account)))
      this.#cancelCostly(account, 'FUNDING');
  }

  #pay(
    step: ContractStep,
    held: HeldPosition,
    funding: { readonly rate: Amount; readonly mark: Amount; readonly shown: number },
  ): void {
    const { tools } = this.#parts;
    const view = tools.stats.positionView(held);
    const paid = tools.rules.fundingAmount(
      { ...view, contract: { ...view.contract, mark: funding.mark } },
      funding.rate,
    );
    const { account, symbol, side, marginMode, quantity } = held;
    const income = step.earn({
      ...{ account, kind: 'FUNDING', symbol, positionSide: side, marginMode, amount: paid },
      ...{ rate: funding.shown, quantity, markPrice: funding.mark },
    });
    const isolatedWallet = this.#isolatedAfter(step, held, paid);
    const position = { ...held, isolatedWallet, funding: plus(held.funding, paid), updatedAt: step.time };
    step.put({ put: 'position', position });
    step.tellAccount(account, { cause: 'FUNDING', symbol, income: [income] });
  }

  /** Where the venue takes it from the wallet first, only what the wallet has not is the position's to pay. */
  #isolatedAfter(step: ContractStep, held: HeldPosition, paid: Amount): Amount {
    if (held.marginMode === 'CROSS') return ZERO;
    if (this.#parts.tools.habits.fundingFrom === 'POSITION')
      return greater(ZERO, plus(held.isolatedWallet, paid));
    const cross = step.crossWallet(held.account);
    return cross >= 0n ? held.isolatedWallet : greater(ZERO, plus(held.isolatedWallet, cross));
  }

  /** A stop lies before the price at which its position would be liquidated, so it is the first to be looked at. */
  #look(live: boolean): void {
    this.#parts.triggers(live);
    this.#liquidate(live);
  }

  /** Everybody's positions against the marks, account by account. */
  #liquidate(live: boolean): void {
    const { tools, desk, look } = this.#parts;
    const trading = {
      desk: (symbol: string) => {
        if (live) look.call(this.#parts, symbol);
        return desk.call(this.#parts, symbol);
      },
      live,
    };
    for (const account of tools.contracts.atRisk()) {
      this.#cancelCostly(account, 'MARGIN');
      liquidateAccount(account, tools, trading);
      this.#warn(account);
    }
  }

  #cancelCostly(account: AccountNumber, reason: 'MARGIN' | 'FUNDING'): void {
    const { tools, desk } = this.#parts;
    if (tools.habits.cancelsCostly) cancelCostly(account, reason, { tools, desk: desk.bind(this.#parts) });
  }

  /** Tells a member once that a ratio has become high, of the cross pool or of an isolated position; again when it was low in between. */
  #warn(account: AccountNumber): void {
    const { tools } = this.#parts;
    const before = this.#warned.get(account);
    const inDanger = this.#inDanger(account);
    if (inDanger.size > 0) this.#warned.set(account, inDanger);
    else this.#warned.delete(account);
    if ([...inDanger].every((name) => before?.has(name))) return;
    const step = new ContractStep(tools);
    step.tellAccount(account, { cause: 'MARGIN_CALL', fromRatio: tools.habits.marginCallRatio });
    tools.finish(step, () => undefined);
  }

  #inDanger(account: AccountNumber): ReadonlySet<string> {
    const { contracts, habits, rules, stats } = this.#parts.tools;
    const from = habits.marginCallRatio;
    const isolated = contracts
      .positionsOf(account)
      .filter((held) => held.marginMode === 'ISOLATED')
      .filter((held) => rules.ratio(stats.positionView(held), stats.account(account)) >= from)
      .map(keyText);
    return new Set(stats.pool(account).ratio >= from ? ['CROSS', ...isolated] : isolated);
  }

  #keepTime(now: Millis): void {
    this.#keptAt = now;
    this.#parts.tools.finish(new ContractStep(this.#parts.tools), () => undefined);
  }
}
