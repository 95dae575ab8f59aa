import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHub, type TestBrowser, type TestHub } from '../main/testing.ts';
import { healthyBinance, type WireVenue } from '../main/venues/wire-venues.fixture.ts';
import { FAVOURITES_PER_MEMBER_MAX } from './favourites.ts';

let venue: WireVenue;
let hub: TestHub;
let member: TestBrowser;
beforeAll(async () => {
  venue = await healthyBinance();
  const environment = { VENUE_1_REST_BASE: venue.rest, VENUE_1_STREAM_BASE: venue.stream };
  hub = await startTestHub({ environment });
  await hub.hub.start();
  member = await hub.member();
});
afterAll(async () => {
  await hub.close();
  await venue.close();
});

const BTC = { platformType: 43, tinstType: 1, tinstId: 'BTCUSDT' } as const;
const marked = async () => (await member.call('connexbasicdata/getuserfree', {})).data;

describe('favourites over HTTP', () => {
  test('are added, found, listed and removed, each as often as one likes', async () => {
    expect((await member.call('connexbasicdata/existuserfree', BTC)).data).toEqual({ exist: false });
    for (let times = 0; times < 2; times += 1) {
      expect(await member.call('connexbasicdata/addsinglefree', BTC)).toMatchObject({ code: 1, data: BTC });
    }
    expect((await member.call('connexbasicdata/existuserfree', BTC)).data).toEqual({ exist: true });
    expect(await marked()).toEqual([BTC]);
    for (const [filter, count] of [
      [{ platformType: 43 }, 1],
      [{ platformType: 41 }, 0],
      [{ tinstType: 1 }, 1],
      [{ tinstType: 2 }, 0],
    ] as const) {
      expect((await member.call('connexbasicdata/getuserfree', filter)).data).toHaveLength(count);
    }
    for (let times = 0; times < 2; times += 1) {
      expect(await member.call('connexbasicdata/delfree', BTC)).toMatchObject({ code: 1, data: BTC });
    }
    expect(await marked()).toEqual([]);
  });

  test.each([
    ['a symbol that is not listed', { ...BTC, tinstId: 'NOPEUSDT' }],
    ['a type that the platform does not list', { ...BTC, tinstType: 2 }],
    ['a venue that has not answered yet', { ...BTC, platformType: 41, tinstId: 'BTC-USDT' }],
  ] as const)('%s is refused by name', async (_claim, row) => {
    const answer = await member.call('connexbasicdata/addsinglefree', row);
    expect(answer).toMatchObject({ code: 1001, data: null });
    expect(answer.msg).toContain('tinstId');
    expect(await marked()).toEqual([]);
    // What was marked before its venue delisted it can still be looked for and removed.
    expect((await member.call('connexbasicdata/existuserfree', row)).data).toEqual({ exist: false });
    expect((await member.call('connexbasicdata/delfree', row)).code).toBe(1);
  });

  test('a member with all he may have is told so', async () => {
    const { owner } = hub.database;
    await owner.query(
      `insert into favourites (user_id, platform, symbol_type, symbol, created_at)
       select $1, 2, 'SWAP', 'S' || n, 1 from generate_series(1, $2) n`,
      [member.tid ?? 0, FAVOURITES_PER_MEMBER_MAX],
    );
    const answer = await member.call('connexbasicdata/addsinglefree', BTC);
    expect([answer.code, answer.msg]).toEqual([1001, expect.stringContaining('at most 500 favourites')]);
    expect(await marked()).toHaveLength(FAVOURITES_PER_MEMBER_MAX);
    await owner.query('delete from favourites where user_id = $1', [member.tid ?? 0]);
  });

  test.each(['existuserfree', 'addsinglefree', 'delfree', 'getuserfree'] as const)(
    '%s is for members only',
    async (call) => {
      const answer = await hub.visitor().call(`connexbasicdata/${call}`, BTC as never);
      expect(answer.code).toBe(-2);
    },
  );

  test('one member does not see what another marked', async () => {
    await member.call('connexbasicdata/addsinglefree', BTC);
    const other = await hub.member();
    expect((await other.call('connexbasicdata/getuserfree', {})).data).toEqual([]);
    expect((await other.call('connexbasicdata/delfree', BTC)).code).toBe(1);
    expect(await marked()).toEqual([BTC]);
    await member.call('connexbasicdata/delfree', BTC);
  });
});
