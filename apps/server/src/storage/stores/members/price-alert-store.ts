import {
  type Amount,
  formatAmount,
  type Millis,
  type OrderId,
  type Platform,
  parseAmount,
  type SymbolType,
  type UserId,
} from '@crossbook/domain';
import type { PriceAlertStore, StoredAlert } from '../../../market/price-alerts.ts';
import type { Database } from '../../postgres/database.ts';

interface AlertColumns {
  readonly id: string;
  readonly user_id: string;
  readonly platform: number;
  readonly symbol_type: SymbolType;
  readonly symbol: string;
  readonly price: string;
  readonly direction: 'rises' | 'falls';
  readonly created_at: string;
  readonly fired_at: string | null;
  readonly fired_price: string | null;
}

const COLUMNS = `id, user_id, platform, symbol_type, symbol, trim_scale(price)::text as price, direction, created_at, fired_at,
  trim_scale(fired_price)::text as fired_price`;
const DAY_MILLIS = 86_400_000;
/** What fired is kept so long for a page that shows it. */
const FIRED_DAYS_MAX = 30;
/** What never fired ends after a year. */
const WAITING_DAYS_MAX = 365;
/** Rows that one sweep deletes. */
const SWEPT_MAX = 10_000;

function amountOf(text: string): Amount {
  const amount = parseAmount(text);
  if (amount === undefined) throw new Error('a stored price is no amount');
  return amount;
}

function alertOf(row: AlertColumns): StoredAlert {
  const alert: StoredAlert = {
    id: row.id as OrderId,
    user: Number(row.user_id) as UserId,
    platform: row.platform as Platform,
    symbolType: row.symbol_type,
    symbol: row.symbol,
    price: amountOf(row.price),
    direction: row.direction,
    createdAt: Number(row.created_at) as Millis,
  };
  if (row.fired_at === null || row.fired_price === null) return alert;
  return { ...alert, fired: { price: amountOf(row.fired_price), time: Number(row.fired_at) as Millis } };
}

/** Price alerts in PostgreSQL. */
export function priceAlertStore(database: Database): PriceAlertStore {
  return {
    async set({ id, user, platform, symbolType, symbol, price, direction, createdAt }, countMax) {
      const rows = await database.query<{ readonly outcome: 'set' | 'full' | 'taken' }>(
        {
          name: 'price-alert-set',
          text: 'select price_alert_set($1, $2, $3::smallint, $4, $5, $6, $7, $8, $9) as outcome',
        },
        [id, user, platform, symbolType, symbol, formatAmount(price), direction, createdAt, countMax],
      );
      return rows[0]?.outcome ?? 'taken';
    },
    async remove(user, id) {
      await database.query(
        { name: 'price-alert-remove', text: 'delete from price_alerts where user_id = $1 and id = $2' },
        [user, id],
      );
    },
    async list(user) {
      const rows = await database.query<AlertColumns>(
        {
          name: 'price-alert-list',
          text: `select ${COLUMNS} from price_alerts where user_id = $1 order by created_at desc, id desc`,
        },
        [user],
      );
      return rows.map(alertOf);
    },
    async waiting(after, countMax) {
      const rows = await database.query<AlertColumns>(
        {
          name: 'price-alert-waiting',
          text: `select ${COLUMNS} from price_alerts
                 where fired_at is null and ($1::uuid is null or id > $1) order by id limit $2`,
        },
        [after ?? null, countMax],
      );
      return rows.map(alertOf);
    },
    async fire(fired) {
      const rows = await database.query<AlertColumns>(
        {
          name: 'price-alert-fire',
          text: `update price_alerts a set fired_at = x.at, fired_price = x.last
                 from unnest($1::uuid[], $2::numeric[], $3::numeric[], $4::bigint[]) as x (alert, terms, last, at)
                 where a.id = x.alert and a.price = x.terms and a.fired_at is null
                 returning ${COLUMNS}`,
        },
        [
          fired.map(({ id }) => id),
          fired.map(({ price }) => formatAmount(price)),
          fired.map((alert) => formatAmount(alert.fired.price)),
          fired.map((alert) => alert.fired.time),
        ],
      );
      return rows.map(alertOf).flatMap((alert) => (alert.fired ? { ...alert, fired: alert.fired } : []));
    },
    async sweep(now) {
      const rows = await database.query<{ readonly id: string; readonly fired_at: string | null }>(
        `delete from price_alerts where id in (
           select a.id from price_alerts a left join members m on m.id = a.user_id
           where a.fired_at < $1 or a.created_at < $2 or m.demo_ended_at is not null limit $3)
         returning id, fired_at`,
        [now - FIRED_DAYS_MAX * DAY_MILLIS, now - WAITING_DAYS_MAX * DAY_MILLIS, SWEPT_MAX],
      );
      return rows.filter(({ fired_at }) => fired_at === null).map(({ id }) => id as OrderId);
    },
  };
}
