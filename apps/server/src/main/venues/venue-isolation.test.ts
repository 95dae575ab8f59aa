import type { BestFrame, BookFrame, ServerFrame } from '@crossbook/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../testing.ts';
import { healthyBinance, UNWELL, type WireVenue } from './wire-venues.fixture.ts';

/** Waits for a condition; the test's time-out is the bound. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((next) => setTimeout(next, 5));
}

let well: WireVenue;
let unwell: WireVenue;
let hub: TestHub;
let starting: Promise<void>;
const sockets: WebSocket[] = [];

/** A live connection that keeps what it reads. */
async function follow(platform: number, args: readonly object[]): Promise<readonly ServerFrame[]> {
  const frames: ServerFrame[] = [];
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/live/${platform}`);
  sockets.push(socket);
  socket.addEventListener('message', ({ data }) => frames.push(JSON.parse(String(data))));
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  socket.send(JSON.stringify({ action: 'subscribe', args }));
  await until(() => frames.filter((frame) => 'event' in frame).length === args.length);
  return frames;
}

function booksOf(frames: readonly ServerFrame[]): readonly BookFrame[] {
  return frames.filter((frame): frame is BookFrame => 'ch' in frame && frame.ch === 'book');
}

describe.each(Object.entries(UNWELL))(
  'while two of three venues are such that each %s',
  (_how, make) => {
    beforeEach(async () => {
      [well, unwell] = await Promise.all([healthyBinance(), make()]);
      const bases = { VENUE_2: unwell, VENUE_3: unwell };
      const environment: Record<string, string> = {
        VENUE_1_REST_BASE: well.rest,
        VENUE_1_STREAM_BASE: well.stream,
        // The perpetuals of the healthy platform are as unwell as the other venues.
        VENUE_1_FUTURES_REST_BASE: unwell.rest,
        VENUE_1_FUTURES_STREAM_BASE: unwell.stream,
      };
      for (const [name, { rest, stream }] of Object.entries(bases)) {
        environment[`${name}_REST_BASE`] = rest;
        environment[`${name}_STREAM_BASE`] = stream;
      }
      hub = await startTestHub({ environment });
      // Waits for no venue but for a while: what the tests below need must be there before.
      starting = hub.hub.start();
      await until(() => well.reached() > 0);
    });
    afterEach(async () => {
      for (const socket of sockets.splice(0)) socket.close();
      await hub.close();
      await starting;
      await Promise.all([well.close(), unwell.close()]);
    });

    test('the third one streams without a gap, and every call answers', async () => {
      const visitor = hub.visitor();
      const instruments = (platformType: 43 | 41 | 42) =>
        visitor.call('connexbasicdata/QuerySymInfo', { platformType, tstate: 0 });
      let listed = await instruments(43);
      while (listed.data?.length !== 1) {
        await new Promise((next) => setTimeout(next, 20));
        listed = await instruments(43);
      }

      const others = await Promise.all([
        follow(2, [{ ch: 'book', s: 'BTC-USDT' }]),
        follow(3, [
          { ch: 'book', s: 'BTCUSDT' },
          { ch: 'book', s: 'BTCUSDT', m: 2 },
        ]),
      ]);
      const frames = await follow(1, [
        { ch: 'book', s: 'BTCUSDT' },
        { ch: 'bbo', s: 'BTC' },
        { ch: 'book', s: 'BTCUSDT', m: 2 },
      ]);
      await until(() => booksOf(frames).length >= 30);

      const [first, ...rest] = booksOf(frames);
      expect(first?.k).toBe('s');
      rest.reduce((before, frame) => {
        expect([frame.k, frame.p]).toEqual(['d', before]);
        return frame.q;
      }, first?.q);
      const best = frames.filter((frame): frame is BestFrame => 'ch' in frame && frame.ch === 'bbo');
      expect(best.at(-1)?.d).toEqual([[1, '99', '101']]);

      for (const platformType of [43, 41, 42] as const) {
        expect((await instruments(platformType)).code).toBe(1);
      }
      const currencies = await visitor.call('connexbasicdata/GetCurrencies', { asset: 'BTC' });
      expect(currencies.data?.[0]?.platformTypes).toContain(43);
      const relayed = await fetch(`${hub.url}/md/binance/api/v3/time`);
      expect(relayed.status).toBe(200);
      // Nothing that the others say or do not say becomes a book.
      expect(others.flatMap(booksOf)).toEqual([]);
    });
  },
  60_000,
);
