import type { CallAnswer, CallRequest, MemberCaller, PositionRow, SettingRow } from '@crossbook/contract';
import {
  type ContractSetting,
  type Instrument,
  minus,
  type Platform,
  type PlatformType,
  platformOfType,
  ZERO,
} from '@crossbook/domain';
import type { SettingOutcome } from '@crossbook/venues/trading';
import { reasonOfRefusal, refusalOfOurs } from '../../intents/venue-refusal.ts';
import type { AccountOwner } from '../account-pages.ts';
import { positionName } from '../contract-store.ts';
import { type Refused, refusal } from '../ports.ts';
import type { ContractAccount } from './contract-accounts.ts';
import { away, type ContractPlacing } from './place-contract.ts';
import { positionRow, settingRow } from './position-rows.ts';
import { swapsOf } from './stated-stats.ts';

/*
 * Settings live at the venue and nowhere else: they hold no money, so that no row is written ahead. Where the answer to a
 * change is lost, the setting is read back and the answer says how it stands; an opening order compares again in any case.
 */

interface Contract {
  readonly account: ContractAccount;
  readonly instrument: Instrument;
}

/** The account in order and the contract that is meant. */
export async function contractOf(
  { accounts, placing }: ContractPlacing,
  caller: MemberCaller,
  request: { readonly platformType: PlatformType; readonly symbol: string },
): Promise<({ readonly ok: true } & Contract) | Refused> {
  const platform = platformOfType(request.platformType)?.platform as Platform;
  const { deps } = placing;
  const instrument = deps.market.instrument(platform, 'SWAP', request.symbol);
  if (instrument === undefined)
    return refusal({ error: 'symbol-unknown', field: 'symbol', given: request.symbol });
  const account = await accounts.prepared({ user: caller.user, platform });
  return account === undefined ? refusal(away(platform)) : { ok: true, account, instrument };
}

/** GetLeverage: how a contract is set, as the venue has it. */
export async function getLeverage(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/GetLeverage'>,
): Promise<CallAnswer<SettingRow>> {
  const found = await contractOf(contracts, caller, request);
  return found.ok ? settingAnswer(contracts, found) : found;
}

/** SetLeverage. */
export async function setLeverage(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/SetLeverage'>,
): Promise<CallAnswer<SettingRow>> {
  const found = await openContract(contracts, caller, request);
  if (!found.ok) return found;
  const { account, instrument } = found;
  if (request.leverage > instrument.maxLeverage) {
    // A public list may name less than the table of the account (Binance names none).
    const tiers = await account.contracts.tiers(account.credentials, instrument);
    const steps = tiers.ok ? tiers.value.map(({ maxLeverage }) => maxLeverage) : [];
    const most = Math.max(instrument.maxLeverage, ...steps);
    if (request.leverage > most)
      return refusal({ error: 'leverage-range', field: 'leverage', allowed: `1 and ${most}` });
  }
  const { leverage, effect: side } = request;
  const setting = await contracts.accounts.setting(account, instrument);
  const marginMode = request.marginMode ?? setting?.marginMode ?? 'cross';
  return changed(contracts, found, {
    ask: () => account.contracts.setLeverage(account.credentials, instrument, { leverage, marginMode, side }),
    holds: ({ leverageLong, leverageShort }) => (side === 2 ? leverageShort : leverageLong) === leverage,
  });
}

/** ChangePositionMode: one position, or a long and a short one. */
export async function changePositionMode(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/ChangePositionMode'>,
): Promise<CallAnswer<SettingRow>> {
  const found = await openContract(contracts, caller, request);
  if (!found.ok) return found;
  const { positionMode } = request;
  const { contracts: venue, credentials } = found.account;
  return changed(contracts, found, {
    ask: () => venue.setPositionMode(credentials, found.instrument, positionMode),
    holds: (setting) => setting.positionMode === positionMode,
  });
}

/** Cross or isolated. */
export async function changeMarginMode(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'x/trade/MarginMode'>,
): Promise<CallAnswer<SettingRow>> {
  const found = await openContract(contracts, caller, request);
  if (!found.ok) return found;
  const { marginMode } = request;
  const { contracts: venue, credentials } = found.account;
  return changed(contracts, found, {
    ask: () => venue.setMarginMode(credentials, found.instrument, marginMode),
    holds: (setting) => setting.marginMode === marginMode,
  });
}

/** Adds margin to an isolated position, or takes some; what became of it the position says. */
export async function adjustMargin(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'x/trade/AdjustMargin'>,
): Promise<CallAnswer<PositionRow>> {
  const found = await contractOf(contracts, caller, request);
  if (!found.ok) return found;
  const { account, instrument } = found;
  const { stated, placing } = contracts;
  const takes = request.direction === 2;
  const halted = takes ? placing.deps.moneyGate() : undefined;
  if (halted !== undefined) return refusal(halted);
  const key = { symbol: instrument.symbol, side: request.effect, marginMode: 'isolated' } as const;
  const positionNow = async () =>
    (await stated.read(account))?.positions.find(
      (candidate) => positionName(candidate) === positionName(key) && candidate.quantity !== 0n,
    );
  if ((await positionNow()) === undefined) return refusal({ error: 'position-none' });
  const outcome = await account.contracts.adjustMargin(account.credentials, instrument, {
    position: { ...key, platform: account.owner.platform },
    amount: takes ? minus(ZERO, request.amount) : request.amount,
  });
  if (outcome.outcome === 'refused') return refusedSetting(outcome);
  const after = await positionNow();
  if (outcome.outcome === 'unknown' || after === undefined) return refusal({ error: 'outcome-unknown' });
  const booked = await placing.deps.contracts.booked(account.owner);
  const run = booked.find((position) => positionName(position) === positionName(key));
  return { ok: true, value: positionRow(after, run) };
}

/** Changes are for a platform that is open; reading never is refused. */
async function openContract(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: { readonly platformType: PlatformType; readonly symbol: string },
): Promise<({ readonly ok: true } & Contract) | Refused> {
  const found = await contractOf(contracts, caller, request);
  if (!found.ok || found.account.desk.state === 'live') return found;
  return refusal({ error: 'platform-coming-soon', given: found.account.desk.name });
}

interface Change {
  readonly ask: () => Promise<SettingOutcome>;
  /** Whether the setting is as it was asked for. */
  readonly holds: (setting: ContractSetting) => boolean;
}

async function changed(
  contracts: ContractPlacing,
  contract: Contract,
  { ask, holds }: Change,
): Promise<CallAnswer<SettingRow>> {
  const { account, instrument } = contract;
  const { deps } = contracts.placing;
  // A mode may be one of the whole account: what was read of its other contracts does not serve either.
  const all = swapsOf(deps, account.owner);
  const outcome = await contracts.accounts.changing(account, all, ask);
  if (outcome.outcome === 'refused') return refusedSetting(outcome);
  const setting = await contracts.accounts.setting(account, instrument);
  // The answer was lost, and so was the reading; or the change may still be under way.
  if (setting === undefined || (outcome.outcome === 'unknown' && !holds(setting)))
    return refusal({ error: 'outcome-unknown' });
  return reported(contracts, account.owner, { instrument, setting });
}

async function settingAnswer(
  contracts: ContractPlacing,
  { account, instrument }: Contract,
): Promise<CallAnswer<SettingRow>> {
  const setting = await contracts.accounts.setting(account, instrument);
  if (setting === undefined) return refusal(away(account.owner.platform));
  return { ok: true, value: settingRow(setting, instrument.maxLeverage) };
}

function reported(
  { placing }: ContractPlacing,
  owner: AccountOwner,
  { setting, instrument }: { readonly setting: ContractSetting; readonly instrument: Instrument },
): CallAnswer<SettingRow> {
  const row = settingRow(setting, instrument.maxLeverage);
  placing.deps.publish(owner.user, { kind: 'setting', setting: row });
  return { ok: true, value: row };
}

function refusedSetting(outcome: SettingOutcome & { readonly outcome: 'refused' }): Refused {
  const reason = reasonOfRefusal(outcome);
  return refusal(refusalOfOurs(reason) ?? { error: 'setting-refused', given: reason });
}
