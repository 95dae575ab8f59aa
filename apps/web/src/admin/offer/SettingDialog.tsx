import type { AdminResponse } from '@crossbook/contract';
import { type ReactNode, useState } from 'react';
import { formatDateTime, groupDigits } from '../../i18n/format.ts';
import { type Text, useLocale, useText } from '../../i18n/i18n.ts';
import { say } from '../../stores/admin/admin-service.ts';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { ActDialog, type ActDialogProps } from '../parts/ActDialog.tsx';
import { readAgain } from '../parts/PagedTable.tsx';
import { ON_PHONE } from '../parts/Part.tsx';

/** A change that is set. */
export type Change = AdminResponse<'x/admin/Offer'>['settings'][number];
type Next = Pick<Change, 'field' | 'value' | 'from'>;

/** Every field that is set on this page. */
export type SettingField =
  | 'first-trade'
  | 'self-rate'
  | 'shown'
  | 'deposits'
  | 'withdrawals'
  | 'position'
  | 'name'
  | 'confirmations'
  | 'minimum'
  | 'fee'
  | 'memo';

const FLAGS: readonly string[] = ['shown', 'deposits', 'withdrawals'];
const MEMOS = ['none', 'optional', 'required'] as const;

/** A value of a field as it is read. */
export function valueText(t: Text, field: string, value: string): string {
  if (FLAGS.includes(field)) return t(value === 'yes' ? 'admin.yes' : 'admin.no');
  const memo = field === 'memo' ? MEMOS.find((rule) => rule === value) : undefined;
  if (memo !== undefined) return t(`admin.offer.memo.${memo}`);
  if (field === 'self-rate') return `${value} %`;
  return field === 'name' ? value : groupDigits(value);
}

/** Name of a field. */
export function fieldText(t: Text, field: string): string {
  return t(`admin.offer.field.${field as SettingField}`);
}

/** What is set and holds later, each with its time. */
export function NextValues({ next }: { readonly next: readonly Next[] }) {
  const t = useText();
  const locale = useLocale();
  if (next.length === 0) return '-';
  return next.map(({ field, value, from }) => (
    <span key={field} className={`block ${ON_PHONE}`}>
      {fieldText(t, field)}: {valueText(t, field, value)} · {formatDateTime(from, locale)}
    </span>
  ));
}

/** What is open of a currency or a network, in words. */
export function openText(
  t: Text,
  open: { readonly deposits: boolean; readonly withdrawals: boolean },
): string {
  const names = (['deposits', 'withdrawals'] as const).filter((what) => open[what]);
  return names.length === 0 ? t('admin.offer.closed') : names.map((what) => fieldText(t, what)).join(', ');
}

/** A flag as the calls write it. */
export function yesNo(flag: boolean): string {
  return flag ? 'yes' : 'no';
}

/** Props of `SettingDialog`. */
export interface SettingDialogProps {
  readonly title: string;
  /** In force, in the order of the dialog. */
  readonly values: readonly (readonly [field: SettingField, value: string])[];
  readonly next: readonly Next[];
  /** Asks with the fields that were changed, flags as `true` and `false`. */
  readonly onAsk: (
    changed: Readonly<Partial<Record<SettingField, string>>>,
    reason: string,
  ) => ReturnType<ActDialogProps['onAct']>;
  /** Sent also where nothing was changed: for what is new. */
  readonly whole?: boolean;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** Asks for other values; somebody else decides. What waits stands in its field already. */
export function SettingDialog(props: SettingDialogProps) {
  const t = useText();
  const { values, next, whole = false } = props;
  const before = Object.fromEntries([
    ...values,
    ...next.map(({ field, value }) => [field, value] as const),
  ]) as Record<SettingField, string>;
  const [typed, setTyped] = useState(before);
  const changed = Object.fromEntries(
    values
      .map(([field]) => [field, typed[field].trim()] as const)
      .filter(([field, value]) => value !== '' && (whole || value !== before[field]))
      .map(([field, value]) => [field, FLAGS.includes(field) ? String(value === 'yes') : value]),
  );
  return (
    <ActDialog
      title={props.title}
      lead={t('admin.offer.fieldLead')}
      button={t('admin.offer.ask')}
      ready={Object.keys(changed).length > 0}
      onAct={(reason) => props.onAsk(changed, reason)}
      onDone={() => {
        say('admin.asked');
        readAgain();
      }}
      onClose={props.onClose}
    >
      {props.children}
      {values.map(([field]) => (
        <Value
          key={field}
          field={field}
          value={typed[field]}
          onChange={(value) => setTyped((all) => ({ ...all, [field]: value }))}
        />
      ))}
    </ActDialog>
  );
}

function Value(props: {
  readonly field: SettingField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const t = useText();
  const { field, value, onChange } = props;
  const label = fieldText(t, field);
  const choices = FLAGS.includes(field) ? ['yes', 'no'] : field === 'memo' ? MEMOS : undefined;
  if (choices !== undefined) {
    const options = choices.map((choice) => ({
      value: choice as string,
      label: valueText(t, field, choice),
    }));
    return <Select {...{ label, value, options, onChange }} />;
  }
  const isName = field === 'name';
  return (
    <Field
      label={label}
      inputMode={isName ? 'text' : 'decimal'}
      maxLength={isName ? 40 : 30}
      value={value}
      onChange={({ target }) => onChange(isName ? target.value : target.value.replaceAll(/[\s,]/g, ''))}
    />
  );
}
