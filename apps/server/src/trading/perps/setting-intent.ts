import {
  type ContractSetting,
  formatAmount,
  type Instrument,
  type MarginMode,
  type Millis,
  type OrderId,
  plus,
} from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type {
  IntentAnswer,
  IntentDoubt,
  IntentFinding,
  IntentRules,
  IntentStep,
  LookupTimes,
} from '../../intents/intent.ts';
import { commitWithRows } from '../booking/booked-rows.ts';
import { positionName } from '../contract-store.ts';
import type { TradingDeps } from '../ports.ts';
import type { SettingChange, StoredSettingChange } from '../setting-change.ts';
import { keptReason } from '../venue-refusal.ts';
import type { ContractAccount, ContractAccounts } from './contract-accounts.ts';

/** Changes that have not ended are looked up after 1, 2, 4 and then every 5 s. */
const LOOKUPS: LookupTimes = {
  firstMillis: [1_000, 2_000, 4_000],
  thenMillis: 5_000,
  atOnceMax: { fresh: 4, old: 1 },
};
/** Readings behind the deadline that must show the setting as it was. */
const ABSENCES_MIN = 2;

/** How a change ended. */
export type SettingProof = Pick<StoredSettingChange, 'reason'> & {
  readonly state: 'done' | 'refused' | 'unproved';
};

/** What the rules work with. */
export interface SettingParts {
  readonly deps: TradingDeps;
  readonly accounts: ContractAccounts;
  /** A change has ended: whoever shows the setting hears how it stands. */
  readonly ended: (change: StoredSettingChange) => Promise<void>;
}

/** Where a change is made. */
export interface ChangePlace {
  readonly account: ContractAccount;
  readonly instrument: Instrument;
}

/**
 * Changes of settings as intents: asked for once, by their own call. What the venue has is the proof: a setting that is
 * as it was wanted is done, one that is not once no request can arrive any more was never changed.
 */
export function settingRules(parts: SettingParts): IntentRules<StoredSettingChange, SettingProof> {
  const { deps } = parts;
  return {
    name: 'setting',
    lane: (id) => `setting:${id}`,
    load: (id: OrderId) => deps.contracts.settingChange(id),
    left: () => deps.contracts.openSettingChanges(),
    standing: ({ id, state, lookups, createdAt, deadlineAt }) => ({
      ...{ id, createdAt, absences: lookups, perhapsSent: true, taken: false },
      ended: state !== 'asked' && state !== 'unknown',
      ...(deadlineAt === undefined ? {} : { deadlineAt }),
    }),
    share: settingShare,
    find: (change) => findChange(parts, change),
    // Settings are asked for by the calls of an account, whose window is that of transfers.
    deadlineMillis: ({ platform }) => venueProfile(platform).trading.transferDeadlineMillis,
    absence: { lookupsMin: ABSENCES_MIN, spanMillisMin: 0, countedFrom: 'deadline' },
    proveAbsent: async () => ({ state: 'refused', reason: 'the exchange never received it' }),
    settle: (change, proof) => settle(parts, change, proof),
    unclear: (change, doubt) => unclear(parts, change, doubt),
    shownUnknown: (change) => ({ ...change, state: 'unknown' }),
    evidence: ({ payloadHash: _hash, change, ...row }) => ({ ...row, ...shown(change) }),
    lookups: LOOKUPS,
  };
}

/** Lookups of one platform share their places. */
export function settingShare({ platform }: Pick<StoredSettingChange, 'platform'>): string {
  return `settings at ${platform}`;
}

/** Asks the venue for a change, once; a lost answer is looked up at once. */
export async function askForChange(
  parts: SettingParts,
  { account, instrument }: ChangePlace,
  row: StoredSettingChange,
): Promise<IntentAnswer<SettingProof>> {
  const { deps, accounts } = parts;
  const outcome = await accounts.changing(account, async () => {
    const answer = send({ account, instrument }, row.change);
    deps.crash('after-send');
    const answered = await answer;
    deps.crash('after-answer');
    return answered;
  });
  if (outcome.outcome === 'done') return { outcome: 'proved', proof: { state: 'done' } };
  if (outcome.outcome === 'refused')
    return { outcome: 'proved', proof: { state: 'refused', reason: keptReason(outcome) } };
  const window = venueProfile(row.platform).trading.transferDeadlineMillis;
  const deadlineAt = (deps.clock() + window) as Millis;
  const found = await findChange(parts, row);
  return found.outcome === 'proved' ? found : { outcome: 'unknown', why: outcome.why, deadlineAt };
}

function send({ account, instrument }: ChangePlace, change: SettingChange) {
  const { contracts, credentials, owner } = account;
  switch (change.kind) {
    case 'leverage':
      return contracts.setLeverage(credentials, instrument, change);
    case 'margin-mode':
      return contracts.setMarginMode(credentials, instrument, change.marginMode);
    case 'position-mode':
      return contracts.setPositionMode(credentials, instrument, change.positionMode);
    case 'margin': {
      const { side, amount } = change;
      const position = { platform: owner.platform, symbol: instrument.symbol, side } as const;
      return contracts.adjustMargin(credentials, instrument, {
        position: { ...position, marginMode: 'isolated' },
        amount,
      });
    }
  }
}

async function findChange(
  { deps, accounts }: SettingParts,
  row: StoredSettingChange,
): Promise<IntentFinding<SettingProof>> {
  const { change, platform, symbol } = row;
  const account = await accounts.find(row);
  const instrument = deps.market.instrument(platform, 'SWAP', symbol);
  if (account === undefined || instrument === undefined)
    return { outcome: 'unknown', why: 'the contract or the account is not there' };
  if (change.kind === 'margin') return findMargin(deps, { account, instrument }, { row, change });
  const place = { instrument, marginMode: modeOfChange(change) };
  const proves = (setting: ContractSetting): boolean => holds(change, setting);
  const read = await accounts.settingAnew(account, place, proves);
  if (!read.ok) return { outcome: 'unknown', why: `the setting cannot be read: ${read.code}` };
  return proves(read.value) ? { outcome: 'proved', proof: { state: 'done' } } : { outcome: 'absent' };
}

/** The margin mode that a change is about. */
export function modeOfChange(change: SettingChange): MarginMode | undefined {
  return change.kind === 'leverage' || change.kind === 'margin-mode' ? change.marginMode : undefined;
}

function holds(change: Exclude<SettingChange, { kind: 'margin' }>, setting: ContractSetting): boolean {
  switch (change.kind) {
    case 'leverage':
      return (change.side === 2 ? setting.leverageShort : setting.leverageLong) === change.leverage;
    case 'margin-mode':
      return setting.marginMode === change.marginMode;
    case 'position-mode':
      return setting.positionMode === change.positionMode;
  }
}

/** Margin that is neither what it was nor what it should be was moved by a fill or by funding as well. */
async function findMargin(
  deps: TradingDeps,
  { account, instrument }: ChangePlace,
  { row, change }: { readonly row: StoredSettingChange; readonly change: SettingChange & { kind: 'margin' } },
): Promise<IntentFinding<SettingProof>> {
  const { contracts, credentials } = account;
  const read = await contracts.positions(credentials, [instrument], 'lookup');
  if (!read.ok) return { outcome: 'unknown', why: `the position cannot be read: ${read.code}` };
  const { platform, symbol } = row;
  const key = { platform, symbol, side: change.side, marginMode: 'isolated' } as const;
  const position = read.value.find((one) => positionName(one) === positionName(key));
  const stands = position?.isolatedMargin;
  if (stands === plus(change.before, change.amount)) return { outcome: 'proved', proof: { state: 'done' } };
  if (stands === change.before) return { outcome: 'absent' };
  const why = 'the position has changed since';
  return row.deadlineAt !== undefined && deps.clock() > row.deadlineAt
    ? { outcome: 'proved', proof: { state: 'unproved', reason: why } }
    : { outcome: 'unknown', why };
}

async function settle(
  { deps, ended }: SettingParts,
  change: StoredSettingChange,
  proof: SettingProof,
): Promise<IntentStep<StoredSettingChange>> {
  const after = { ...change, ...proof, updatedAt: deps.clock() };
  deps.crash('before-post');
  await written(deps, after);
  deps.crash('after-post');
  await ended(after);
  return { intent: after, needsLookup: false };
}

async function unclear(
  { deps }: SettingParts,
  { deadlineAt: _before, ...change }: StoredSettingChange,
  { why, deadlineAt, absences }: IntentDoubt,
): Promise<StoredSettingChange> {
  if (change.state === 'asked') deps.log.note('outcome of a setting unknown', { id: change.id, why });
  const after = { ...change, state: 'unknown', lookups: absences, updatedAt: deps.clock() } as const;
  return written(deps, deadlineAt === undefined ? after : { ...after, deadlineAt });
}

async function written(deps: TradingDeps, after: StoredSettingChange): Promise<StoredSettingChange> {
  const done = await commitWithRows(deps, {
    commands: [],
    writes: [deps.contracts.updateSettingChange(after)],
  });
  if (!done.ok) throw new Error(`setting ${after.id}: ${done.code}`);
  return after;
}

function shown(change: SettingChange): Readonly<Record<string, unknown>> {
  if (change.kind !== 'margin') return change;
  return { ...change, amount: formatAmount(change.amount), before: formatAmount(change.before) };
}
