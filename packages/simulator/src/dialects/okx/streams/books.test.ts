import { afterEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type ChannelSocket, startRig } from '../rig.fixture.ts';
import { bookChecksum, crc32 } from './checksum.ts';

/** Books by socket: chains of updates, checksums, snapshots, holes, silence. */

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

describe('books', () => {
  /** Replays what a client hears, by OKX's rule. */
  function replay(pushes: readonly { action: string; data: readonly Record<string, never>[] }[]) {
    const sides = { bids: new Map<string, string>(), asks: new Map<string, string>() };
    let last = 0;
    const best = (side: 'bids' | 'asks') =>
      [...sides[side]].sort(([left], [right]) =>
        side === 'bids' ? Number(right) - Number(left) : Number(left) - Number(right),
      );
    for (const { action, data } of pushes) {
      const row = data[0] as unknown as Record<'bids' | 'asks', [string, string][]> & Record<string, number>;
      expect(row.prevSeqId).toBe(action === 'snapshot' ? -1 : last);
      if (action === 'snapshot') for (const side of [sides.bids, sides.asks]) side.clear();
      last = row.seqId as number;
      for (const side of ['bids', 'asks'] as const) {
        for (const [price, size] of row[side]) {
          if (size === '0') expect(sides[side].delete(price)).toBe(true);
          else sides[side].set(price, size);
        }
      }
      expect(bookChecksum(best('bids'), best('asks'))).toBe(row.checksum);
    }
    return { last, bids: best('bids'), asks: best('asks') };
  }

  test.each(['BTC-USDT', 'BTC-USDT-SWAP'])(
    'of %s: a snapshot, then a chain of changes with true checksums; at rest it is the REST book',
    async (instId) => {
      const socket = await open('public');
      socket.subscribe({ channel: 'books', instId });
      await socket.hear(() => socket.pushes('books').length >= 60, act);
      let reported = replay(socket.pushes('books'));
      const rest = async () => (await rig.get(`/api/v5/market/books?instId=${instId}&sz=400`)).body.data[0];
      let truth = await rest();
      for (let tries = 0; tries < 400 && reported.last !== truth.seqId; tries += 1) {
        await new Promise((next) => setTimeout(next, 25));
        rig.letPass(100);
        truth = await rest();
        reported = replay(socket.pushes('books'));
      }
      expect(reported.last).toBe(truth.seqId);
      const plain = (side: string[][]) => side.map(([price, size]) => [price, size]);
      expect([reported.bids, reported.asks]).toEqual([plain(truth.bids), plain(truth.asks)]);
      expect(truth.bids[0].slice(2)).toEqual(['0', '1']);
    },
  );

  test('subscribing again begins with a new snapshot; a second listener gets one too, and then the same updates', async () => {
    const [first, second] = [await open('public'), await open('public')];
    const arg = { channel: 'books', instId: 'BTC-USDT' };
    first.subscribe(arg);
    await first.hear(() => first.pushes('books').length >= 5, act);
    first.subscribe(arg);
    second.subscribe(arg);
    await second.hear(() => second.pushes('books').length >= 10, act);
    await first.hear(() => first.pushes('books').length >= 16, act);
    const snapshots = first.pushes('books').filter((push) => push.action === 'snapshot');
    expect(snapshots.length).toBe(2);
    replay(first.pushes('books'));
    replay(second.pushes('books'));
  });

  test('a lost update leaves a hole in the chain', async () => {
    const socket = await open('public');
    socket.subscribe({ channel: 'books', instId: 'ETH-USDT' });
    await socket.hear(() => socket.pushes('books').length >= 3, act);
    await rig.admin('POST', 'faults', { kind: 'skip-depth', match: 'books/ETH-USDT', count: 1 });
    const holes = () => {
      const rows = socket.pushes('books').map((push) => push.data[0]);
      return rows.filter((row, at) => at > 0 && row.prevSeqId !== rows[at - 1].seqId).length;
    };
    await socket.hear(() => holes() === 1, act);
  });

  test('in which nothing happens says so after a minute: an update without levels whose ids are equal', async () => {
    const socket = await open('public');
    socket.subscribe({ channel: 'books', instId: 'WAVES-USDT' });
    await socket.hear(() => socket.pushes('books').length >= 1);
    const quiet = () => socket.pushes('books').find((push) => push.action === 'update');
    await socket.hear(
      () => quiet() !== undefined,
      () => {
        rig.letPass(20_000);
        socket.send('ping');
      },
    );
    const [row] = quiet().data;
    expect(row).toMatchObject({ asks: [], bids: [], prevSeqId: row.seqId });
  });

  test('the best levels alone come as a snapshot each time they change', async () => {
    const socket = await open('public');
    socket.subscribe({ channel: 'books5', instId: 'BTC-USDT' }, { channel: 'bbo-tbt', instId: 'BTC-USDT' });
    await socket.hear(() => socket.pushes('books5').length > 3 && socket.pushes('bbo-tbt').length > 3, act);
    expect(socket.pushes('books5')[0].data[0]).toMatchObject({
      instId: 'BTC-USDT',
      seqId: expect.any(Number),
    });
    expect(socket.pushes('books5').every((push) => push.data[0].bids.length === 5)).toBe(true);
    expect(socket.pushes('bbo-tbt').every((push) => push.data[0].asks.length === 1)).toBe(true);
    expect(socket.pushes('books5')[0].action).toBeUndefined();
  });

  test('the checksum is CRC-32 over the strings, the longer side going on alone', () => {
    expect(crc32('3366.1:7:3366.8:9:3366:6:3368:8')).toBe(-1_881_014_294);
    const bids = [
      ['3366.1', '7'],
      ['3366', '6'],
    ] as const;
    const asks = [
      ['3366.8', '9'],
      ['3368', '8'],
      ['3372', '8'],
    ] as const;
    expect(bookChecksum(bids, asks)).toBe(crc32('3366.1:7:3366.8:9:3366:6:3368:8:3372:8'));
  });
});
