import type { AdminCaller, AdminHandlers, ApprovalKind, CallAnswer } from '@crossbook/contract';
import { type Amount, amount, formatAmount, type NetworkId } from '@crossbook/domain';
import { refusal } from '../accounts/ports.ts';
import type { Act, Asking } from './ports.ts';

/** No amount is set higher: what is typed with zeros too many is told so. */
const SETTING_MAX = amount('1000000');
const FIRST_TRADE_MAX = amount('1000');
const SELF_RATE_MAX = amount('50');
/** A rate is hundredths of a percent. */
const RATE_DECIMALS = 2;

/** What is set field by field. */
export type Setting =
  | { readonly kind: 'fee' }
  | { readonly kind: 'currency'; readonly asset: string }
  | { readonly kind: 'network'; readonly asset: string; readonly network: NetworkId };

/** Fields as texts: `yes` and `no`, decimal strings, whole numbers. */
export type SettingTexts = Readonly<Record<string, string>>;

/** How a setting stands when somebody asks to change it. */
export interface SettingStanding {
  /** As decisions and the table name it. */
  readonly subject: string;
  /** In force, every field. */
  readonly now: SettingTexts;
  /** Set and not begun yet, those fields alone. */
  readonly next: SettingTexts;
  /** The newest change; '0' for none. */
  readonly newest: string;
  /** Neither shipped nor ever set. */
  readonly isNew: boolean;
}

/** What is offered, as it is set. */
export interface SettingDesk {
  standing(setting: Setting): Promise<SettingStanding>;
  /** Decimals of a currency that is listed somewhere. */
  decimalsOf(asset: string): number | undefined;
}

/** What the calls need. */
export interface SettingCallsDeps {
  readonly settings: SettingDesk;
  readonly actOf: (caller: AdminCaller, call: string, reason: string) => Act;
  readonly ask: Asking;
}

type SettingCall = 'x/admin/FeeSet' | 'x/admin/CurrencySet' | 'x/admin/NetworkSet';

const KIND = { fee: 'fee-set', currency: 'currency-set', network: 'network-set' } as const satisfies Readonly<
  Record<Setting['kind'], ApprovalKind>
>;

function unfit(field: string, allowed: string) {
  return refusal({ error: 'field-invalid', field, allowed });
}

/** What is wrong with an amount, if anything. */
function amountFault(field: string, given: Amount | undefined, most: Amount, decimals: number) {
  if (given === undefined) return undefined;
  if (given > most) return unfit(field, `at most ${formatAmount(most)}`);
  const fraction = formatAmount(given).split('.')[1] ?? '';
  return fraction.length > decimals ? unfit(field, `at most ${decimals} decimals`) : undefined;
}

function yesNo(flag: boolean | undefined): string | undefined {
  return flag === undefined ? undefined : flag ? 'yes' : 'no';
}

function textOf(given: Amount | undefined): string | undefined {
  return given === undefined ? undefined : formatAmount(given);
}

/** What is given and would change something: it differs from what waits, or else from what is in force; of what is new all. */
function changed(
  { now, next, isNew }: SettingStanding,
  given: Readonly<Record<string, string | undefined>>,
): SettingTexts {
  const texts = Object.entries(given).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (isNew || entry[1] !== (next[entry[0]] ?? now[entry[0]])),
  );
  return Object.fromEntries(texts);
}

/** Asks for what a maker has given; the answer to what changes nothing is said. */
async function askToSet(
  { ask }: SettingCallsDeps,
  act: Act,
  setting: Setting,
  {
    standing,
    given,
  }: { readonly standing: SettingStanding; readonly given: Readonly<Record<string, string | undefined>> },
): Promise<CallAnswer<{ approval: string }>> {
  if (Object.values(given).every((text) => text === undefined))
    return unfit('reason', 'something that is set');
  const set = changed(standing, given);
  const fields = Object.keys(set);
  if (fields.length === 0) return refusal({ error: 'already-decided' });
  const was = Object.fromEntries(fields.map((field) => [field, standing.now[field] ?? set[field]]));
  const { subject, newest } = standing;
  return ask(act, {
    ...{ kind: KIND[setting.kind], subject: `${setting.kind} ${subject}` },
    what: { subject, set, was, standing: newest },
  });
}

/**
 * Fees, currencies and networks are set by two. What closes, asks for more or costs less holds at once, field by field; what opens or
 * costs more holds a day later. Demo admins only look.
 */
export function settingCalls(deps: SettingCallsDeps): Pick<AdminHandlers, SettingCall> {
  const { settings, actOf } = deps;
  return {
    'x/admin/FeeSet': async (caller, { what, value, reason }) => {
      if (caller.demo) return refusal({ error: 'demo-refused' });
      const fault =
        what === 'self-rate'
          ? amountFault('value', value, SELF_RATE_MAX, RATE_DECIMALS)
          : amountFault('value', value, FIRST_TRADE_MAX, settings.decimalsOf('USDT') ?? RATE_DECIMALS);
      if (fault !== undefined) return fault;
      const standing = await settings.standing({ kind: 'fee' });
      const act = actOf(caller, 'x/admin/FeeSet', reason);
      return askToSet(deps, act, { kind: 'fee' }, { standing, given: { [what]: formatAmount(value) } });
    },
    'x/admin/CurrencySet': async (
      caller,
      { asset, reason, shown, deposits, withdrawals, position, name },
    ) => {
      if (caller.demo) return refusal({ error: 'demo-refused' });
      if (settings.decimalsOf(asset) === undefined) return unfit('asset', 'a currency that is listed');
      const setting = { kind: 'currency', asset } as const;
      const given = {
        ...{ shown: yesNo(shown), deposits: yesNo(deposits), withdrawals: yesNo(withdrawals) },
        ...{ position: position === undefined ? undefined : String(position), name },
      };
      const standing = await settings.standing(setting);
      return askToSet(deps, actOf(caller, 'x/admin/CurrencySet', reason), setting, { standing, given });
    },
    'x/admin/NetworkSet': async (caller, { asset, network, reason, ...terms }) => {
      if (caller.demo) return refusal({ error: 'demo-refused' });
      const decimals = settings.decimalsOf(asset);
      if (decimals === undefined) return unfit('asset', 'a currency that is listed');
      const { deposits, withdrawals, confirmations, minimum, fee, memo } = terms;
      const fault =
        amountFault('minimum', minimum, SETTING_MAX, decimals) ??
        amountFault('fee', fee, SETTING_MAX, decimals);
      if (fault !== undefined) return fault;
      const setting = { kind: 'network', asset, network } as const;
      const standing = await settings.standing(setting);
      for (const [field, given] of [['minimum', minimum] as const, ['fee', fee] as const])
        if (standing.isNew && given === undefined)
          return unfit(field, 'needed for a network that is new to the currency');
      const given = {
        ...{ deposits: yesNo(deposits), withdrawals: yesNo(withdrawals), minimum: textOf(minimum) },
        ...{ confirmations: confirmations === undefined ? undefined : String(confirmations) },
        ...{ fee: textOf(fee), memo },
      };
      return askToSet(deps, actOf(caller, 'x/admin/NetworkSet', reason), setting, { standing, given });
    },
  };
}
