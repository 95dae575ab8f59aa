import { afterEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type ChannelSocket, startRig } from '../rig.fixture.ts';

/** The public sockets: control, and every channel but books. */

const rig = openedOnce(startRig);
const sockets: ChannelSocket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

async function open(path: 'public' | 'business' | 'private'): Promise<ChannelSocket> {
  const socket = await rig.socket(path);
  sockets.push(socket);
  return socket;
}
/** Lets the crowd act a little; handed to waits. */
const act = () => rig.advance(200);

describe('control', () => {
  test('a text ping is answered with a text pong', async () => {
    const socket = await open('public');
    socket.send('ping');
    expect(await socket.hear((message) => message === 'pong')).toBe('pong');
  });

  test('every argument is acknowledged for itself, under the id of the request, before its first push', async () => {
    const socket = await open('public');
    const args = [
      { channel: 'books', instId: 'BTC-USDT' },
      { channel: 'tickers', instId: 'BTC-USDT-SWAP' },
    ];
    socket.send({ id: '7', op: 'subscribe', args });
    await socket.hear((message) => message.arg?.channel === 'tickers' && message.data !== undefined);
    const events = socket.heard.filter((message) => message.event === 'subscribe');
    expect(events).toMatchObject(args.map((arg) => ({ id: '7', event: 'subscribe', arg })));
    for (const { channel } of args) {
      const [first, second] = socket.heard.filter((message) => message.arg?.channel === channel);
      expect([first.event, second.data === undefined]).toEqual(['subscribe', false]);
    }
    socket.send({ id: '8', op: 'unsubscribe', args });
    await socket.hear((message) => message.event === 'unsubscribe' && message.arg.channel === 'tickers');
  });

  test.each<[string, 'public' | 'business' | 'private', unknown, string]>([
    ['no JSON', 'public', 'hello', '60012'],
    ['no operation', 'public', { args: [] }, '60012'],
    ['an unknown operation', 'public', { op: 'shout', args: [] }, '60012'],
    ['no argument', 'public', { op: 'subscribe', args: [] }, '60012'],
    ['an argument without a channel', 'public', { op: 'subscribe', args: [{ instId: 'BTC-USDT' }] }, '60012'],
    [
      'an unknown channel',
      'public',
      { op: 'subscribe', args: [{ channel: 'news', instId: 'BTC-USDT' }] },
      '60018',
    ],
    [
      'an unknown instrument',
      'public',
      { op: 'subscribe', args: [{ channel: 'books', instId: 'NO-USDT' }] },
      '60018',
    ],
    [
      'a candle on /public',
      'public',
      { op: 'subscribe', args: [{ channel: 'candle1m', instId: 'BTC-USDT' }] },
      '60018',
    ],
    [
      'a bar that is none',
      'business',
      { op: 'subscribe', args: [{ channel: 'candle7m', instId: 'BTC-USDT' }] },
      '60018',
    ],
    [
      'a mark price of a pair',
      'business',
      { op: 'subscribe', args: [{ channel: 'mark-price-candle1m', instId: 'BTC-USDT' }] },
      '60018',
    ],
    [
      'an index that is none',
      'business',
      { op: 'subscribe', args: [{ channel: 'index-candle1m', instId: 'NO-USDT' }] },
      '60018',
    ],
    [
      'books on /business',
      'business',
      { op: 'subscribe', args: [{ channel: 'books', instId: 'BTC-USDT' }] },
      '60018',
    ],
    [
      'funding of a pair',
      'public',
      { op: 'subscribe', args: [{ channel: 'funding-rate', instId: 'BTC-USDT' }] },
      '60018',
    ],
    [
      'a book of VIPs',
      'public',
      { op: 'subscribe', args: [{ channel: 'books-l2-tbt', instId: 'BTC-USDT' }] },
      '60029',
    ],
    [
      'orders on /public',
      'public',
      { op: 'subscribe', args: [{ channel: 'orders', instType: 'ANY' }] },
      '60018',
    ],
    [
      'orders without a log-on',
      'private',
      { op: 'subscribe', args: [{ channel: 'orders', instType: 'ANY' }] },
      '60011',
    ],
    ['fills without a log-on', 'private', { op: 'subscribe', args: [{ channel: 'fills' }] }, '60011'],
    [
      'deleveraging of pairs',
      'public',
      { op: 'subscribe', args: [{ channel: 'adl-warning', instType: 'SPOT' }] },
      '60018',
    ],
    [
      'deleveraging of no family',
      'public',
      { op: 'subscribe', args: [{ channel: 'adl-warning', instType: 'SWAP', instFamily: 'NO-USDT' }] },
      '60018',
    ],
    ['an order without a log-on', 'private', { id: '1', op: 'order', args: [{}] }, '60011'],
    ['an order on /public', 'public', { id: '1', op: 'order', args: [{}] }, '60028'],
    ['a log-on on /public', 'public', { op: 'login', args: [{}] }, '60028'],
    [
      'what was not subscribed',
      'public',
      { op: 'unsubscribe', args: [{ channel: 'books', instId: 'BTC-USDT' }] },
      '60018',
    ],
  ])('%s is refused by code, and the socket lives on', async (_, path, message, code) => {
    const socket = await open(path);
    socket.send(message);
    const refusal = await socket.hear((heard) => heard.event === 'error');
    expect(refusal).toMatchObject({ code, connId: expect.any(String), msg: expect.any(String) });
    socket.send('ping');
    await socket.hear((heard) => heard === 'pong');
  });

  test('more control messages than an hour allows are refused, as is an unknown path', async () => {
    const limited = await startRig({ limited: true });
    try {
      const socket = await limited.socket('public');
      for (let count = 0; count < 481; count += 1)
        socket.send({ op: 'subscribe', args: [{ channel: 'status' }] });
      await socket.hear((message) => message.code === '60014');
      expect(socket.heard.filter((message) => message.event === 'subscribe').length).toBe(480);
      socket.close();
      await expect(limited.socket('nothing' as never)).rejects.toThrow();
    } finally {
      await limited.close();
    }
  });

  test('a connection on which nothing is said for 30 seconds is closed', async () => {
    const socket = await open('business');
    rig.letPass(30_001);
    await socket.closed;
  });
});

describe('other public channels', () => {
  test('trades, tickers, mark, index, funding, open interest and limits arrive in the shapes of REST', async () => {
    const socket = await open('public');
    socket.subscribe(
      { channel: 'trades', instId: 'BTC-USDT' },
      { channel: 'tickers', instId: 'BTC-USDT' },
      { channel: 'mark-price', instId: 'BTC-USDT-SWAP' },
      { channel: 'index-tickers', instId: 'BTC-USDT' },
      { channel: 'funding-rate', instId: 'BTC-USDT-SWAP' },
      { channel: 'open-interest', instId: 'BTC-USDT-SWAP' },
      { channel: 'price-limit', instId: 'BTC-USDT' },
    );
    const channels = 'trades|tickers|mark-price|index-tickers|funding-rate|open-interest|price-limit'.split(
      '|',
    );
    await socket.hear(() => channels.every((channel) => socket.pushes(channel).length > 0), act);
    const [trade] = socket.pushes('trades')[0].data;
    expect(Object.keys(trade).sort().join(' ')).toBe('count instId px side source sz tradeId ts');
    expect(socket.pushes('tickers')[0].data[0]).toMatchObject({ instType: 'SPOT', instId: 'BTC-USDT' });
    const ids = socket
      .pushes('trades')
      .flatMap((push) => push.data.map((one: { tradeId: string }) => Number(one.tradeId)));
    expect(ids).toEqual([...ids].sort((left, right) => left - right));
    await socket.hear(
      () => new Set(socket.pushes('mark-price').map((push) => push.data[0].markPx)).size > 2,
      () => rig.advance(2_000),
    );
  });

  test('bars: the running one at once and when it changes, each closed one confirmed', async () => {
    const socket = await open('business');
    socket.subscribe(
      { channel: 'candle1m', instId: 'BTC-USDT' },
      { channel: 'candle1D', instId: 'BTC-USDT-SWAP' },
      { channel: 'mark-price-candle1H', instId: 'BTC-USDT-SWAP' },
      { channel: 'index-candle1H', instId: 'BTC-USDT' },
    );
    const others = ['candle1D', 'mark-price-candle1H', 'index-candle1H'];
    await socket.hear(() => others.every((channel) => socket.pushes(channel).length > 0));
    expect(others.map((channel) => socket.pushes(channel)[0].data[0].length)).toEqual([9, 6, 6]);
    const rows = () => socket.pushes('candle1m').map((push) => push.data[0]);
    expect(rows()[0].length).toBe(9);
    await socket.hear(
      () =>
        new Set(
          rows()
            .filter((row) => row[8] === '1')
            .map((row) => row[0]),
        ).size >= 2,
      () => rig.advance(20_000),
    );
    for (const row of rows()) expect(['0', '1']).toContain(row[8]);
  });

  test('the ticker of a market that nobody watches goes on', async () => {
    const socket = await open('public');
    socket.subscribe({ channel: 'tickers', instId: 'DOGE-USDT-SWAP' });
    const prices = () => new Set(socket.pushes('tickers').map((push) => push.data[0].last));
    await socket.hear(
      () => prices().size > 2,
      () => rig.advance(2_000, 1_000),
    );
  });

  test('an instrument whose state changes is told', async () => {
    const socket = await open('public');
    socket.subscribe({ channel: 'instruments', instType: 'SPOT' });
    await socket.hear((message) => message.event === 'subscribe');
    await rig.admin('POST', 'status', { symbol: 'DOGE-USDT', status: 'BREAK' });
    const push = await socket.hear(
      (message) => message.arg?.channel === 'instruments' && message.data !== undefined,
      () => rig.letPass(1_000),
    );
    expect(push.data).toMatchObject([{ instId: 'DOGE-USDT', state: 'suspend' }]);
    await rig.admin('POST', 'status', { symbol: 'DOGE-USDT', status: 'TRADING' });
  });
});
