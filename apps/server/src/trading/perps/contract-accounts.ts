import type { Refusal } from '@crossbook/contract';
import {
  type ContractSetting,
  createRemembered,
  type Instrument,
  type Lanes,
  type LeverageTier,
  type MarginMode,
  type Millis,
  type Platform,
  platformFacts,
} from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type { VenueContracts, VenueCredentials, VenueRead } from '@crossbook/venues/trading';
import { budgetUsedUp } from '../../intents/venue-refusal.ts';
import type { AccountOwner } from '../account-pages.ts';
import { type Refused, refusal, type TradingDeps, type VenueDesk } from '../ports.ts';
import { ownerKey } from '../rotation.ts';

/** A setting that was read is asked for again after this long, though no stream told of a change. */
const SETTING_MILLIS_MAX = 30_000;
/** Tables of leverage change a few times a year. */
const TIERS_MILLIS_MAX = 600_000;
/** Settings and accounts that are remembered. */
const REMEMBERED_MAX = 20_000;

/** A member's account at a venue that can trade contracts. */
export interface ContractAccount {
  readonly owner: AccountOwner;
  readonly desk: VenueDesk;
  readonly contracts: VenueContracts;
  readonly credentials: VenueCredentials;
}

/** An account that is in order, or why it is not. */
export type ReadyAccount = { readonly ok: true; readonly account: ContractAccount } | Refused;

/** Whether a member has an account that contracts are traded with. */
export type AccountStanding =
  | { readonly state: 'ready'; readonly account: ContractAccount }
  /** None yet, so that nothing is held or set there; the first transfer opens it. */
  | { readonly state: 'none'; readonly desk: VenueDesk; readonly contracts: VenueContracts }
  /** Contracts are not connected. */
  | { readonly state: 'away' };

interface Seen<Value> {
  readonly found: VenueRead<Value>;
  readonly readAt: Millis;
}

/** Contracts of a platform are not within reach, or our own budget for it lets nothing be asked at the moment. */
export function away(
  platform: Platform,
  { retryAfterMillis }: { readonly retryAfterMillis?: number | undefined } = {},
): Refusal {
  return retryAfterMillis === undefined
    ? { error: 'contracts-away', given: platformFacts(platform).name }
    : budgetUsedUp(retryAfterMillis);
}

/** Members' accounts as contracts need them: put into order once, and how each contract is set. */
export class ContractAccounts {
  readonly #deps: TradingDeps;
  readonly #lanes: Lanes;
  readonly #prepared = new Set<string>();
  readonly #preparing = new Set<string>();
  readonly #settings;
  readonly #tiers;

  constructor(deps: TradingDeps, lanes: Lanes) {
    this.#deps = deps;
    this.#lanes = lanes;
    const bounds = { entriesMax: REMEMBERED_MAX, keeps: ({ found }: Seen<unknown>) => found.ok };
    this.#settings = createRemembered<Seen<ContractSetting>>(bounds);
    this.#tiers = createRemembered<Seen<readonly LeverageTier[]>>(bounds);
  }

  /** How a member stands there. Asks no venue. */
  async standing(owner: AccountOwner): Promise<AccountStanding> {
    const desk = this.#deps.venue(owner.platform);
    const contracts = desk?.trading.contracts;
    if (desk === undefined || contracts === undefined) return { state: 'away' };
    const found = await this.#deps.accounts.find(owner.user, owner.platform);
    if (found.state !== 'ready') return { state: 'none', desk, contracts };
    return { state: 'ready', account: { owner, desk, contracts, credentials: found.credentials } };
  }

  /** The account as it is; `undefined` where there is none, or contracts are not connected. Asks no venue. */
  async find(owner: AccountOwner): Promise<ContractAccount | undefined> {
    const standing = await this.standing(owner);
    return standing.state === 'ready' ? standing.account : undefined;
  }

  /**
   * The same, put into the state that every order relies on and read back: once, before the first order of each process.
   * That it was so before is not kept for the next one: the operator may change it at the venue meanwhile, where orders go
   * on and other coins would stand behind them, and reading it costs no more than a setting.
   */
  async prepared(owner: AccountOwner): Promise<ReadyAccount> {
    const standing = await this.standing(owner);
    if (standing.state !== 'ready') return refusal(withoutAccount(standing, owner));
    const { account } = standing;
    const key = ownerKey(owner);
    if (this.#prepared.has(key)) return { ok: true, account };
    this.#preparing.add(key);
    return this.#lanes
      .run(`contracts:${key}`, () => this.#prepare(owner, account))
      .finally(() => this.#preparing.delete(key));
  }

  /** Whether the account is being put into that state now. */
  preparing(owner: AccountOwner): boolean {
    return this.#preparing.has(ownerKey(owner));
  }

  async #prepare(owner: AccountOwner, account: ContractAccount): Promise<ReadyAccount> {
    const key = ownerKey(owner);
    if (this.#prepared.has(key)) return { ok: true, account };
    const prepared = await account.contracts.prepare(account.credentials);
    if (prepared.outcome !== 'done') {
      const why = prepared.outcome === 'refused' ? prepared.message : prepared.why;
      this.#deps.log.note('an account is not ready for contracts', { ...owner, why });
      return refusal(away(owner.platform, prepared.outcome === 'refused' ? prepared : {}));
    }
    // From here on its income is read; what came before cannot be of ours.
    const until = await this.#deps.contracts.incomeUntil(owner);
    if (until === undefined) await this.#deps.contracts.readUntil(owner, this.#deps.clock());
    if (this.#prepared.size >= REMEMBERED_MAX) this.#prepared.clear();
    this.#prepared.add(key);
    return { ok: true, account };
  }

  /**
   * How a contract is set at the venue, read since the last change that is known.
   * @param marginMode whose leverage is meant where every order says its mode (OKX), cross where absent; elsewhere the
   * setting says it.
   * @param ageMillisMax how long ago it may have been read: half a minute, unless it is for an answer that moves nothing.
   */
  async setting(
    account: ContractAccount,
    instrument: Instrument,
    marginMode?: MarginMode,
    ageMillisMax = SETTING_MILLIS_MAX,
  ): Promise<VenueRead<ContractSetting>> {
    const key = keyOf(account.owner, instrument, marginMode);
    const read = () => this.#readSetting(account, instrument, marginMode);
    return (await this.#settings.get(key, read, this.#isYoung(ageMillisMax))).found;
  }

  /**
   * The same, asked of the venue now and remembered.
   * @param proves whether it shows a change: then what was read of the member's other contracts no longer serves.
   */
  async settingAnew(
    account: ContractAccount,
    {
      instrument,
      marginMode,
    }: { readonly instrument: Instrument; readonly marginMode: MarginMode | undefined },
    proves: (setting: ContractSetting) => boolean,
  ): Promise<VenueRead<ContractSetting>> {
    const { owner } = account;
    const kept = keyOf(owner, instrument, marginMode);
    const read = () => this.#readSetting(account, instrument, marginMode);
    const { found } = await this.#settings.renew(kept, read);
    if (!found.ok || !proves(found.value)) return found;
    for (const key of this.#keysOf(owner)) if (key !== kept) this.#settings.forget(key);
    return found;
  }

  async #readSetting(
    { contracts, credentials, owner }: ContractAccount,
    instrument: Instrument,
    marginMode?: MarginMode,
  ): Promise<Seen<ContractSetting>> {
    const readAt = this.#deps.clock();
    return { found: await contracts.setting(credentials, instrument, modeOf(owner, marginMode)), readAt };
  }

  #isYoung(millisMax: number): (seen: Seen<unknown>) => boolean {
    const now = this.#deps.clock();
    return ({ readAt }) => now >= readAt && now - readAt < millisMax;
  }

  /** The leverage table of a contract, smallest positions first; for whoever has no account, as the operator's own sees it. */
  async tiers(who: TableReader, instrument: Instrument): Promise<VenueRead<readonly LeverageTier[]>> {
    const readAt = this.#deps.clock();
    const { contracts } = who;
    const [key, credentials] =
      'owner' in who
        ? [keyOf(who.owner, instrument), who.credentials]
        : [`${instrument.platform}:${instrument.symbol}`, who.desk.master];
    const read = async () => ({ found: await contracts.tiers(credentials, instrument), readAt });
    return (await this.#tiers.get(key, read, this.#isYoung(TIERS_MILLIS_MAX))).found;
  }

  /**
   * The largest leverage of a contract: that of its table, which may allow more than the public list names (Binance names
   * none); that of the list where there is no table.
   */
  async maxLeverage(who: TableReader, instrument: Instrument): Promise<number> {
    const tiers = await this.tiers(who, instrument);
    return tiers.ok && tiers.value.length > 0
      ? Math.max(...tiers.value.map(({ maxLeverage }) => maxLeverage))
      : instrument.maxLeverage;
  }

  /**
   * Changes a setting, which may be one of the whole account: from its beginning nothing that was read before is given
   * out, of any contract.
   */
  changing<Value>({ owner }: ContractAccount, change: () => Promise<Value>): Promise<Value> {
    return this.#settings.change(this.#keysOf(owner), change);
  }

  /** The venue told of a change: what was read before is not given out any more. */
  forget(owner: AccountOwner): void {
    for (const key of this.#keysOf(owner)) this.#settings.forget(key);
  }

  #keysOf(owner: AccountOwner): readonly string[] {
    const keys = swapsOf(this.#deps, owner).flatMap((instrument) =>
      (['cross', 'isolated'] as const).map((mode) => keyOf(owner, instrument, mode)),
    );
    return [...new Set(keys)];
  }
}

/** Who reads a leverage table: a member's account, or nobody's. */
type TableReader = ContractAccount | Pick<ContractAccount, 'desk' | 'contracts'>;

/** Why what needs an account cannot be done. */
function withoutAccount({ state }: AccountStanding, { platform }: AccountOwner): Refusal {
  return state === 'none' ? { error: 'account-none', given: platformFacts(platform).name } : away(platform);
}

/** How a contract is set before its account is opened. */
export function firstSetting(
  { atFirst }: Pick<VenueContracts, 'atFirst'>,
  { platform, symbol }: Instrument,
  { marginMode, maxLeverage }: { readonly marginMode: MarginMode | undefined; readonly maxLeverage: number },
): ContractSetting {
  const leverage = Math.min(atFirst.leverage, maxLeverage);
  return {
    ...{
      platform,
      symbol,
      positionMode: atFirst.positionMode,
      leverageLong: leverage,
      leverageShort: leverage,
    },
    marginMode: modeOf({ platform }, marginMode) ?? atFirst.marginMode,
  };
}

/** The platform's contracts. */
export function swapsOf(
  deps: TradingDeps,
  { platform }: Pick<AccountOwner, 'platform'>,
): readonly Instrument[] {
  return deps.market.instruments(platform).filter(({ symbolType }) => symbolType === 'SWAP');
}

/** The margin mode that has a setting of its own; `undefined` where the setting says the mode. */
function modeOf(
  { platform }: Pick<AccountOwner, 'platform'>,
  marginMode: MarginMode = 'cross',
): MarginMode | undefined {
  return venueProfile(platform).trading.contracts.reach.marginMode === 'order' ? marginMode : undefined;
}

function keyOf(owner: AccountOwner, { symbol }: Instrument, mode?: MarginMode): string {
  return [ownerKey(owner), symbol, modeOf(owner, mode) ?? ''].join(':');
}
