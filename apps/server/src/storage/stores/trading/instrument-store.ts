import type { Instrument, Platform, SymbolType } from '@crossbook/domain';
import type { KnownStore } from '../../../trading/known-instruments.ts';
import type { Database } from '../../postgres/database.ts';
import { money } from '../order-columns.ts';
import { textsOf } from './amounts-in-json.ts';

/** Amounts of an instrument; in JSON they are text. */
const AMOUNTS = [
  ...(['tickSize', 'lotSize', 'minPrice', 'maxPrice', 'minQty', 'maxQty', 'maxMarketQty'] as const),
  ...(['minNotional', 'contractValue'] as const),
] as const;

type Facts = Readonly<Record<(typeof AMOUNTS)[number], string>> &
  Pick<Instrument, 'base' | 'quote' | 'maxLeverage' | 'status'>;

interface Row {
  readonly platform: Platform;
  readonly symbol_type: SymbolType;
  readonly symbol: string;
  readonly facts: Facts;
}

/** Instruments that exchanges have listed, in PostgreSQL. Bands of prices change all the time and are not kept. */
export function createInstrumentStore(database: Database): KnownStore {
  return {
    async all() {
      const rows = await database.query<Row>('select * from known_instruments');
      return rows.map(({ platform, symbol_type: symbolType, symbol, facts }) => {
        const amounts = Object.fromEntries(AMOUNTS.map((name) => [name, money(facts[name])]));
        return { ...facts, ...amounts, platform, symbolType, symbol } as unknown as Instrument;
      });
    },
    async keep(instruments) {
      const rows = instruments.map(
        ({
          platform,
          symbolType,
          symbol,
          priceBand: _band,
          ...facts
        }): Omit<Row, 'facts'> & { facts: unknown } => ({
          ...{ platform, symbol_type: symbolType, symbol, facts: textsOf(facts) },
        }),
      );
      await database.query(
        `insert into known_instruments select * from jsonb_populate_recordset(null::known_instruments, $1)
          on conflict (platform, symbol_type, symbol) do update set facts = excluded.facts`,
        [JSON.stringify(rows)],
      );
    },
  };
}
