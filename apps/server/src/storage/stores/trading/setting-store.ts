import { formatAmount, type Millis, type OrderId, type Platform, type UserId } from '@crossbook/domain';
import type {
  SettingChange,
  SettingChangeStore,
  StoredSettingChange,
} from '../../../trading/setting-change.ts';
import type { Database } from '../../postgres/database.ts';
import { maybe, signedMoney } from '../order-columns.ts';

/** Set-based statements of changes of settings. */
export const SETTING_WRITES: Readonly<Record<string, string>> = {
  'setting-changes.insert': `insert into setting_changes
    select * from jsonb_populate_recordset(null::setting_changes, $1)`,
  'setting-changes.update': `update setting_changes set state = r.state, reason = r.reason, deadline_at = r.deadline_at,
      lookups = r.lookups, updated_at = r.updated_at
    from jsonb_populate_recordset(null::setting_changes, $1) r
    where setting_changes.id = r.id and setting_changes.state in ('asked', 'unknown')`,
};

interface SettingColumns {
  readonly id: string;
  readonly user_id: string;
  readonly platform: number;
  readonly symbol: string;
  readonly change: Readonly<Record<string, unknown>>;
  readonly payload_hash: string;
  readonly state: StoredSettingChange['state'];
  readonly reason: string | null;
  readonly deadline_at: string | null;
  readonly lookups: number;
  readonly created_at: string;
  readonly updated_at: string;
}

const millis = (text: string) => Number(text) as Millis;

function changeOf(row: SettingColumns): StoredSettingChange {
  return {
    id: row.id as OrderId,
    user: Number(row.user_id) as UserId,
    platform: row.platform as Platform,
    symbol: row.symbol,
    change: wantedOf(row.change),
    payloadHash: row.payload_hash,
    state: row.state,
    ...maybe('reason', row.reason, (reason) => reason),
    ...maybe('deadlineAt', row.deadline_at, millis),
    lookups: row.lookups,
    createdAt: millis(row.created_at),
    updatedAt: millis(row.updated_at),
  };
}

/** Amounts travel as text in JSON. */
function wantedOf(stored: SettingColumns['change']): SettingChange {
  const { amount, before } = stored;
  const amounts =
    typeof amount === 'string' && typeof before === 'string'
      ? { amount: signedMoney(amount), before: signedMoney(before) }
      : {};
  return { ...stored, ...amounts } as unknown as SettingChange;
}

function columnsOf(row: StoredSettingChange): Readonly<Record<string, unknown>> {
  const { change } = row;
  const amounts =
    change.kind === 'margin'
      ? { amount: formatAmount(change.amount), before: formatAmount(change.before) }
      : {};
  return {
    ...{ id: row.id, user_id: row.user, platform: row.platform, symbol: row.symbol },
    ...{ change: { ...change, ...amounts }, payload_hash: row.payloadHash, state: row.state },
    ...{ reason: row.reason ?? null, deadline_at: row.deadlineAt ?? null, lookups: row.lookups },
    ...{ created_at: row.createdAt, updated_at: row.updatedAt },
  };
}

/** Changes of settings in PostgreSQL. */
export function settingChangesOf(database: Database): SettingChangeStore {
  return {
    async settingChange(id) {
      const [row] = await database.query<SettingColumns>('select * from setting_changes where id = $1', [id]);
      return row === undefined ? undefined : changeOf(row);
    },
    async openSettingChanges() {
      const rows = await database.query<SettingColumns>(
        "select * from setting_changes where state in ('asked', 'unknown') order by created_at",
      );
      return rows.map(changeOf);
    },
    insertSettingChange: (change) => ({ table: 'setting-changes.insert', row: columnsOf(change) }),
    updateSettingChange: (change) => ({ table: 'setting-changes.update', row: columnsOf(change) }),
  };
}
