import { beforeAll, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import type { TestSocket } from '../../wire/rig.fixture.ts';
import shapes from '../fixtures/shapes.json' with { type: 'json' };
import { startRig } from '../rig.fixture.ts';
import { shapeOf } from '../shape.fixture.ts';

const rig = openedOnce(startRig);

beforeAll(async () => {
  rig.advance(1_000);
});

const tick = () => rig.advance(100);
// biome-ignore lint/suspicious/noExplicitAny: messages are what is under test
type Message = any;
const about = (topic: string, type?: string) => (message: Message) =>
  message.topic === topic && (type === undefined || message.type === type);
const answerTo = (id: unknown) => (message: Message) => message.req_id === id;

async function subscribed(category: string, args: readonly string[]): Promise<TestSocket> {
  const socket = await rig.socket(`/v5/public/${category}`);
  socket.send({ req_id: 'sub', op: 'subscribe', args });
  await socket.hear(answerTo('sub'));
  return socket;
}

describe('public sockets', () => {
  test('each kind acknowledges, refuses and pongs in its own manner', async () => {
    const spot = await rig.socket('/v5/public/spot');
    spot.send({ op: 'subscribe', args: ['tickers.BTCUSDT'] });
    const reported = await spot.hear((message) => message.op === 'subscribe');
    expect(reported).toEqual({
      success: true,
      ret_msg: 'subscribe',
      conn_id: reported.conn_id,
      op: 'subscribe',
    });
    spot.send({ op: 'ping' });
    const pong = await spot.hear((message) => message.op === 'ping');
    expect(pong).toEqual({ success: true, ret_msg: 'pong', conn_id: reported.conn_id, op: 'ping' });
    const linear = await rig.socket('/v5/public/linear');
    linear.send({ op: 'subscribe', args: ['tickers.BTCUSDT'] });
    const first = await linear.hear((message) => message.op === 'subscribe');
    const { conn_id } = first;
    expect(first).toEqual({ success: true, ret_msg: '', conn_id, req_id: '', op: 'subscribe' });
    linear.send({ req_id: 7, op: 'ping' });
    expect(await linear.hear(answerTo(7))).toEqual({
      success: true,
      ret_msg: 'pong',
      conn_id,
      req_id: 7,
      op: 'ping',
    });
    for (const socket of [spot, linear]) socket.close();
  });

  const bad: [string, string, unknown, string][] = [
    ['an unknown symbol', 'spot', { op: 'subscribe', args: ['tickers.NOPEUSDT'] }, 'handler not found'],
    [
      'a depth that there is not',
      'linear',
      { op: 'subscribe', args: ['orderbook.7.BTCUSDT'] },
      'handler not found',
    ],
    [
      'an interval that there is not',
      'spot',
      { op: 'subscribe', args: ['kline.480.BTCUSDT'] },
      'handler not found',
    ],
    [
      'a topic of contracts',
      'spot',
      { op: 'subscribe', args: ['allLiquidation.BTCUSDT'] },
      'handler not found',
    ],
    [
      'eleven topics in spot',
      'spot',
      { op: 'subscribe', args: Array(11).fill('tickers.BTCUSDT') },
      'args size >10',
    ],
    [
      'topics that are too long',
      'linear',
      { op: 'subscribe', args: Array(1_000).fill('orderbook.200.ETHUSDT.x') },
      'length',
    ],
    ['no topics', 'spot', { op: 'subscribe', args: [] }, 'invalid args'],
    ['a topic that is no text', 'spot', { op: 'subscribe', args: [1] }, 'invalid args'],
    ['an operation of no kind', 'spot', { op: 'auth', args: [] }, 'invalid op'],
    ['no JSON', 'spot', 'ping', 'invalid json'],
  ];
  test.each(bad)('%s is refused by name', async (_, category, message, text) => {
    const socket = await rig.socket(`/v5/public/${category}`);
    socket.send(message);
    const reported = await socket.hear((one) => one.success === false);
    expect(reported.ret_msg).toContain(text);
    socket.close();
  });

  const pushes: [string, string, string, keyof typeof shapes][] = [
    ['spot', 'orderbook.200.BTCUSDT', 'snapshot', 'bookPush'],
    ['linear', 'orderbook.200.BTCUSDT', 'snapshot', 'bookPush'],
    ['spot', 'tickers.BTCUSDT', 'snapshot', 'spotTickerPush'],
    ['spot', 'publicTrade.BTCUSDT', 'snapshot', 'spotTradePush'],
    ['linear', 'publicTrade.BTCUSDT', 'snapshot', 'linearTradePush'],
    ['spot', 'kline.1.BTCUSDT', 'snapshot', 'candlePush'],
    ['linear', 'kline.1.BTCUSDT', 'snapshot', 'candlePush'],
  ];
  test.each(pushes)('%s %s is as recorded', async (category, topic, type, shape) => {
    const socket = await subscribed(category, [topic]);
    const message = await socket.hear(about(topic, type), tick);
    expect(shapeOf(message)).toEqual(shapeOf(shapes[shape]));
    socket.close();
  });

  test('perpetuals tell a ticker whole, and then only what has changed', async () => {
    const topic = 'tickers.BTCUSDT';
    const socket = await subscribed('linear', [topic]);
    const whole = await socket.hear(about(topic, 'snapshot'));
    expect(Object.keys(whole.data).sort()).toEqual([...shapes.linearTickerKeys].sort());
    const delta = await socket.hear(about(topic, 'delta'), tick);
    const { symbol, ...changed } = delta.data;
    expect(symbol).toBe('BTCUSDT');
    expect(Object.keys(changed).length).toBeGreaterThan(0);
    for (const [field, value] of Object.entries(changed)) expect(value).not.toBe(whole.data[field]);
    socket.close();
  });

  test.each([
    ['spot', 50],
    ['linear', 200],
    ['spot', 1000],
  ] as const)(
    '%s: a book of %i levels is a snapshot and deltas whose ids follow each other',
    async (category, levels) => {
      const topic = `orderbook.${levels}.ETHUSDT`;
      const socket = await subscribed(category, [topic]);
      await socket.hear(() => socket.heard.filter(about(topic, 'delta')).length >= 20, tick);
      const source = category === 'spot' ? rig.venue.spot : rig.venue.perps;
      const format = () => {
        const sides = { b: new Map<string, string>(), a: new Map<string, string>() };
        let last = 0;
        for (const { type, data } of socket.heard.filter(about(topic))) {
          expect(type === 'snapshot' ? last : data.u).toBe(type === 'snapshot' ? 0 : last + 1);
          last = data.u;
          for (const side of ['b', 'a'] as const) {
            for (const [price, size] of data[side]) {
              if (size === '0') sides[side].delete(price);
              else sides[side].set(price, size);
            }
          }
        }
        return sides;
      };
      const rest = async () =>
        (await rig.get('/v5/market/orderbook', { category, symbol: 'ETHUSDT', limit: levels })).body.result;
      const truth = await rest();
      const best = (side: Map<string, string>, sign: number) =>
        [...side].sort(([left], [right]) => sign * (Number(left) - Number(right)));
      await socket.hear(() => socket.heard.some((one) => one.data?.seq === truth.seq) || format().b.size > 0);
      rig.letPass(1_000);
      await socket.hear(() => JSON.stringify(best(format().b, -1)) === JSON.stringify(truth.b));
      expect(best(format().a, 1)).toEqual(truth.a);
      expect(source.depth('ETHUSDT', levels).lastUpdateId).toBe(truth.seq);
      socket.close();
    },
  );

  test('the best prices come as a snapshot each time, and again when nothing has changed', async () => {
    const topic = 'orderbook.1.DOGEUSDT';
    const socket = await subscribed('spot', [topic]);
    const first = await socket.hear(about(topic));
    expect([first.type, first.data.b.length, first.data.a.length]).toEqual(['snapshot', 1, 1]);
    const again = (message: Message) => about(topic, 'snapshot')(message) && message !== first;
    const next = await socket.hear(again, () => rig.letPass(3_000));
    expect(next.data.u).toBe(first.data.u);
    socket.close();
  });

  test('who joins later, or again, begins with the same book', async () => {
    const topic = 'orderbook.50.BTCUSDT';
    const early = await subscribed('linear', [topic]);
    await early.hear(about(topic, 'delta'), tick);
    const late = await subscribed('linear', [topic]);
    const greeting = await late.hear(about(topic, 'snapshot'));
    const known = await early.hear((message) => about(topic)(message) && message.data.u === greeting.data.u);
    expect(known.data.seq).toBe(greeting.data.seq);
    early.send({ req_id: 'again', op: 'subscribe', args: [topic] });
    await early.hear(() => early.heard.filter(about(topic, 'snapshot')).length === 2);
    for (const socket of [early, late]) socket.close();
  });

  test('a topic that was left says no more, and nobody watches its market', async () => {
    const socket = await subscribed('spot', ['orderbook.50.ETHUSDT', 'tickers.ETHUSDT']);
    expect(rig.watched).toContain('spot ETHUSDT');
    socket.send({ req_id: 'off', op: 'unsubscribe', args: ['orderbook.50.ETHUSDT'] });
    const reported = await socket.hear(answerTo('off'));
    expect([reported.success, reported.op]).toEqual([true, 'unsubscribe']);
    expect(rig.watched).not.toContain('spot ETHUSDT');
    const before = socket.heard.filter(about('orderbook.50.ETHUSDT')).length;
    await socket.hear(() => socket.heard.filter(about('tickers.ETHUSDT')).length > 2, tick);
    expect(socket.heard.filter(about('orderbook.50.ETHUSDT')).length).toBe(before);
    socket.close();
  });

  test('one message closes a bar and opens the next', async () => {
    const topic = 'kline.1.BTCUSDT';
    const socket = await subscribed('spot', [topic]);
    await socket.hear(() => socket.heard.filter(about(topic)).length > 1, tick);
    const turn = await socket.hear(
      (message) => about(topic)(message) && message.data.length === 2,
      () => rig.advance(5_000),
    );
    const [closed, open] = turn.data;
    expect([closed.confirm, open.confirm]).toEqual([true, false]);
    expect([closed.end + 1, closed.start + 60_000]).toEqual([open.start, open.start]);
    socket.close();
  });

  test('a lost update leaves a gap in the ids', async () => {
    const topic = 'orderbook.200.BTCUSDT';
    const socket = await subscribed('linear', [topic]);
    await socket.hear(about(topic, 'delta'), tick);
    const plan = {
      kind: 'skip-depth',
      match: topic,
      count: 1,
      delayMillis: 0,
      probability: 1,
      seed: 1,
    } as const;
    rig.faults.arm(plan);
    const gap = () => {
      const ids = socket.heard.filter(about(topic)).map((message) => message.data.u);
      return ids.some((id, at) => at > 0 && id === ids[at - 1] + 2);
    };
    await socket.hear(gap, tick);
    socket.close();
  });

  test('a socket that says nothing for ten minutes is closed', async () => {
    const silent = await rig.socket('/v5/public/spot');
    const alive = await rig.socket('/v5/public/spot');
    rig.letPass(590_000);
    alive.send({ op: 'ping' });
    await alive.hear((message) => message.op === 'ping');
    rig.letPass(20_000);
    await silent.closed;
    alive.send({ req_id: 'still', op: 'ping' });
    await alive.hear(answerTo('still'));
    alive.close();
  });

  test('paths of nobody are refused; so are too many connections', async () => {
    for (const path of ['/v5/public/option', '/v5/public', '/v5/private/x']) {
      const socket = new WebSocket(rig.url.replace('http', 'ws') + path);
      await new Promise((resolve) => socket.addEventListener('error', resolve));
    }
    const limited = await startRig({ connectionsPer5MinutesMax: 1 });
    const first = await limited.socket('/v5/public/spot');
    await expect(limited.socket('/v5/public/spot')).rejects.toThrow('403');
    first.close();
    await limited.close();
  });
});
