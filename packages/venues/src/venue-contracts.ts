import type {
  Amount,
  ContractSetting,
  Instrument,
  LeverageTier,
  MarginMode,
  MarginPool,
  Millis,
  PositionKey,
  PositionMode,
  PositionSide,
  PositionUpdate,
  VenueIncome,
  VenuePosition,
} from '@crossbook/domain';
import type { VenueCredentials, VenueRead, VenueRefusal } from './venue-answers.ts';

/**
 * What a venue's trading half offers of perpetuals beyond orders. Orders on contracts go through the same calls as spot
 * orders: their instrument says which market is meant, `VenueOrderRequest.contract` how the position is.
 */

/** How an order on a contract changes its position. The hub has read the settings before. */
export interface ContractOrderTerms {
  /** Net in one-way mode; in hedge mode the leg that is opened or closed. */
  readonly side: PositionSide;
  readonly positionMode: PositionMode;
  readonly marginMode: MarginMode;
  /** Never grows nor flips the position. Expressed in each venue's own way; in hedge mode it means "close the leg". */
  readonly reduceOnly: boolean;
}

/**
 * What became of a change of a setting. Setting the same value again is `done`, whatever code the venue answers it with.
 * `unknown`: read the setting back, nothing is assumed.
 */
export type SettingOutcome =
  | { readonly outcome: 'done' }
  | VenueRefusal
  | { readonly outcome: 'unknown'; readonly why: string };

/** A page of the income list, oldest first. `next` is where the following page starts; absent on the last one. */
export interface IncomePage {
  readonly rows: readonly VenueIncome[];
  readonly next?: string;
}

/** What a private stream tells of contracts. */
export interface ContractEvent {
  /** Positions that changed, and maybe others of the same symbol; quantity 0 is a closed or an empty one. */
  readonly positions: readonly PositionUpdate[];
  /** The pool, where the message states it whole. */
  readonly pool?: MarginPool;
  /**
   * Why: `order` a fill, `funding`, `setting` leverage or mode, `margin` isolated margin moved, `margin-call` a warning,
   * `liquidation`, `transfer` money that came or went, `other` anything else. A reason to read the income list where it moved money without naming its id.
   */
  readonly cause:
    | 'order'
    | 'funding'
    | 'setting'
    | 'margin'
    | 'margin-call'
    | 'liquidation'
    | 'transfer'
    | 'other';
  /** The contracts that a margin call names. */
  readonly symbols?: readonly string[];
  readonly time: Millis;
}

/** What positions and margin are read for: what closing needs goes before all other reads. */
export type ContractReadFor = 'close' | 'lookup' | 'reconciliation';

/** Contracts of one account at a venue. Nothing here throws for an expected failure. */
export interface VenueContracts {
  /** How every contract of a new account is set; typical, for the exchanges change it now and then. */
  readonly atFirst: Pick<ContractSetting, 'marginMode' | 'positionMode'> & { readonly leverage: number };
  /**
   * Puts a new account into the state every order relies on and reads it back: OKX Futures mode (acctLv 2), autoLoan off
   * and one-way; Bybit USDT alone as collateral; Binance single-asset mode. Safe to repeat.
   */
  prepare(credentials: VenueCredentials): Promise<SettingOutcome>;
  /** @param marginMode which of them is meant, where it is said with every order (OKX); cross where absent. */
  setting(
    credentials: VenueCredentials,
    instrument: Instrument,
    marginMode?: MarginMode,
  ): Promise<VenueRead<ContractSetting>>;
  setLeverage(
    credentials: VenueCredentials,
    instrument: Instrument,
    change: { readonly leverage: number; readonly marginMode: MarginMode; readonly side: PositionSide },
  ): Promise<SettingOutcome>;
  /** OKX has no such call (the order says it): `done` at once. At Bybit it concerns the whole account. */
  setMarginMode(
    credentials: VenueCredentials,
    instrument: Instrument,
    marginMode: MarginMode,
  ): Promise<SettingOutcome>;
  /** Of the whole account at Binance and OKX, of the symbol at Bybit. */
  setPositionMode(
    credentials: VenueCredentials,
    instrument: Instrument,
    positionMode: PositionMode,
  ): Promise<SettingOutcome>;
  /** Adds (above 0) or takes (below 0) margin of an isolated position. */
  adjustMargin(
    credentials: VenueCredentials,
    instrument: Instrument,
    change: { readonly position: PositionKey; readonly amount: Amount },
  ): Promise<SettingOutcome>;
  /**
   * Every position that is not flat; one instrument's rows, flat ones too, where one is given.
   * @param askedFor its class before the venue's arbiter; reconciliation where absent.
   */
  positions(
    credentials: VenueCredentials,
    instruments: readonly Instrument[],
    askedFor?: ContractReadFor,
  ): Promise<VenueRead<readonly VenuePosition[]>>;
  pool(credentials: VenueCredentials, askedFor?: ContractReadFor): Promise<VenueRead<MarginPool>>;
  /** Smallest positions first. @param credentials needed where the venue tells only members (Binance). */
  tiers(credentials: VenueCredentials, instrument: Instrument): Promise<VenueRead<readonly LeverageTier[]>>;
  /** Entries since a time, oldest first. */
  income(
    credentials: VenueCredentials,
    page: { readonly since: Millis; readonly next?: string },
  ): Promise<VenueRead<IncomePage>>;
}
