import type { BookFrame } from '@crossbook/contract';
import type { Ticks } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { change } from '../../apps/server/src/market/scripted-venue.fixture.ts';
import { LiveWorld, until } from '../../apps/server/src/stream/live-world.fixture.ts';
import { createBookStore } from '../../apps/web/src/stores/market/book.ts';
import { createLiveConnection, type LiveConnection } from '../../apps/web/src/wire/live-connection.ts';
import { openedForEach } from '../opened.ts';

const ARG = { ch: 'book', s: 'BTCUSDT' } as const;

const world = openedForEach(() => new LiveWorld().open());

/** Ticks of the hub, each with time for what it sends, until something holds. */
async function tickUntil(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await world.tick();
    await new Promise((next) => setTimeout(next, 2));
  }
}

/** The browser's connection to the hub over a line that loses or spoils what the test says. */
function connectOver(
  line: (text: string) => string | undefined,
  heard: (frame: BookFrame) => void,
): LiveConnection {
  const connection = createLiveConnection(
    world.url,
    {
      ...{ now: () => 0, random: () => 0, timer: () => () => undefined, credentials: async () => undefined },
      connect: (url, events) => {
        const socket = new WebSocket(url);
        socket.addEventListener('open', () => events.onOpen());
        socket.addEventListener('close', () => events.onClose());
        socket.addEventListener('message', ({ data }) => {
          const text = line(String(data));
          if (text !== undefined) events.onText(text);
        });
        return { send: (text) => socket.send(text), close: () => socket.close() };
      },
    },
    {
      ...{ onState: () => undefined, onUser: () => undefined, onCatchUp: () => undefined },
      ...{ onVenue: () => undefined, onLatency: () => undefined, onMalformed: () => undefined },
      onQueueFull: () => undefined,
    },
  );
  connection.follow(ARG, (frame) => heard(frame as BookFrame));
  connection.dispatch({ kind: 'start' });
  return connection;
}

test.each([
  ['lost', (): undefined => undefined],
  ['spoilt', (text: string) => text.replace('"b":[98', '"b":[198')],
])(
  'a book of the real hub of which a delta is %s on the way is whole again, and agrees with the venue',
  async (_, hurt) => {
    const book = createBookStore();
    book.follow({ s: 'BTCUSDT' });
    const folds: string[] = [];
    let wounds = 1;
    const line = (text: string) => {
      if (!text.includes('"k":"d"') || wounds === 0) return text;
      wounds -= 1;
      return hurt(text);
    };
    const connection = connectOver(line, (frame) => {
      const fold = book.fold(frame, 0);
      folds.push(fold);
      if (fold === 'gap') connection.resubscribe(ARG);
    });
    const start = change('BTCUSDT', [10, 10], { bids: [[99, 1]], asks: [[101, 2]] }, 'snapshot');
    world.venue.depth = async () => ({ ok: true, value: { ...start, receivedAt: world.venue.time.clock() } });
    await until(() => world.venue.sockets.length > 0);
    world.venue.newest.open();
    await tickUntil(() => book.ready());
    for (let seq = 11; seq < 15; seq += 1) {
      world.venue.newest.say({
        ...{
          kind: 'book',
          change: change('BTCUSDT', [seq, seq], { bids: [[98, seq]], asks: [[101 + seq, 1]] }),
        },
      });
      await world.tick();
    }
    await tickUntil(() => book.ready() && book.book.sizeAt('bids', 98 as Ticks) === 14);
    expect(folds.filter((fold) => fold === 'gap')).toHaveLength(1);
    expect(book.book.levels('bids')).toEqual([
      [99, 1],
      [98, 14],
    ]);
    expect(book.book.levels('asks').map(([price]) => price)).toEqual([101, 112, 113, 114, 115]);
    connection.dispatch({ kind: 'stop' });
  },
);
