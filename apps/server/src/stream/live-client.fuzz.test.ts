import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LiveWorld, login, subscribe, unsubscribe } from './live-world.fixture.ts';

let world: LiveWorld;
beforeAll(async () => {
  world = await new LiveWorld().open();
  world.knows('key', 7);
});
afterAll(() => world.close());

const key = fc.constantFrom(
  'book:BTCUSDT',
  'trades:ETHUSDT',
  'candle:BTCUSDT:1m',
  'candle:BTCUSDT:x',
  'book:NOPE',
);
const sent = fc.oneof(
  fc.constant('ping'),
  key.map((one) => JSON.stringify(subscribe(one))),
  key.map((one) => JSON.stringify(unsubscribe(one))),
  fc.constantFrom('key', 'nobody', 'broken').map((one) => JSON.stringify(login(one))),
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc.uint8Array({ maxLength: 200 }),
);

test('whatever clients send, nothing breaks: each is answered in known frames and a fresh one is served', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { maxLength: 30 }), fc.boolean(), async (messages, cut) => {
      const client = await world.connect();
      for (const message of messages) client.socket.send(message);
      if (cut) client.socket.terminate();
      else {
        await client.handled();
        for (const frame of client.frames) expect('ch' in frame || 'event' in frame).toBe(true);
        client.socket.close();
      }
      await world.tick();
    }),
    { numRuns: 150 },
  );
  const fresh = await world.loggedIn('key');
  fresh.send(subscribe('ticker:BTCUSDT'));
  await fresh.handled();
  expect(fresh.events.map((event) => event.code)).toEqual([0, 0]);
});
