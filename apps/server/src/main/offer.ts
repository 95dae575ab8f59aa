import type {
  AdminCurrencyRow,
  AdminFeeRow,
  AdminLimitRow,
  AdminNetworkRow,
  AdminResponse,
  AdminRewardRow,
} from '@crossbook/contract';
import {
  formatAmount,
  NETWORK_IDS,
  type NetworkId,
  networkFacts,
  type Platform,
  platformFacts,
  SHIPPED_NETWORKS,
  SHIPPED_REWARDS,
  type SymbolType,
  shippedLimits,
  TIERS,
} from '@crossbook/domain';
import type { OfferDesk } from '../back-office/offer-calls.ts';
import type { Setting, SettingDesk } from '../back-office/setting-calls.ts';
import type { Config } from '../config.ts';
import { coinFacts } from '../market/coins.ts';
import { type CurrencyOffer, inOrder, type OfferedNetwork, termsOf } from '../market/currencies.ts';
import type { Listing } from '../market/listing.ts';
import type { Database } from '../storage/postgres/database.ts';
import { limitHistory, limitsInForce, type StoredLimit } from '../storage/stores/limit-store.ts';
import {
  type Fields,
  newestSetting,
  type StoredSetting,
  settingHistory,
  settingOfSubject,
  settingsOf,
} from '../storage/stores/setting-store.ts';
import {
  currencyTermsOf,
  currencyTexts,
  type FieldTexts,
  networkTermsOf,
  networkTexts,
  rewardTermsOf,
  rewardTexts,
} from '../storage/stores/setting-terms.ts';
import type { RewardOffer } from '../wallets/ports.ts';

const CURRENCIES_SHOWN_MAX = 2_000;
const CHANGES_SHOWN_MAX = 50;
const TYPES = ['SPOT', 'SWAP'] as const;
const REWARDS = 'rewards';
const REWARD_FIELDS = ['first-trade', 'self-rate'] as const;
const CURRENCY_FIELDS = ['shown', 'deposits', 'withdrawals', 'position', 'name'];
const NETWORK_FIELDS = ['deposits', 'withdrawals', 'confirmations', 'minimum', 'fee', 'memo'];
const NOTHING: Fields = new Map();
/** Can be closed also while no exchange says what it lists. */
const SHIPPED_ASSETS: ReadonlySet<string> = new Set(SHIPPED_NETWORKS.map((pair) => pair.split('/')[0] ?? ''));

/** What the page is made of. */
export interface OfferParts {
  readonly config: Pick<Config, 'money' | 'venues'>;
  readonly database: Database;
  readonly listingOf: (platform: Platform, symbolType: SymbolType) => Listing | undefined;
}

function changeOf({ field, value, effectiveAt: from, by }: StoredSetting) {
  return { field, value, from, by };
}

/** What of a subject is set and has not begun, and who has set anything of it last. */
function outlookOf(fields: Fields): { next: ReturnType<typeof changeOf>[]; by: string | null } {
  const all = [...fields.values()].flatMap(({ now, next }) => [now, next].filter((row) => row !== undefined));
  const newest = all.toSorted((left, right) => right.at - left.at)[0];
  return { next: all.filter(({ waits }) => waits).map(changeOf), by: newest?.by ?? null };
}

/** Ids of currencies on networks: those that are shipped, and those that were set. */
function networksOf(set: ReadonlyMap<string, Fields>): readonly (readonly [string, NetworkId, Fields])[] {
  const subjects = new Set([...SHIPPED_NETWORKS, ...set.keys()]);
  return [...subjects].flatMap((subject) => {
    const [asset = '', id] = subject.split('/');
    const network = NETWORK_IDS.find((known) => known === id);
    return network === undefined ? [] : [[asset, network, set.get(subject) ?? NOTHING] as const];
  });
}

/** What is in force of fees, currencies and networks: each read asks the database, whose clock decides. */
export function offerInForce(database: Database): CurrencyOffer & RewardOffer {
  return {
    async currencies() {
      const set = await settingsOf(database, 'currency');
      return new Map([...set].map(([asset, fields]) => [asset, currencyTermsOf(fields)]));
    },
    async networks() {
      return networksOf(await settingsOf(database, 'network')).map(
        ([asset, network, fields]): OfferedNetwork => ({
          ...networkTermsOf(asset, network, fields),
          next: outlookOf(fields).next.map(({ field, value, from }) => ({ field, value, from })),
        }),
      );
    },
    async rewards() {
      const of = { subject: REWARDS, fields: REWARD_FIELDS };
      const fields = await settingOfSubject(database, 'fee', of);
      const next = outlookOf(fields).next.map(({ field, value, from }) => ({ field, value, from }));
      return { ...rewardTermsOf(fields), next };
    },
  };
}

/** How settings stand when somebody asks to change them. */
export function settingDesk({ config, database, listingOf }: OfferParts): SettingDesk {
  const platforms = config.venues.map(({ platform }) => platform);
  const read = async (kind: Setting['kind'], subject: string, fields: readonly string[]) => {
    // The newest first: what comes between is then found by the decision.
    const newest = await newestSetting(database, kind, subject);
    const found = await settingOfSubject(database, kind, { subject, fields });
    const next: FieldTexts = Object.fromEntries(
      [...found].flatMap(([field, { next: row }]) => (row === undefined ? [] : [[field, row.value]])),
    );
    return { found, standing: { subject, next, newest } };
  };
  return {
    async standing(setting) {
      if (setting.kind === 'fee') {
        const { found, standing } = await read('fee', REWARDS, REWARD_FIELDS);
        return { ...standing, now: rewardTexts(rewardTermsOf(found)), isNew: false };
      }
      if (setting.kind === 'currency') {
        const { found, standing } = await read('currency', setting.asset, CURRENCY_FIELDS);
        const { name } = coinFacts(setting.asset);
        return { ...standing, now: { name, ...currencyTexts(currencyTermsOf(found)) }, isNew: false };
      }
      const { asset, network } = setting;
      const subject = `${asset}/${network}`;
      const { found, standing } = await read('network', subject, NETWORK_FIELDS);
      const isNew = standing.newest === '0' && !SHIPPED_NETWORKS.includes(subject);
      return { ...standing, now: networkTexts(networkTermsOf(asset, network, found)), isNew };
    },
    decimalsOf: (asset) =>
      listedOn(platforms, listingOf).has(asset) || SHIPPED_ASSETS.has(asset)
        ? coinFacts(asset).decimals
        : undefined,
  };
}

/** Currencies, networks, fees and limits as the back office shows them; nothing of it is a balance. */
export function offerDesk({ config, database, listingOf }: OfferParts): OfferDesk {
  const shipped = shippedLimits(config.money);
  const platforms = config.venues.map(({ platform }) => platform);
  return {
    async read() {
      const [inForce, history, set, changes] = await Promise.all([
        limitsInForce(database, 'test-funds'),
        limitHistory(database, CHANGES_SHOWN_MAX),
        settingsRead(database),
        settingHistory(database, CHANGES_SHOWN_MAX),
      ]);
      const limits = TIERS.map((tier): AdminLimitRow => {
        const next = history.find((row) => row.tier === tier && row.waits);
        return {
          ...{ what: 'test-funds', tier, asset: 'USDT', hours: 24 },
          most: formatAmount(inForce.get(tier)?.most ?? shipped.testFundsDayMax[tier]),
          shipped: formatAmount(shipped.testFundsDayMax[tier]),
          next: next === undefined ? null : shownChange(next),
        };
      });
      return {
        ...{ limits: config.money === 'paper' ? limits : [], contractsFrom: shipped.contractsFrom },
        fees: platforms.flatMap((platform) => feesOf(platform, listingOf)),
        rewards: config.money === 'paper' ? rewardRows(set.fee.get(REWARDS) ?? NOTHING) : [],
        currencies: currencyRows(set.currency, listedOn(platforms, listingOf)),
        networks: networkRows(set.network),
        knownNetworks: NETWORK_IDS.map((network) => ({ network, name: networkFacts(network).name })),
        history: history.map((row) => ({ id: row.id, tier: row.tier, ...shownChange(row) })),
        settings: changes.map((row) => ({
          ...{ id: row.id, subject: row.subject, at: row.at, reason: row.reason, ...changeOf(row) },
        })),
      };
    },
    async standing(tier) {
      const [inForce, history] = await Promise.all([
        limitsInForce(database, 'test-funds'),
        limitHistory(database, CHANGES_SHOWN_MAX),
      ]);
      const newest = history.find((row) => row.tier === tier);
      const most = inForce.get(tier)?.most ?? shipped.testFundsDayMax[tier];
      return { most, newest: newest?.id ?? '0', waits: newest?.waits ?? false };
    },
  };
}

function shownChange({ most, at, effectiveAt: from, by, reason }: StoredLimit) {
  return { most: formatAmount(most), at, from, by, reason };
}

function feesOf(platform: Platform, listingOf: OfferParts['listingOf']): readonly AdminFeeRow[] {
  const { platformType, name } = platformFacts(platform);
  return TYPES.flatMap((symbolType) => {
    const listing = listingOf(platform, symbolType);
    if (listing === undefined) return [];
    const { maker, taker } = listing.fees;
    const fees = { maker: formatAmount(maker), taker: formatAmount(taker) };
    return [{ platformType, name, symbolType, ...fees, instruments: listing.all().length }];
  });
}

async function settingsRead(database: Database) {
  const kinds = ['fee', 'currency', 'network'] as const;
  const [fee, currency, network] = await Promise.all(kinds.map((kind) => settingsOf(database, kind)));
  return { fee: fee ?? new Map(), currency: currency ?? new Map(), network: network ?? new Map() };
}

function rewardRows(fields: Fields): AdminRewardRow[] {
  const [now, shipped] = [rewardTexts(rewardTermsOf(fields)), rewardTexts(SHIPPED_REWARDS)];
  return REWARD_FIELDS.map((what) => {
    const { next, by } = outlookOf(new Map([[what, fields.get(what) ?? {}]]));
    return { what, value: now[what] ?? '', shipped: shipped[what] ?? '', next, by };
  });
}

/** Coins with the exchanges that list them. */
function listedOn(
  platforms: readonly Platform[],
  listingOf: OfferParts['listingOf'],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const platform of platforms)
    for (const symbolType of TYPES)
      for (const { base, quote } of listingOf(platform, symbolType)?.all() ?? [])
        for (const asset of [base, quote])
          found.set(asset, (found.get(asset) ?? new Set()).add(platformFacts(platform).name));
  return found;
}

/** Coins in the operator's order; one that nobody lists any more is shown as long as anything of it is set. */
function currencyRows(
  set: ReadonlyMap<string, Fields>,
  listed: ReadonlyMap<string, ReadonlySet<string>>,
): AdminResponse<'x/admin/Offer'>['currencies'] {
  const terms = new Map([...set].map(([asset, fields]) => [asset, currencyTermsOf(fields)]));
  return [...new Set([...listed.keys(), ...SHIPPED_ASSETS, ...set.keys()])]
    .map((asset): AdminCurrencyRow => {
      const { name = coinFacts(asset).name, ...rest } = termsOf(terms, asset);
      const platforms = [...(listed.get(asset) ?? [])];
      return { asset, name, platforms, ...rest, ...outlookOf(set.get(asset) ?? NOTHING) };
    })
    .toSorted(inOrder(terms))
    .slice(0, CURRENCIES_SHOWN_MAX);
}

function networkRows(set: ReadonlyMap<string, Fields>): AdminNetworkRow[] {
  return networksOf(set)
    .map(([asset, network, fields]): AdminNetworkRow => {
      const { minimum, fee, ...terms } = networkTermsOf(asset, network, fields);
      const amounts = { minimum: formatAmount(minimum), fee: formatAmount(fee) };
      return { ...terms, ...amounts, name: networkFacts(network).name, ...outlookOf(fields) };
    })
    .toSorted((left, right) => left.asset.localeCompare(right.asset, 'en'))
    .slice(0, CURRENCIES_SHOWN_MAX);
}
