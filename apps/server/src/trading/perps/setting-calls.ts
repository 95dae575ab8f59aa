import type {
  CallAnswer,
  CallRequest,
  MemberCaller,
  PositionRow,
  Refusal,
  SettingRow,
} from '@crossbook/contract';
import {
  type Instrument,
  minus,
  type Platform,
  type PlatformType,
  platformOfType,
  ZERO,
} from '@crossbook/domain';
import type { VenueRead } from '@crossbook/venues/trading';
import type { AccountOwner } from '../account-pages.ts';
import { movesWithAccount, positionName } from '../contract-store.ts';
import { payloadHash } from '../orders/place-order.ts';
import { type Refused, refusal } from '../ports.ts';
import type { SettingChange, StoredSettingChange } from '../setting-change.ts';
import { refusalOfReason } from '../venue-refusal.ts';
import { type AccountStanding, away, firstSetting } from './contract-accounts.ts';
import type { ContractPlacing } from './place-contract.ts';
import { positionRow, settingRow } from './position-rows.ts';
import type { ChangeMade, ChangeRequest } from './setting-changes.ts';
import { type ChangePlace, modeOfChange } from './setting-intent.ts';
import type { ReadStats } from './stated-stats.ts';

/*
 * Settings live at the venue and nowhere else. A change is an intent: written before the venue is asked, asked for once,
 * and looked up by reading the setting where its answer is lost; an opening order compares again in any case.
 */

/** The contract that is meant, with the account in order or with none: then nothing is held there, or set. */
export type ShownContract = { readonly ok: true; readonly instrument: Instrument } & (
  | ({ readonly state: 'ready' } & ChangePlace)
  | Extract<AccountStanding, { readonly state: 'none' }>
);

/** Finds it for what is read, which needs no account. */
export async function contractShown(
  { accounts, placing }: ContractPlacing,
  caller: MemberCaller,
  { platformType, symbol }: { readonly platformType: PlatformType; readonly symbol: string },
): Promise<ShownContract | Refused> {
  const platform = platformOfType(platformType)?.platform as Platform;
  const instrument = placing.deps.market.instrument(platform, 'SWAP', symbol);
  if (instrument === undefined) return refusal({ error: 'symbol-unknown', field: 'symbol', given: symbol });
  const owner = { user: caller.user, platform };
  const standing = await accounts.standing(owner);
  if (standing.state === 'none') return { ok: true, instrument, ...standing };
  const ready = await accounts.prepared(owner);
  return ready.ok ? { ...ready, state: 'ready', instrument } : ready;
}

/** GetLeverage: how a contract is set, as the venue has it; before there is an account, what a new one is set to. */
export async function getLeverage(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/GetLeverage'>,
): Promise<CallAnswer<SettingRow>> {
  const found = await contractShown(contracts, caller, request);
  if (!found.ok) return found;
  if (found.state === 'ready') return settingAnswer(contracts, found, request.marginMode);
  const { instrument } = found;
  const maxLeverage = await contracts.accounts.maxLeverage(found, instrument);
  const first = firstSetting(found.contracts, instrument, { marginMode: request.marginMode, maxLeverage });
  return { ok: true, value: settingRow(first, maxLeverage) };
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
  const { accounts } = contracts;
  const { leverage, effect: side } = request;
  const most = await accounts.maxLeverage(account, instrument);
  if (leverage > most)
    return refusal({ error: 'leverage-range', field: 'leverage', allowed: `1 and ${most}` });
  const set = request.marginMode === undefined ? await accounts.setting(account, instrument) : undefined;
  const marginMode = request.marginMode ?? (set?.ok === true ? set.value.marginMode : 'cross');
  return changed(contracts, found, { kind: 'leverage', leverage, marginMode, side }, request);
}

/** ChangePositionMode: one position, or a long and a short one. */
export async function changePositionMode(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/ChangePositionMode'>,
): Promise<CallAnswer<SettingRow>> {
  const found = await openContract(contracts, caller, request);
  const { positionMode } = request;
  return found.ok ? changed(contracts, found, { kind: 'position-mode', positionMode }, request) : found;
}

/** Cross or isolated. */
export async function changeMarginMode(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'x/trade/MarginMode'>,
): Promise<CallAnswer<SettingRow>> {
  const found = await openContract(contracts, caller, request);
  const { marginMode } = request;
  return found.ok ? changed(contracts, found, { kind: 'margin-mode', marginMode }, request) : found;
}

/** Adds margin to an isolated position, or takes some; what became of it the position says. */
export async function adjustMargin(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'x/trade/AdjustMargin'>,
): Promise<CallAnswer<PositionRow>> {
  const place = await contractShown(contracts, caller, request);
  if (!place.ok) return place;
  if (place.state === 'none') return refusal({ error: 'position-none' });
  const { account, instrument } = place;
  const { stated, placing, settings } = contracts;
  const takes = request.direction === 2;
  const halted = takes ? takingBar(contracts, account.owner) : undefined;
  if (halted !== undefined) return refusal(halted);
  const { platform, symbol } = instrument;
  const key = { platform, symbol, side: request.effect, marginMode: 'isolated' } as const;
  const positionIn = (read: VenueRead<ReadStats>) =>
    (read.ok ? read.value.positions : []).find(
      (candidate) => positionName(candidate) === positionName(key) && candidate.quantity !== 0n,
    );
  const asked = changeRequest(request);
  let outcome = await settings.earlier(account.owner, asked);
  if (outcome === undefined) {
    // More margin protects a position, as closing it does.
    const read = await stated.read(account, takes ? 'lookup' : 'close');
    if (!read.ok) return refusal(away(account.owner.platform, read));
    const before = positionIn(read)?.isolatedMargin;
    if (before === undefined) return refusal({ error: 'position-none' });
    const amount = takes ? minus(ZERO, request.amount) : request.amount;
    const change = { kind: 'margin', side: request.effect, amount, before } as const;
    outcome = await settings.carryOut(place, change, asked);
  }
  const refused = whyNot(outcome);
  if (refused !== undefined) return refused;
  const after = positionIn(await stated.read(account, 'lookup'));
  if (after === undefined) return refusal({ error: 'outcome-unknown' });
  const booked = await placing.deps.contracts.booked(account.owner);
  const run = booked.find((position) => positionName(position) === positionName(key));
  return { ok: true, value: positionRow(after, run) };
}

/** Less margin is more risk: none while no money moves, or while our books and the exchange's differ. */
function takingBar({ placing, doubtful }: ContractPlacing, owner: AccountOwner): Refusal | undefined {
  const differs = (placing.doubtful(owner) ?? doubtful(owner)) !== undefined;
  return placing.deps.moneyGate() ?? (differs ? { error: 'trading-halted' } : undefined);
}

/** Changes are for a platform that is open and an account that there is; reading never is refused. */
async function openContract(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: { readonly platformType: PlatformType; readonly symbol: string },
): Promise<({ readonly ok: true } & ChangePlace) | Refused> {
  const found = await contractShown(contracts, caller, request);
  if (!found.ok) return found;
  const { name, state } = found.state === 'ready' ? found.account.desk : found.desk;
  if (state !== 'live') return refusal({ error: 'platform-coming-soon', given: name });
  return found.state === 'ready' ? found : refusal({ error: 'account-none', given: name });
}

function changeRequest(request: ChangeAsked): ChangeRequest {
  return { clientId: request.clientId, payloadHash: payloadHash({ ...request }) };
}

type ChangeAsked = Readonly<Record<string, unknown>> & Pick<ChangeRequest, 'clientId'>;

async function changed(
  contracts: ContractPlacing,
  place: ChangePlace,
  change: SettingChange,
  request: ChangeAsked,
): Promise<CallAnswer<SettingRow>> {
  const outcome = await contracts.settings.carryOut(place, change, changeRequest(request));
  const refused = whyNot(outcome);
  if (refused !== undefined) return refused;
  const answer = await settingAnswer(contracts, place, modeOfChange(change));
  return answer.ok ? answer : refusal({ error: 'outcome-unknown' });
}

async function settingAnswer(
  { accounts }: Pick<ContractPlacing, 'accounts'>,
  { account, instrument }: ChangePlace,
  marginMode?: ReturnType<typeof modeOfChange>,
): Promise<CallAnswer<SettingRow>> {
  const setting = await accounts.setting(account, instrument, marginMode);
  if (!setting.ok) return refusal(away(account.owner.platform, setting));
  return { ok: true, value: settingRow(setting.value, await accounts.maxLeverage(account, instrument)) };
}

/**
 * A change has ended: whoever shows the setting or the position hears how it stands. Nothing older than the change is
 * remembered: neither where its answer nor where a lookup told its end. What was refused at once changed nothing.
 */
export async function tellSetting(
  contracts: Pick<ContractPlacing, 'accounts' | 'stated' | 'placing'>,
  { user, platform, symbol, change, state, lookups }: StoredSettingChange,
): Promise<void> {
  const { accounts, stated, placing } = contracts;
  const { deps } = placing;
  const account = await accounts.find({ user, platform });
  const instrument = deps.market.instrument(platform, 'SWAP', symbol);
  if (account === undefined || instrument === undefined || (state === 'refused' && lookups === 0)) return;
  if (change.kind === 'margin') return void (await stated.read(account, 'lookup'));
  // What is held went along: it is told before the setting, so that nobody shows it in the mode that is left.
  if (change.kind === 'margin-mode' && movesWithAccount(platform)) await stated.read(account, 'lookup');
  const answer = await settingAnswer(contracts, { account, instrument }, modeOfChange(change));
  if (answer.ok) deps.publish(user, { kind: 'setting', setting: answer.value });
}

/** Why a change is not done, as far as anybody knows. */
function whyNot(outcome: ChangeMade): Refused | undefined {
  if (!outcome.ok) return outcome;
  const { state, reason = '' } = outcome.made;
  if (state === 'done') return undefined;
  if (state !== 'refused') return refusal({ error: 'outcome-unknown' });
  return refusal(refusalOfReason(reason, 'setting-refused'));
}
