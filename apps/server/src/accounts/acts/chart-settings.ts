import type { CallAnswer, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import type { AccountBudgets } from '../budgets.ts';
import { type ChartSettingsStore, refusal } from '../ports.ts';

/** What chart settings need. */
export interface ChartSettingsDeps {
  readonly chartSettings: ChartSettingsStore;
  readonly budgets: AccountBudgets;
}

/** connexbasicdata/GetChatSetting: what was kept last; nothing yet is an empty object of version 0. */
export async function chartSettings(
  deps: ChartSettingsDeps,
  { user }: MemberCaller,
): Promise<CallAnswer<CallResponse<'connexbasicdata/GetChatSetting'>>> {
  return { ok: true, value: (await deps.chartSettings.of(user)) ?? { settings: '{}', version: 0 } };
}

/** connexbasicdata/ChangeChatSetting: of two browsers that change the same version one is told. */
export async function changeChartSettings(
  deps: ChartSettingsDeps,
  caller: MemberCaller,
  { settings, version }: CallRequest<'connexbasicdata/ChangeChatSetting'>,
): Promise<CallAnswer<CallResponse<'connexbasicdata/ChangeChatSetting'>>> {
  const sender = { address: caller.address, device: `member ${caller.user}` };
  const limited = await deps.budgets.take('chartSettingsPerMember', sender, caller.now);
  if (limited !== undefined) return limited;
  const kept = await deps.chartSettings.keep(caller.user, settings, version);
  return kept === undefined ? refusal({ error: 'settings-stale' }) : { ok: true, value: { version: kept } };
}
