import type { Platform, SymbolType, UserId } from '@crossbook/domain';
import type { CountdownStore } from '../../../trading/ports.ts';
import type { Database } from '../../postgres/database.ts';

/** Members' wishes about countdowns in PostgreSQL. */
export function createCountdownStore(database: Database): CountdownStore {
  return {
    async all() {
      const rows = await database.query<{ user_id: string; platform: Platform; seconds: number }>(
        'select user_id, platform, seconds from countdowns order by user_id, platform',
      );
      return rows.map(({ user_id, platform, seconds }) => ({
        ...{ user: Number(user_id) as UserId, platform, seconds },
      }));
    },
    async keep({ user, platform }, seconds, now) {
      await database.query(
        `insert into countdowns (user_id, platform, seconds, set_at) values ($1, $2, $3, $4)
         on conflict (user_id, platform) do update set seconds = $3, set_at = $4`,
        [user, platform, seconds, now],
      );
    },
    async end({ user, platform }) {
      await database.query('delete from countdowns where user_id = $1 and platform = $2', [user, platform]);
    },
    async resting(user) {
      const one =
        user === undefined ? { name: '', where: '' } : { name: '-of', where: 'where c.user_id = $1' };
      const rows = await database.query<{
        user_id: string;
        platform: Platform;
        symbol_type: SymbolType;
        symbol: string;
      }>(
        {
          name: `countdowns-resting${one.name}`,
          text: `select distinct o.user_id, o.platform, o.symbol_type, o.symbol
                 from countdowns c join orders o on o.user_id = c.user_id and o.platform = c.platform and not o.settled
                 ${one.where}
                 order by o.user_id, o.platform, o.symbol_type, o.symbol`,
        },
        user === undefined ? [] : [user],
      );
      return rows.map(({ user_id, platform, symbol_type, symbol }) => ({
        ...{ user: Number(user_id) as UserId, platform, symbolType: symbol_type, symbol },
      }));
    },
  };
}
