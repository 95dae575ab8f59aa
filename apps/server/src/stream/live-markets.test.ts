import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { change } from '../market/scripted-venue.fixture.ts';
import { parseClientFrame } from './client-frames.ts';
import { type LiveReader, LiveWorld, until } from './live-world.fixture.ts';

let world: LiveWorld;
let client: LiveReader;
beforeEach(async () => {
  world = await new LiveWorld().open();
  client = await world.connect();
});
afterEach(() => world.close());

const ask = (action: 'subscribe' | 'unsubscribe', ...args: readonly object[]) => ({ action, args });
const SPOT = { ch: 'ticker', s: 'BTCUSDT' } as const;
const PERP = { ...SPOT, m: 2 } as const;
const ticker = (lastPrice: string) =>
  ({
    kind: 'ticker',
    ticker: {
      ...{ symbol: 'BTCUSDT', lastPrice, change: '0', openPrice: '1', highPrice: '1', lowPrice: '1' },
      ...{ volume: '1', quoteVolume: '1', time: 1 },
    },
  }) as never;

describe('spot and perpetuals on one connection', () => {
  test('are two channels of one symbol: m tells them apart in requests, answers and frames', async () => {
    client.send(ask('subscribe', SPOT, PERP));
    await client.handled();
    expect(client.events).toEqual([
      { event: 'subscribe', code: 0, msg: '', arg: SPOT },
      { event: 'subscribe', code: 0, msg: '', arg: PERP },
    ]);
    world.venue.newest.open();
    world.perps.newest.open();
    world.venue.newest.say(ticker('5'));
    world.perps.newest.say(ticker('6'));
    await world.tick();
    await until(() => client.of('ticker').length === 2);
    expect(client.of('ticker').map(({ m, d }) => [m, d.last])).toEqual([
      [undefined, '5'],
      [2, '6'],
    ]);
    client.send(ask('unsubscribe', PERP));
    await client.handled();
    world.perps.newest.say(ticker('7'));
    world.venue.newest.say(ticker('8'));
    await world.tick();
    await until(() => client.of('ticker').length === 3);
    expect(client.of('ticker').at(-1)).not.toHaveProperty('m');
  });

  test('each tell the state of their own upstream, to those who follow them', async () => {
    const other = await world.connect();
    other.send(ask('subscribe', SPOT));
    client.send(ask('subscribe', PERP));
    await Promise.all([client.handled(), other.handled()]);
    world.venue.newest.open();
    await world.tick();
    world.venue.time.advance(500);
    await until(() => other.of('venue').at(-1)?.state === 'live');
    expect(client.of('venue')).toMatchObject([{ state: 'live' }, { m: 2, state: 'down' }]);
    expect(other.of('venue').every((frame) => !('m' in frame))).toBe(true);
    world.perps.newest.open();
    world.venue.time.advance(500);
    await until(() => client.of('venue').length === 3);
    expect(client.of('venue').at(-1)).toMatchObject({ m: 2, state: 'live' });
    world.perps.newest.drop();
    world.venue.time.advance(500);
    await until(() => client.of('venue').at(-1)?.state === 'down');
    // Whoever follows nothing any more is told nothing any more.
    client.send(ask('unsubscribe', PERP));
    await client.handled();
    const reported = client.of('venue').length;
    world.venue.time.advance(6_000);
    await client.handled();
    expect(client.of('venue')).toHaveLength(reported);
  });
});

describe('best offers on a connection', () => {
  test('come as a snapshot with the tick after the request and end with the unsubscribe', async () => {
    const book = change('BTCUSDT', [10, 10], { bids: [[99, 1]], asks: [[101, 2]] }, 'snapshot');
    world.venue.depth = async () => ({
      ok: true,
      value: { ...book, receivedAt: world.venue.time.clock() },
    });
    const request = { ch: 'bbo', s: 'BTC' };
    client.send(ask('subscribe', request, { ...request, m: 2 }, { ch: 'bbo', s: 'NOPE' }));
    await client.handled();
    expect(client.events.map(({ code, arg }) => [code, arg?.s, arg?.m])).toEqual([
      [0, 'BTC', undefined],
      [0, 'BTC', 2],
      [3002, 'NOPE', undefined],
    ]);
    await world.tick();
    world.venue.newest.open();
    for (let tick = 0; tick < 4; tick += 1) await world.tick();
    await until(() => client.of('bbo').length === 3);
    expect(client.of('bbo').map(({ s, m, d }) => [s, m, d])).toEqual([
      ['BTC', undefined, []],
      ['BTC', 2, []],
      ['BTC', undefined, [[1, '99', '101']]],
    ]);
    client.send(ask('unsubscribe', request));
    await client.handled();
    world.venue.newest.drop();
    for (let tick = 0; tick < 3; tick += 1) await world.tick();
    await client.handled();
    expect(client.of('bbo')).toHaveLength(3);
  });
});

describe('the market of a request', () => {
  test.each([
    [
      { ch: 'book', s: 'A' },
      { ch: 'book', s: 'A' },
    ],
    [
      { ch: 'book', s: 'A', m: 2 },
      { ch: 'book', s: 'A', m: 2 },
    ],
    [
      { ch: 'candle', s: 'A', m: 2, i: '1m', x: 1 },
      { ch: 'candle', s: 'A', m: 2, i: '1m' },
    ],
    [
      { ch: 'bbo', s: 'BTC', i: '1m' },
      { ch: 'bbo', s: 'BTC' },
    ],
    [{ ch: 'book', s: 'A', m: 1 }, undefined],
    [{ ch: 'book', s: 'A', m: '2' }, undefined],
    [{ ch: 'book', s: 'A', m: null }, undefined],
    [{ ch: 'book', s: 'A', m: 3 }, undefined],
    [{ ch: 'venue', s: 'A' }, undefined],
  ])('%j is read as %j', (arg, read) => {
    const frame = parseClientFrame(JSON.stringify(ask('subscribe', arg)));
    expect(frame).toEqual(read === undefined ? undefined : { action: 'subscribe', args: [read] });
  });
});
