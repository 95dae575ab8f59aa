import {
  type ContractSetting,
  createRemembered,
  type Instrument,
  type Lanes,
  type LeverageTier,
  type MarginMode,
  type Millis,
} from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type { VenueContracts, VenueCredentials } from '@crossbook/venues/trading';
import type { AccountOwner } from '../account-pages.ts';
import type { TradingDeps, VenueDesk } from '../ports.ts';
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

interface ReadSetting {
  readonly setting: ContractSetting | undefined;
  readonly readAt: Millis;
}

interface ReadTiers {
  readonly tiers: readonly LeverageTier[] | undefined;
  readonly readAt: Millis;
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
    this.#settings = createRemembered<ReadSetting>({
      entriesMax: REMEMBERED_MAX,
      keeps: ({ setting }) => setting !== undefined,
    });
    this.#tiers = createRemembered<ReadTiers>({
      entriesMax: REMEMBERED_MAX,
      keeps: ({ tiers }) => tiers !== undefined,
    });
  }

  /** The account as it is; `undefined` where there is none, or contracts are not connected. Asks no venue. */
  async find(owner: AccountOwner): Promise<ContractAccount | undefined> {
    const desk = this.#deps.venue(owner.platform);
    const contracts = desk?.trading.contracts;
    if (desk === undefined || contracts === undefined) return undefined;
    const account = await this.#deps.accounts.find(owner.user, owner.platform);
    if (account.state !== 'ready') return undefined;
    return { owner, desk, contracts, credentials: account.credentials };
  }

  /** The same, put into the state that every order relies on and read back: once, before the first order. */
  async prepared(owner: AccountOwner): Promise<ContractAccount | undefined> {
    const account = await this.find(owner);
    const key = ownerKey(owner);
    if (account === undefined || this.#prepared.has(key)) return account;
    this.#preparing.add(key);
    return this.#lanes
      .run(`contracts:${key}`, () => this.#prepare(owner, account))
      .finally(() => this.#preparing.delete(key));
  }

  /** Whether the account is being put into that state now. */
  preparing(owner: AccountOwner): boolean {
    return this.#preparing.has(ownerKey(owner));
  }

  async #prepare(owner: AccountOwner, account: ContractAccount): Promise<ContractAccount | undefined> {
    const key = ownerKey(owner);
    if (this.#prepared.has(key)) return account;
    const prepared = await account.contracts.prepare(account.credentials);
    if (prepared.outcome !== 'done') {
      const why = prepared.outcome === 'refused' ? prepared.message : prepared.why;
      this.#deps.log.note('an account is not ready for contracts', { ...owner, why });
      return undefined;
    }
    // From here on its income is read; what came before cannot be of ours.
    const until = await this.#deps.contracts.incomeUntil(owner);
    if (until === undefined) await this.#deps.contracts.readUntil(owner, this.#deps.clock());
    if (this.#prepared.size >= REMEMBERED_MAX) this.#prepared.clear();
    this.#prepared.add(key);
    return account;
  }

  /**
   * How a contract is set at the venue; `undefined` where it cannot be read.
   * @param marginMode whose leverage is meant where every order says its mode (OKX); elsewhere the setting says it.
   */
  async setting(
    account: ContractAccount,
    instrument: Instrument,
    marginMode?: MarginMode,
  ): Promise<ContractSetting | undefined> {
    const now = this.#deps.clock();
    const [mode] = modesOf(account.owner).filter((one) => one === marginMode);
    const read = async (): Promise<ReadSetting> => {
      const found = await account.contracts.setting(account.credentials, instrument, mode);
      return { setting: found.ok ? found.value : undefined, readAt: now };
    };
    const fits = ({ readAt }: ReadSetting): boolean => now >= readAt && now - readAt < SETTING_MILLIS_MAX;
    return (await this.#settings.get(keyOf(account.owner, instrument, mode), read, fits)).setting;
  }

  /** The leverage table of a contract, smallest positions first; `undefined` where it cannot be read. */
  async tiers(
    account: ContractAccount,
    instrument: Instrument,
  ): Promise<readonly LeverageTier[] | undefined> {
    const now = this.#deps.clock();
    const read = async (): Promise<ReadTiers> => {
      const found = await account.contracts.tiers(account.credentials, instrument);
      return { tiers: found.ok ? found.value : undefined, readAt: now };
    };
    const fits = ({ readAt }: ReadTiers): boolean => now >= readAt && now - readAt < TIERS_MILLIS_MAX;
    return (await this.#tiers.get(keyOf(account.owner, instrument), read, fits)).tiers;
  }

  /**
   * The largest leverage of a contract: that of its table, which may allow more than the public list names (Binance names
   * none); that of the list where there is no table.
   */
  async maxLeverage(account: ContractAccount, instrument: Instrument): Promise<number> {
    const tiers = (await this.tiers(account, instrument)) ?? [];
    return tiers.length === 0
      ? instrument.maxLeverage
      : Math.max(...tiers.map(({ maxLeverage }) => maxLeverage));
  }

  /** Changes settings: from its beginning nothing that was read before is given out. */
  changing<Value>(
    { owner }: ContractAccount,
    instruments: readonly Pick<Instrument, 'symbol'>[],
    change: () => Promise<Value>,
  ): Promise<Value> {
    return this.#settings.change(
      instruments.flatMap((instrument) => keysOf(owner, instrument)),
      change,
    );
  }

  /** The venue told of a change: what was read before is not given out any more. */
  forget(owner: AccountOwner, instruments: readonly Pick<Instrument, 'symbol'>[]): void {
    for (const key of instruments.flatMap((instrument) => keysOf(owner, instrument)))
      this.#settings.forget(key);
  }
}

/** Margin modes that have a setting each, where the order says the mode. */
function modesOf({ platform }: AccountOwner): readonly MarginMode[] {
  const byOrder = venueProfile(platform).trading.contracts.reach.marginMode === 'order';
  return byOrder ? ['cross', 'isolated'] : [];
}

function keyOf(owner: AccountOwner, { symbol }: Pick<Instrument, 'symbol'>, mode?: MarginMode): string {
  return `${ownerKey(owner)}:${symbol}${mode === undefined ? '' : `:${mode}`}`;
}

function keysOf(owner: AccountOwner, instrument: Pick<Instrument, 'symbol'>): readonly string[] {
  return [undefined, ...modesOf(owner)].map((mode) => keyOf(owner, instrument, mode));
}
