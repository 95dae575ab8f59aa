import { amount, type Instrument } from '@crossbook/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KnownInstruments } from '../../../trading/known-instruments.ts';
import { BTCUSDT, BTCUSDT_PERP } from '../../../trading/trading-world.fixture.ts';
import { openTestDatabase, type TestDatabase } from '../../testing.ts';
import { createInstrumentStore } from './instrument-store.ts';

/** What an exchange takes off its list stays known, also to a process that begins afterwards. */

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const notes: string[] = [];
let written: (readonly string[])[] = [];
/** As a process begins. */
function open(): Promise<KnownInstruments> {
  const store = createInstrumentStore(db.database);
  const kept = store.keep;
  return KnownInstruments.open(
    {
      ...store,
      async keep(rows) {
        written.push(rows.map(({ symbolType, symbol }) => `${symbolType} ${symbol}`));
        await kept(rows);
      },
    },
    (event) => notes.push(event),
  );
}
const OLD: Instrument = { ...BTCUSDT_PERP, symbol: 'OLDUSDT', base: 'OLD', contractValue: amount('0.01') };
const find = (known: KnownInstruments, { platform, symbolType, symbol }: Instrument) =>
  known.find(platform, symbolType, symbol);

test('a list writes what is new or changed; what it lacks later is known as halted, before and after a start', async () => {
  const first = await open();
  expect(find(first, OLD)).toBeUndefined();
  first.listed([BTCUSDT, BTCUSDT_PERP, OLD]);
  first.listed([BTCUSDT, { ...BTCUSDT_PERP, priceBand: { buyMost: amount('1.05') } }]);
  expect(written).toEqual([['SPOT BTCUSDT', 'SWAP BTCUSDT', 'SWAP OLDUSDT']]);
  await expect.poll(async () => (await db.owner.query('select from known_instruments')).length).toBe(3);
  first.listed([{ ...BTCUSDT, tickSize: amount('0.01') }]);
  expect(written.slice(1)).toEqual([['SPOT BTCUSDT']]);
  await expect
    .poll(() =>
      db.owner.query(`select facts->>'tickSize' as tick from known_instruments where symbol_type = 'SPOT'`),
    )
    .toEqual([{ tick: '0.01' }]);

  written = [];
  const next = await open();
  for (const known of [first, next]) {
    expect(find(known, OLD)).toEqual({ ...OLD, status: 'halted' });
    expect(known.gone(1, [BTCUSDT, BTCUSDT_PERP])).toEqual([{ ...OLD, status: 'halted' }]);
    expect(known.gone(2, [])).toEqual([]);
  }
  next.listed([{ ...BTCUSDT, tickSize: amount('0.01') }, BTCUSDT_PERP, OLD]);
  expect(written).toEqual([]);
  expect(notes).toEqual([]);
});

test('what could not be written is written with the next list', async () => {
  const said: string[] = [];
  const tries: number[] = [];
  const known = await KnownInstruments.open(
    {
      all: async () => [],
      async keep(rows) {
        tries.push(rows.length);
        if (tries.length === 1) throw new Error('away');
      },
    },
    (event) => said.push(event),
  );
  known.listed([BTCUSDT]);
  await expect.poll(() => said).toEqual(['instruments not kept']);
  known.listed([BTCUSDT]);
  known.listed([BTCUSDT]);
  expect(tries).toEqual([1, 1]);
});
