import { type Amount, lesser, minus, ok, plus, type Result, refused, ZERO } from '@crossbook/domain';
import type { AccountNumber } from '../exchange.ts';
import type { HeldPosition, KeptSetting } from '../journal/contract-entries.ts';
import type {
  PerpPosition,
  PerpRefusal,
  PerpSetting,
  SimMarginMode,
  SimPositionKey,
  SimPositionMode,
} from '../perp-exchange.ts';
import type { LeverageAsked } from '../perp-settings.ts';
import type { Answer } from './contract-orders.ts';
import type { PositionView } from './margin/rules.ts';
import type { DeskTools } from './state/contract-desk.ts';
import { ContractStep } from './state/contract-step.ts';
import { leverageKey, settingOf } from './state/settings.ts';

/** What members change without an order: leverage, modes, isolated margin. */
export class ContractChanges {
  readonly #tools: DeskTools;

  constructor(tools: DeskTools) {
    this.#tools = tools;
  }

  /** See `PerpExchange.setting`. */
  setting(account: AccountNumber, symbol: string, marginMode?: SimMarginMode): PerpSetting {
    const { contracts, habits } = this.#tools;
    return settingOf(contracts.settings, habits, account, {
      symbol,
      ...(marginMode === undefined ? {} : { marginMode }),
    });
  }

  /** See `PerpExchange.setLeverage`. */
  async setLeverage(account: AccountNumber, symbol: string, asked: LeverageAsked): Answer<PerpSetting> {
    const before = this.setting(account, symbol, asked.marginMode);
    const { leverage, side } = asked;
    const sides = side === 'BOTH' ? (['LONG', 'SHORT'] as const) : [side];
    const same = sides.every((one) => leverageIn(before, one) === leverage);
    const tiers = this.#tools.stats.contract(symbol).tiers;
    if (!(leverage > 0) || leverage > Math.max(...tiers.map((tier) => tier.maxLeverage)))
      return refused('LEVERAGE_TOO_HIGH');
    if (same) return ok(before);
    if (this.#tools.habits.ordersFixLeverage && this.#rests(account, symbol, before.marginMode))
      return refused('HAS_ORDERS');
    const lowers = sides.some((one) => leverage < leverageIn(before, one));
    const isolated = this.#held(account, symbol).some(({ marginMode }) => marginMode === 'ISOLATED');
    if (lowers && isolated && !this.#tools.habits.lowersIsolated) return refused('LEVERAGE_TOO_LOW_ISOLATED');
    const key = { symbol, marginMode: before.marginMode, positionMode: before.positionMode };
    const settings = sides.map(
      (one): KeptSetting => ({
        account,
        symbol,
        leverage: { ...leverageKey(this.#tools.habits, { ...key, side: one }), leverage },
      }),
    );
    const refusal = this.#leverageRefusal(account, symbol, settings);
    if (refusal !== undefined) return refused(refusal);
    const step = new ContractStep(this.#tools);
    for (const setting of settings) step.put({ put: 'setting', setting });
    const after = this.setting(account, symbol, asked.marginMode);
    step.tellAccount(account, { cause: 'LEVERAGE', symbol, setting: after });
    return this.#settled(step, after);
  }

  /** See `PerpExchange.tradesContracts`. */
  tradesContracts(account: AccountNumber): boolean {
    const { contracts, habits } = this.#tools;
    return contracts.settings.tradesContracts(account) ?? habits.firstTradesContracts;
  }

  /** See `PerpExchange.setTradesContracts`. */
  async setTradesContracts(account: AccountNumber, tradesContracts: boolean): Answer<true> {
    if (this.tradesContracts(account) === tradesContracts) return refused('UNCHANGED');
    const busy = this.#busy(account, undefined);
    if (busy !== undefined) return refused(busy);
    const step = new ContractStep(this.#tools);
    step.put({ put: 'setting', setting: { account, tradesContracts } });
    return this.#settled(step, true);
  }

  /** See `PerpExchange.movesPrices`. */
  movesPrices(account: AccountNumber): boolean {
    const { contracts, habits } = this.#tools;
    return contracts.settings.movesPrices(account) ?? habits.firstMovesPrices;
  }

  /** See `PerpExchange.setMovesPrices`. */
  async setMovesPrices(account: AccountNumber, movesPrices: boolean): Answer<true> {
    if (this.movesPrices(account) === movesPrices) return ok(true);
    const step = new ContractStep(this.#tools);
    step.put({ put: 'setting', setting: { account, movesPrices } });
    return this.#settled(step, true as const);
  }

  /** See `PerpExchange.setMarginMode`. */
  async setMarginMode(
    account: AccountNumber,
    symbol: string,
    marginMode: SimMarginMode,
  ): Answer<PerpSetting> {
    const { habits } = this.#tools;
    const before = this.setting(account, symbol);
    if (habits.marginModeReach === 'ORDER' || before.marginMode === marginMode) return refused('UNCHANGED');
    const ofSymbol = habits.marginModeReach === 'SYMBOL';
    const reach = ofSymbol ? { symbol } : {};
    const busy = this.#busy(account, reach.symbol);
    if (busy === 'HAS_ORDERS' || (busy !== undefined && ofSymbol)) return refused(busy);
    const move = modeMove(this.#tools, account, marginMode);
    if (busy !== undefined && move.refusal !== undefined) return refused(move.refusal);
    const step = new ContractStep(this.#tools);
    step.put({ put: 'setting', setting: { account, ...reach, marginMode } });
    for (const setting of ofSymbol ? [] : move.leverages) step.put({ put: 'setting', setting });
    for (const { held, isolatedWallet } of ofSymbol ? [] : move.positions) {
      // It leaves the one mode and stands in the other: never both, and never flat to whoever reads.
      step.put({ put: 'position', position: { ...held, quantity: 0, isolatedWallet: ZERO } });
      const position = { ...held, marginMode, isolatedWallet, updatedAt: step.time };
      step.put({ put: 'position', position });
    }
    const after = this.setting(account, symbol);
    step.tellAccount(account, { cause: 'MARGIN_MODE', ...(ofSymbol ? { symbol, setting: after } : {}) });
    return this.#settled(step, after);
  }

  /** See `PerpExchange.setPositionMode`. */
  async setPositionMode(
    account: AccountNumber,
    symbol: string | undefined,
    positionMode: SimPositionMode,
  ): Answer<true> {
    const { contracts, habits } = this.#tools;
    const reach = habits.positionModeReach === 'SYMBOL' && symbol !== undefined ? { symbol } : {};
    const before = contracts.settings.positionMode(account, reach.symbol) ?? 'ONE_WAY';
    if (before === positionMode) return refused('UNCHANGED');
    const busy = this.#busy(account, reach.symbol);
    if (busy !== undefined) return refused(busy);
    const step = new ContractStep(this.#tools);
    step.put({ put: 'setting', setting: { account, ...reach, positionMode } });
    step.tellAccount(account, { cause: 'POSITION_MODE', ...reach });
    return this.#settled(step, true);
  }

  /** See `PerpExchange.moveMargin`. */
  async moveMargin(key: SimPositionKey, amount: Amount): Answer<PerpPosition> {
    const { contracts, stats, rules } = this.#tools;
    if (key.marginMode !== 'ISOLATED') return refused('NOT_ISOLATED');
    const held = contracts.position(key);
    if (held === undefined) return refused('NO_POSITION');
    if (amount === 0n) return refused('MARGIN_AMOUNT');
    const pool = stats.pool(key.account);
    if (amount > pool.available) return refused('INSUFFICIENT_MARGIN');
    const isolatedWallet = plus(held.isolatedWallet, amount);
    if (amount < 0n) {
      const view = { ...stats.positionView(held), isolatedWallet };
      const free = minus(
        plus(isolatedWallet, lesser(rules.unrealisedPnl(view), ZERO)),
        rules.marginToKeep(view),
      );
      if (isolatedWallet < 0n || free < 0n) return refused('INSUFFICIENT_MARGIN');
      if (rules.ratio(view, stats.account(key.account)) >= 1) return refused('WOULD_LIQUIDATE');
    }
    const step = new ContractStep(this.#tools);
    step.put({ put: 'position', position: { ...held, isolatedWallet, updatedAt: step.time } });
    step.tellAccount(key.account, { cause: 'MARGIN_MOVED', symbol: key.symbol });
    const after = stats.position(key);
    return after === undefined ? refused('NO_POSITION') : this.#settled(step, after);
  }

  /** See `PerpExchange.autoMargin`. */
  autoMargin(key: Omit<SimPositionKey, 'marginMode'>): boolean {
    const isolated = this.setting(key.account, key.symbol).marginMode === 'ISOLATED';
    return isolated && this.#tools.contracts.settings.autoMargin(key);
  }

  /** See `PerpExchange.setAutoMargin`. */
  async setAutoMargin(key: Omit<SimPositionKey, 'marginMode'>, on: boolean): Answer<true> {
    const { account, symbol, side } = key;
    const setting = this.setting(account, symbol);
    if (setting.marginMode !== 'ISOLATED') return refused('NOT_ISOLATED');
    if ((setting.positionMode === 'HEDGE') === (side === 'BOTH')) return refused('POSITION_SIDE_MISMATCH');
    if (this.autoMargin(key) === on) return ok(true);
    const step = new ContractStep(this.#tools);
    step.put({ put: 'setting', setting: { account, symbol, autoMargin: { side, on } } });
    step.tellAccount(account, { cause: 'MARGIN_MOVED', symbol, setting });
    return this.#settled(step, true as const);
  }

  /** Tries the leverage on: what is open must fit its tier, and the margin must be there. */
  #leverageRefusal(
    account: AccountNumber,
    symbol: string,
    settings: readonly KeptSetting[],
  ): PerpRefusal | undefined {
    const { stats, rules } = this.#tools;
    const before = stats.account(account);
    const leverage = settings[0]?.leverage?.leverage ?? 1;
    const concerned = <View extends { readonly contract: { readonly symbol: string } }>(
      view: View,
    ): boolean => view.contract.symbol === symbol;
    const marginModes = new Set(settings.map((setting) => setting.leverage?.marginMode));
    const changed = <
      View extends { readonly contract: { readonly symbol: string }; readonly marginMode: SimMarginMode },
    >(
      view: View,
    ): View =>
      concerned(view) && (!this.#tools.habits.leverageByMarginMode || marginModes.has(view.marginMode))
        ? { ...view, leverage }
        : view;
    const after = {
      ...before,
      positions: before.positions.map(changed),
      orders: before.orders.map(changed),
    };
    const lots = after.positions
      .filter(concerned)
      .reduce((sum, view) => Math.max(sum, Math.abs(view.lots)), 0);
    if (lots > rules.largestLots(stats.contract(symbol), leverage)) return 'TIER_EXCEEDED';
    const was = rules.pool(before);
    const will = rules.pool(after);
    const grown = will.inUse > was.inUse;
    return grown && will.inUse > will.equity ? 'INSUFFICIENT_MARGIN' : undefined;
  }

  #rests(account: AccountNumber, symbol: string, marginMode: SimMarginMode): boolean {
    return this.#tools.contracts.history
      .open(account, symbol)
      .some((order) => order.marginMode === marginMode);
  }

  /**
   * Modes cannot change while anything is open that they concern, except positions where the mode is the account's. An order that waits is: fired in another mode it would be of a
   * side that is not there.
   */
  #busy(account: AccountNumber, symbol: string | undefined): 'HAS_ORDERS' | 'HAS_POSITIONS' | undefined {
    const { history, conditionals } = this.#tools.contracts;
    const waits = conditionals.waiting(account, symbol).length > 0;
    if (waits || history.open(account, symbol).length > 0) return 'HAS_ORDERS';
    return this.#held(account, symbol).length > 0 ? 'HAS_POSITIONS' : undefined;
  }

  #held(account: AccountNumber, symbol: string | undefined) {
    return this.#tools.contracts.positionsOf(account, symbol);
  }

  #settled<Value>(step: ContractStep, value: Value): Promise<Result<Value, never>> {
    return new Promise((resolve, reject) => {
      this.#tools.finish(step, (failure) => (failure === undefined ? resolve(ok(value)) : reject(failure)));
    });
  }
}

function leverageIn(setting: PerpSetting, side: 'LONG' | 'SHORT'): number {
  return side === 'LONG' ? setting.leverageLong : setting.leverageShort;
}

/** What another margin mode of the whole account does to what it holds, or why the account cannot carry that. */
interface ModeMove {
  readonly positions: readonly { readonly held: HeldPosition; readonly isolatedWallet: Amount }[];
  readonly leverages: readonly KeptSetting[];
  readonly refusal: PerpRefusal | undefined;
}

/**
 * Positions go along: into isolated mode each with the margin that it would have been opened with, into cross mode with
 * nothing of its own. The account must have their initial margin, and none may be liquidated by it.
 */
function modeMove(tools: DeskTools, account: AccountNumber, marginMode: SimMarginMode): ModeMove {
  const { contracts, rules, stats } = tools;
  const leverages = legLeverages(tools, account, marginMode);
  const leverageAfter = ({ symbol, side }: SimPositionKey): number | undefined =>
    leverages.find(
      ({ symbol: of, leverage }) => of === symbol && (leverage?.side === side || leverage?.side === 'BOTH'),
    )?.leverage?.leverage;
  const positions = contracts.positionsOf(account).map((held) => {
    const view = stats.positionView(held);
    const moved: PositionView = { ...view, marginMode, leverage: leverageAfter(held) ?? view.leverage };
    const isolatedWallet = marginMode === 'ISOLATED' ? rules.marginToKeep(moved) : ZERO;
    return { held, isolatedWallet, view: { ...moved, isolatedWallet } };
  });
  const after = { ...stats.account(account), positions: positions.map(({ view }) => view) };
  const { equity, inUse } = rules.pool(after);
  const liquidated = after.positions.some((view) => rules.ratio(view, after) >= 1);
  const refusal = inUse > equity ? 'INSUFFICIENT_MARGIN' : liquidated ? 'WOULD_LIQUIDATE' : undefined;
  return { positions, leverages, refusal };
}

/**
 * Legs have a leverage each in isolated mode and one together in cross mode. That of cross mode goes along for both; of
 * two held ones that differ the lower one stays, which needs the more margin: a choice.
 */
function legLeverages(
  { contracts, habits }: DeskTools,
  account: AccountNumber,
  marginMode: SimMarginMode,
): readonly KeptSetting[] {
  if (!habits.legLeverage) return [];
  return contracts.settings
    .all()
    .filter((kept) => kept.account === account && kept.positionMode === 'HEDGE')
    .flatMap(({ symbol = '' }) => {
      const setting = settingOf(contracts.settings, habits, account, { symbol });
      const held = contracts.positionsOf(account, symbol).map(({ side }) => side);
      const counted = (['LONG', 'SHORT'] as const).filter((leg) => held.length === 0 || held.includes(leg));
      const leverage = Math.min(...counted.map((leg) => leverageIn(setting, leg)));
      const sides = marginMode === 'ISOLATED' ? (['LONG', 'SHORT'] as const) : (['BOTH'] as const);
      return sides.map((side) => {
        const key = leverageKey(habits, { symbol, marginMode, positionMode: 'HEDGE', side });
        return { account, symbol, leverage: { ...key, leverage } };
      });
    });
}
