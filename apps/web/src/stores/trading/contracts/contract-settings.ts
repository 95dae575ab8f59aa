import type { SettingRow, TierRow } from '@crossbook/contract';
import { type Platform, platformFacts } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import type { CallResult } from '../../../wire/api-client.ts';
import { newClientId } from '../../app/clock.ts';
import { notify } from '../../app/notices.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../app/settings.ts';
import type { ListedInstrument } from '../../market/instruments.ts';
import { contractOffer } from '../../market/market.ts';
import { call } from '../../member/own-service.ts';

/** How one contract is set, and whether that was read. */
export interface KnownSetting {
  readonly status: 'loading' | 'ready' | 'failed';
  /** The newest that was read; stays while it is read again. */
  readonly row?: SettingRow;
}

/** Settings and leverage tables of contracts, by `settingKey`. */
export interface ContractSettingsState {
  readonly settings: Readonly<Record<string, KnownSetting>>;
  /** Smallest positions first; empty where the exchange gave none. */
  readonly tiers: Readonly<Record<string, readonly TierRow[]>>;
}

/** Settings; empty for a visitor. */
export const contractSettingsStore = createStore<ContractSettingsState>(() => ({ settings: {}, tiers: {} }));

/** What an instrument's settings are kept under. */
export function settingKey(platform: Platform, symbol: string): string {
  return `${platform}:${symbol}`;
}

/** Which contract a call is about. */
type Contract = Pick<ListedInstrument, 'platform' | 'symbol'>;

function keep(key: string, known: KnownSetting): void {
  contractSettingsStore.setState(({ settings }) => ({ settings: { ...settings, [key]: known } }));
}

/**
 * Folds a setting that was read. What reaches further than one symbol (position mode at Binance and OKX, margin mode at
 * Bybit) makes the others unread: they are read again before their ticket opens. The browser keeps the position mode, for the
 * ticket's looks until it is read the next time.
 */
export function applySetting(row: SettingRow): void {
  const key = settingKey(row.exchange, row.symbol);
  const before = contractSettingsStore.getState().settings[key]?.row;
  const reachesFar =
    before !== undefined &&
    (before.positionMode !== row.positionMode || before.marginMode !== row.marginMode);
  contractSettingsStore.setState(({ settings }) => ({
    settings: Object.fromEntries(
      Object.entries(settings).filter(
        ([other]) => !reachesFar || other === key || !other.startsWith(`${row.exchange}:`),
      ),
    ),
  }));
  keep(key, { status: 'ready', row });
  const { positionMode } = row;
  if (tradeSettingsStore.getState().positionMode !== positionMode) changeTradeSettings({ positionMode });
}

function sameSetting(one: SettingRow, other: SettingRow): boolean {
  const said = ({ updatedAt: _, ...terms }: SettingRow & { readonly updatedAt?: unknown }) =>
    JSON.stringify(terms);
  return said(one) === said(other);
}

/** Changes of this page that are under way. */
let changing = 0;

/** Folds a setting that the stream told; one that another page or the exchange's own changed is said. */
export function hearSetting(row: SettingRow): void {
  const before = contractSettingsStore.getState().settings[settingKey(row.exchange, row.symbol)]?.row;
  applySetting(row);
  if (changing > 0 || before === undefined || sameSetting(before, row)) return;
  const values = { symbol: row.symbol, venue: platformFacts(row.exchange).name };
  notify('warning', { id: 'contract.settingElsewhere', values }, `setting ${row.exchange} ${row.symbol}`, {
    event: 'settings',
  });
}

/** Reads how a contract is set; the ticket opens with it. */
export async function loadSetting({ platform, symbol }: Contract): Promise<void> {
  const key = settingKey(platform, symbol);
  const known = contractSettingsStore.getState().settings[key];
  if (known?.status === 'loading') return;
  keep(key, { ...known, status: known?.row === undefined ? 'loading' : 'ready' });
  const { platformType } = platformFacts(platform);
  // Where every order says its mode, the ticket keeps the one that was chosen.
  const byOrder = contractOffer(platform).reach.marginMode === 'order';
  const chosen = byOrder && known?.row !== undefined ? { marginMode: known.row.marginMode } : {};
  const request = { platformType, symbol, ...chosen };
  const answer = await call('connextrade/GetLeverage', request, { quiet: true });
  if (answer.ok) applySetting(answer.data);
  else if (known?.row === undefined) keep(key, { status: 'failed' });
}

/** Reads an instrument's leverage table once. */
export async function loadTiers({
  platform,
  symbol,
  family,
}: Contract & Pick<ListedInstrument, 'family'>): Promise<void> {
  const key = settingKey(platform, symbol);
  if ((contractSettingsStore.getState().tiers[key]?.length ?? 0) > 0) return;
  const { platformType } = platformFacts(platform);
  const answer = await call('connextrade/GetPositionTiers', { platformType, sym: family }, { quiet: true });
  if (!answer.ok) return;
  contractSettingsStore.setState(({ tiers }) => ({ tiers: { ...tiers, [key]: answer.data } }));
}

/** An answer about a setting: what was read back is kept; without one nothing is assumed, and it is read again. */
async function settled(
  contract: Contract,
  answer: Promise<CallResult<SettingRow>>,
): Promise<CallResult<SettingRow>> {
  changing += 1;
  const result = await answer.finally(() => {
    changing -= 1;
  });
  if (result.ok) applySetting(result.data);
  else void loadSetting(contract);
  return result;
}

/** What a change of leverage says. */
export interface LeverageChange {
  readonly leverage: number;
  readonly effect: 0 | 1 | 2;
  readonly marginMode: 'cross' | 'isolated';
}

/** Sets the leverage of a contract. */
export function setLeverage(contract: Contract, change: LeverageChange): Promise<CallResult<SettingRow>> {
  const { platformType } = platformFacts(contract.platform);
  const request = { platformType, symbol: contract.symbol, ...change, clientId: newClientId() };
  return settled(contract, call('connextrade/SetLeverage', request));
}

/** Sets cross or isolated margin; at Bybit of the whole account. */
export function setMarginMode(
  contract: Contract,
  marginMode: 'cross' | 'isolated',
): Promise<CallResult<SettingRow>> {
  const { platformType } = platformFacts(contract.platform);
  const request = { platformType, symbol: contract.symbol, marginMode };
  return settled(contract, call('x/trade/MarginMode', request));
}

/** Sets one-way or hedge mode; of the whole account at Binance and OKX. */
export function setPositionMode(
  contract: Contract,
  positionMode: 'one-way' | 'hedge',
): Promise<CallResult<SettingRow>> {
  const { platformType } = platformFacts(contract.platform);
  const request = { platformType, symbol: contract.symbol, positionMode };
  return settled(contract, call('connextrade/ChangePositionMode', request));
}

/** Forgets everything: another member, or none. */
export function forgetSettings(): void {
  contractSettingsStore.setState({ settings: {}, tiers: {} });
}
