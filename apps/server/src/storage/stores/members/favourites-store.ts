import type { Platform, SymbolType } from '@crossbook/domain';
import type { FavouriteStore } from '../../../market/favourites.ts';
import type { Database } from '../../postgres/database.ts';

interface FavouriteColumns {
  readonly platform: number;
  readonly symbol_type: SymbolType;
  readonly symbol: string;
}

/** Favourites in PostgreSQL. */
export function favouritesStore(database: Database): FavouriteStore {
  return {
    async has(user, { platform, symbolType, symbol }) {
      const rows = await database.query(
        {
          name: 'favourite-has',
          text: `select 1 as one from favourites
                 where user_id = $1 and platform = $2 and symbol_type = $3 and symbol = $4`,
        },
        [user, platform, symbolType, symbol],
      );
      return rows.length > 0;
    },
    async add(user, { platform, symbolType, symbol }, { now, countMax }) {
      const rows = await database.query<{ readonly added: boolean }>(
        {
          name: 'favourite-add',
          text: 'select favourite_add($1, $2::smallint, $3, $4, $5, $6) as added',
        },
        [user, platform, symbolType, symbol, now, countMax],
      );
      return rows[0]?.added === true ? 'added' : 'full';
    },
    async remove(user, { platform, symbolType, symbol }) {
      await database.query(
        {
          name: 'favourite-remove',
          text: `delete from favourites
                 where user_id = $1 and platform = $2 and symbol_type = $3 and symbol = $4`,
        },
        [user, platform, symbolType, symbol],
      );
    },
    async list(user) {
      const rows = await database.query<FavouriteColumns>(
        {
          name: 'favourite-list',
          text: 'select platform, symbol_type, symbol from favourites where user_id = $1 order by id desc',
        },
        [user],
      );
      return rows.map((row) => ({
        platform: row.platform as Platform,
        symbolType: row.symbol_type,
        symbol: row.symbol,
      }));
    },
  };
}
