import type { ChartSettingsStore } from '../../../accounts/ports.ts';
import type { Database } from '../../postgres/database.ts';

/** Chart settings in PostgreSQL. */
export function chartSettingsStore(database: Database): ChartSettingsStore {
  return {
    async of(user) {
      const rows = await database.query<{ settings: string; version: number }>(
        'select settings, version from chart_settings where member = $1',
        [user],
      );
      return rows[0];
    },
    async keep(user, settings, version) {
      const rows = await database.query<{ version: number }>(
        version === 0
          ? `insert into chart_settings (member, settings, version) values ($1, $2, $3 + 1)
             on conflict do nothing returning version`
          : `update chart_settings set settings = $2, version = version + 1
             where member = $1 and version = $3 returning version`,
        [user, settings, version],
      );
      return rows[0]?.version;
    },
  };
}
