import type { Millis, Platform, SymbolType, UserId } from '@crossbook/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FavouriteStore } from '../../../market/favourites.ts';
import { openTestDatabase, type TestDatabase } from '../../testing.ts';
import { favouritesStore } from './favourites-store.ts';

let db: TestDatabase;
let store: FavouriteStore;
beforeAll(async () => {
  db = await openTestDatabase();
  store = favouritesStore(db.database);
});
afterAll(() => db.close());

const user = (id: number) => id as UserId;
const mark = (symbol: string, platform: Platform = 1, symbolType: SymbolType = 'SPOT') => ({
  ...{ platform, symbolType, symbol },
});
const bound = (countMax: number) => ({ now: 1 as Millis, countMax });

describe('favourites', () => {
  test('are newest first; adding or removing again changes nothing', async () => {
    const me = user(1);
    for (const symbol of ['A', 'B', 'A']) expect(await store.add(me, mark(symbol), bound(9))).toBe('added');
    expect((await store.list(me)).map(({ symbol }) => symbol)).toEqual(['B', 'A']);
    await store.remove(me, mark('A'));
    await store.remove(me, mark('A'));
    expect(await store.list(me)).toEqual([mark('B')]);
    await store.add(me, mark('A'), bound(9));
    expect((await store.list(me)).map(({ symbol }) => symbol)).toEqual(['A', 'B']);
    expect([await store.has(me, mark('A')), await store.has(me, mark('C'))]).toEqual([true, false]);
  });

  test('of one symbol on two platforms and of two types are three, and each member has his own', async () => {
    const all = [mark('BTCUSDT'), mark('BTCUSDT', 1, 'SWAP'), mark('BTCUSDT', 3)];
    for (const favourite of all) await store.add(user(2), favourite, bound(9));
    expect((await store.list(user(2))).toReversed()).toEqual(all);
    expect([await store.list(user(3)), await store.has(user(3), mark('BTCUSDT'))]).toEqual([[], false]);
    await store.remove(user(3), mark('BTCUSDT'));
    expect(await store.list(user(2))).toHaveLength(3);
  });

  test('are bounded exactly, also when they come all at once; one that is there already is no new one', async () => {
    const me = user(4);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_none, at) => store.add(me, mark(`S${at}`), bound(10))),
    );
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(10);
    const [kept] = await store.list(me);
    if (kept === undefined) throw new Error('ten were added');
    expect(await store.add(me, kept, bound(10))).toBe('added');
    expect(await store.add(me, mark('NEW'), bound(10))).toBe('full');
    expect(await store.list(me)).toHaveLength(10);
  });
});
