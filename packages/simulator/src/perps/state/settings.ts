import type { AccountNumber } from '../../exchange.ts';
import type { KeptSetting } from '../../journal/contract-entries.ts';
import type {
  PerpSetting,
  SimMarginMode,
  SimPositionKey,
  SimPositionMode,
  SimPositionSide,
} from '../../perp-exchange.ts';
import type { VenueHabits } from './venue-habits.ts';

/** Which leverage is meant. */
export interface LeverageKey {
  readonly symbol: string;
  readonly marginMode: SimMarginMode;
  readonly side: SimPositionSide;
}

/** What members have set; what they have not is as the venue's habits say. */
export class SettingStore {
  readonly #all = new Map<string, KeptSetting>();
  /** Grows with every change. */
  version = 0;

  /** One thing at a time: a mode or a leverage. */
  put(setting: KeptSetting): void {
    this.#all.set(nameOf(setting), setting);
    this.version += 1;
  }

  all(): KeptSetting[] {
    return [...this.#all.values()];
  }

  marginMode(account: AccountNumber, symbol: string | undefined): SimMarginMode | undefined {
    return this.#all.get(`${account} ${symbol ?? ''} margin`)?.marginMode;
  }

  positionMode(account: AccountNumber, symbol: string | undefined): SimPositionMode | undefined {
    return this.#all.get(`${account} ${symbol ?? ''} position`)?.positionMode;
  }

  tradesContracts(account: AccountNumber): boolean | undefined {
    return this.#all.get(`${account} contracts`)?.tradesContracts;
  }

  /** Whether limit prices beyond the band are moved to its edge. */
  movesPrices(account: AccountNumber): boolean | undefined {
    return this.#all.get(`${account} prices`)?.movesPrices;
  }

  /** Whether margin is added to a position by itself. */
  autoMargin({ account, symbol, side }: Omit<SimPositionKey, 'marginMode'>): boolean {
    return this.#all.get(`${account} ${symbol} auto ${side}`)?.autoMargin?.on ?? false;
  }

  leverage(account: AccountNumber, key: LeverageKey): number | undefined {
    const { symbol, marginMode, side } = key;
    return this.#all.get(`${account} ${symbol} ${marginMode} ${side}`)?.leverage?.leverage;
  }
}

function nameOf(setting: KeptSetting): string {
  const { account, symbol = '', marginMode, leverage, tradesContracts, autoMargin, movesPrices } = setting;
  if (movesPrices !== undefined) return `${account} prices`;
  if (autoMargin !== undefined) return `${account} ${symbol} auto ${autoMargin.side}`;
  if (tradesContracts !== undefined) return `${account} contracts`;
  if (leverage !== undefined) return `${account} ${symbol} ${leverage.marginMode} ${leverage.side}`;
  return `${account} ${symbol} ${marginMode === undefined ? 'position' : 'margin'}`;
}

/** How an account trades a symbol. @param asked the margin mode of an order, where orders say it. */
export function settingOf(
  store: SettingStore,
  habits: VenueHabits,
  account: AccountNumber,
  place: { readonly symbol: string; readonly marginMode?: SimMarginMode },
): PerpSetting {
  const { symbol } = place;
  const ofSymbol = (reach: 'SYMBOL' | 'ACCOUNT' | 'ORDER') => (reach === 'SYMBOL' ? symbol : undefined);
  const marginMode =
    place.marginMode ?? store.marginMode(account, ofSymbol(habits.marginModeReach)) ?? habits.firstMarginMode;
  const positionMode = positionModeOf(store, habits, account, symbol);
  const leverageOf = (side: SimPositionSide): number =>
    store.leverage(account, leverageKey(habits, { symbol, marginMode, positionMode, side })) ??
    habits.firstLeverage;
  return {
    symbol,
    marginMode,
    positionMode,
    leverageLong: leverageOf('LONG'),
    leverageShort: leverageOf('SHORT'),
  };
}

function positionModeOf(
  store: SettingStore,
  habits: VenueHabits,
  account: AccountNumber,
  symbol: string,
): SimPositionMode {
  return store.positionMode(account, habits.positionModeReach === 'SYMBOL' ? symbol : undefined) ?? 'ONE_WAY';
}

/** The leverage of a position's side alone, as `settingOf` and `leverageOf` say it together. */
export function leverageAt(
  store: SettingStore,
  habits: VenueHabits,
  account: AccountNumber,
  place: LeverageKey & { readonly long: boolean },
): number {
  const { symbol, marginMode } = place;
  const side = place.side === 'BOTH' ? (place.long ? 'LONG' : 'SHORT') : place.side;
  const positionMode = positionModeOf(store, habits, account, symbol);
  return (
    store.leverage(account, leverageKey(habits, { symbol, marginMode, positionMode, side })) ??
    habits.firstLeverage
  );
}

/** Under which key a leverage is kept: legs have their own in isolated hedge mode, where the venue tells them apart. */
export function leverageKey(
  habits: VenueHabits,
  place: LeverageKey & { readonly positionMode: SimPositionMode },
): LeverageKey {
  const { symbol, positionMode } = place;
  const apart = habits.legLeverage && place.marginMode === 'ISOLATED' && positionMode === 'HEDGE';
  return {
    symbol,
    marginMode: habits.leverageByMarginMode ? place.marginMode : 'CROSS',
    side: apart ? place.side : 'BOTH',
  };
}

/** The leverage of a position's side: legs by name, the one of one-way mode by its direction. */
export function leverageOf(setting: PerpSetting, side: SimPositionSide, long: boolean): number {
  return side === 'LONG' || (side === 'BOTH' && long) ? setting.leverageLong : setting.leverageShort;
}
