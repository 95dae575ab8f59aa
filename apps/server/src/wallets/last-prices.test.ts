import { amount, type Millis } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { ScriptedTime } from '../main/scripted-time.fixture.ts';
import { createLastPrices, pricesSince } from './last-prices.ts';
import type { PriceList } from './ports.ts';

type Prices = Readonly<Record<string, string>> | undefined;

/** Two venues; what a venue answers, or never does, is the test's. */
function world() {
  const time = new ScriptedTime();
  const asked = [0, 0];
  const notes: string[] = [];
  const answers: (() => Promise<Prices>)[] = [
    async () => ({ BTC: '60000' }),
    async () => ({ BTC: '1', SOL: '70' }),
  ];
  const lastPrices = createLastPrices({
    sources: [0, 1].map((at) => ({
      name: String(at + 1),
      async read() {
        asked[at] = (asked[at] ?? 0) + 1;
        const prices = await answers[at]?.();
        return prices === undefined ? undefined : new Map(Object.entries(prices));
      },
    })),
    ...{ clock: time.clock, after: time.after, note: (event) => notes.push(event) },
  });
  return { time, asked, notes, answers, lastPrices, fresh: () => lastPrices(time.clock()) };
}

const shown = (list: PriceList) =>
  Object.fromEntries([...list.prices].map(([asset, { price }]) => [asset, price]));

test('the first venue goes first, the second adds what it lacks; USDT is 1', async () => {
  const { fresh } = world();
  const list = await fresh();
  expect([shown(list), list.complete]).toEqual([{ BTC: amount('60000'), SOL: amount('70') }, true]);
  expect(pricesSince(list, undefined).get('USDT')).toBe(amount('1'));
});

test('lists are read once for all who ask, and again only when they are older than asked for', async () => {
  const { time, asked, fresh, lastPrices } = world();
  await Promise.all([fresh(), fresh(), fresh()]);
  time.advance(3_000);
  await lastPrices((time.clock() - 5_000) as Millis);
  expect(asked).toEqual([1, 1]);
  await fresh();
  expect(asked).toEqual([2, 2]);
});

test.each([
  ['says nothing', async () => undefined],
  ['breaks', async () => Promise.reject(new Error('reset'))],
])(
  'a venue that %s keeps its last known prices where nobody has newer ones, and is left alone for a while',
  async (_name, fails) => {
    const { time, asked, answers, fresh } = world();
    answers[0] = async () => ({ BTC: '60000', OLD: '5' });
    await fresh();
    time.advance(10_000);
    answers[0] = fails;
    const before = time.clock();
    const list = await fresh();
    expect([shown(list), list.complete]).toEqual([
      { BTC: amount('1'), SOL: amount('70'), OLD: amount('5') },
      false,
    ]);
    expect([...pricesSince(list, before).keys()].toSorted()).toEqual(['BTC', 'SOL', 'USDT']);
    time.advance(500);
    await fresh();
    expect(asked).toEqual([2, 3]);
  },
);

test('a venue that hangs holds up one call for a bounded time and the next ones not at all, until it answers', async () => {
  const { time, asked, answers, fresh } = world();
  let release: (prices: Prices) => void = () => undefined;
  answers[0] = () =>
    new Promise((resolve) => {
      release = resolve;
    });
  const first = fresh();
  // What the other venue answers is in before the time is up.
  await new Promise((next) => setImmediate(next));
  expect(time.waiting).toBe(1);
  time.advance(2_000);
  expect([shown(await first), (await first).complete]).toEqual([
    { BTC: amount('1'), SOL: amount('70') },
    false,
  ]);
  // Only the venue that answers is waited for; the other is not asked on top of itself.
  expect((await fresh()).complete).toBe(false);
  expect(asked[0]).toBe(1);
  answers[0] = async () => ({ BTC: '60000' });
  release({ BTC: '60000' });
  await expect.poll(async () => shown(await fresh()).BTC).toBe(amount('60000'));
});

test('figures that are no prices are none', async () => {
  const { answers, fresh } = world();
  answers[0] = async () => ({ A: '0', B: '', C: '1e5', D: '-1', E: '0.00000001' });
  answers[1] = async () => ({});
  expect(Object.keys(shown(await fresh()))).toEqual(['E']);
});
