import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHub, type TestBrowser, type TestHub } from '../main/testing.ts';
import { healthyBinance, type WireVenue } from '../main/venues/wire-venues.fixture.ts';
import { ALERTS_PER_MEMBER_MAX } from './price-alerts.ts';

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

const id = (at: number): string => `01890000-0000-7000-8000-${String(at).padStart(12, '0')}`;
const alert = (at: number, part: Readonly<Record<string, unknown>> = {}) => ({
  ...{ alertId: id(at), platformType: 43, tinstType: 1, symbol: 'BTCUSDT' },
  ...{ price: '1000000', direction: 'rises' as const },
  ...part,
});
const list = async (of = member) => (await of.call('x/alert/List', {})).data ?? [];
const set = (row: ReturnType<typeof alert>, of = member) => of.call('x/alert/Set', row);

describe('price alerts over HTTP', () => {
  test('are set, moved, listed and removed, each as often as one likes; each member has his own', async () => {
    for (let times = 0; times < 2; times += 1) {
      expect(await set(alert(1))).toMatchObject({ code: 1, data: { alertId: id(1), price: '1000000' } });
    }
    expect(await set(alert(1, { price: '2', direction: 'falls' }))).toMatchObject({ code: 1 });
    expect(await list()).toMatchObject([{ alertId: id(1), price: '2', direction: 'falls', fired: null }]);
    const other = await hub.member();
    expect(await list(other)).toEqual([]);
    expect((await set(alert(1), other)).msg).toContain('alertId');
    expect((await other.call('x/alert/Remove', { alertId: id(1) })).code).toBe(1);
    expect(await list()).toHaveLength(1);
    for (let times = 0; times < 2; times += 1) {
      expect((await member.call('x/alert/Remove', { alertId: id(1) })).code).toBe(1);
    }
    expect(await list()).toEqual([]);
  });

  test.each([
    ['symbol', { symbol: 'NOPEUSDT' }],
    ['symbol', { platformType: 41 }],
    ['price', { price: '0' }],
    ['price', { price: '1000000.001' }],
    ['price', { price: '1e6' }],
    ['direction', { direction: 'sideways' }],
    ['alertId', { alertId: 'mine' }],
  ])('a bad %s is refused by name: %j', async (field, part) => {
    const answer = await set(alert(2, part));
    expect(answer).toMatchObject({ code: 1001, data: null });
    expect(answer.msg).toContain(field);
    expect(await list()).toEqual([]);
  });

  test('are bounded exactly, also when they come all at once, and so is how often one sets them', async () => {
    const busy = await hub.member();
    const answers = await Promise.all(
      Array.from({ length: ALERTS_PER_MEMBER_MAX + 5 }, (_, at) => set(alert(100 + at), busy)),
    );
    expect(answers.filter(({ code }) => code === 1)).toHaveLength(ALERTS_PER_MEMBER_MAX);
    expect(await list(busy)).toHaveLength(ALERTS_PER_MEMBER_MAX);
    let refused = 0;
    for (let times = 0; times < 60 && refused === 0; times += 1) {
      const { code } = await set(alert(100), busy);
      if (code !== 1 && code !== 1001) refused = code;
    }
    expect(refused).toBe(1003);
  });
});
