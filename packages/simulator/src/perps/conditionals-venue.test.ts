import { amount, type Lots, type Millis, type PlatformSlug, type Ticks } from '@crossbook/domain';
import { expect, test } from 'vitest';
import type { NewPerpOrder } from '../perp-exchange.ts';
import { openQuietVenue } from '../quiet-venue.fixture.ts';

/** Conditional orders where agents trade: books, tapes and marks are those of the venue. */

const START = Date.UTC(2026, 10, 20, 16, 20, 30) as Millis;

test.each<PlatformSlug>(['binance', 'okx', 'bybit'])(
  '%s: a stop follows a market that nobody looks at, and is filled by its agents when the price falls',
  async (slug) => {
    const clock = { now: START };
    const venue = await openQuietVenue(slug, { clock: () => clock.now, coins: ['BTC'] });
    const { perps, spot } = venue;
    const pass = (seconds: number): void => {
      for (let at = 0; at < seconds; at += 1) {
        clock.now = (clock.now + 1_000) as Millis;
        venue.step(clock.now);
      }
    };
    const symbol =
      [...perps.contracts.values()].find(({ kind, settle }) => kind === 'PERPETUAL' && settle === 'USDT')
        ?.symbol ?? '';
    const account = await spot.openAccount('alice');
    await spot.credit(account, 'USDT', amount('100000'), 'first');
    if (slug === 'binance') await perps.movePocket(account, amount('100000'), 'in');
    const order: NewPerpOrder = {
      ...{ account, symbol, side: 'BUY', positionSide: 'BOTH', kind: 'MARKET', timeInForce: 'GTC' },
      ...{ reduceOnly: false, selfTradePrevention: 'NONE', quantity: 100 as Lots, clientId: 'buy' },
      ...(slug === 'okx' ? { marginMode: 'CROSS' } : {}),
    };
    expect(await perps.placePerp(order)).toMatchObject({ ok: true });
    const [held] = perps.positions(account);
    expect(held?.quantity).toBe(100);
    if (held === undefined) return;
    const newest = perps.trades(symbol, { limit: 1 }).at(-1);
    const last = newest?.price ?? 0;
    const below = { by: 'LAST', trigger: Math.round(last * 0.99) as Ticks } as const;
    const trailing = { by: 'LAST', back: { ticks: Math.round(last * 0.05) as Ticks } } as const;
    expect(await perps.conditionals.protect(held, { stopLoss: below, trailing })).toMatchObject({ ok: true });
    const causes = new Set<string>();
    perps.subscribePerps({ onPerpConditional: ({ cause }) => void causes.add(cause) });
    // Agents leave after a minute; what the market trades then is known when somebody asks.
    pass(300);
    await spot.durable();
    expect(causes).toEqual(new Set(['MOVED']));
    const seen = perps.trades(symbol, { fromId: newest?.tradeId ?? 0, limit: 100_000 });
    const prices = seen.map(({ price }) => price);
    const [, trail] = perps.conditionals.protecting(held);
    expect(trail?.trigger).toMatchObject({ best: Math.max(...prices) });
    spot.shock(slug === 'okx' ? 'BTC-USDT' : 'BTCUSDT', 0.98);
    pass(5);
    await spot.durable();
    expect(perps.positions(account)).toEqual([]);
    const [fill] = perps.perpFills(account, { limit: 1 });
    expect(Math.abs((fill?.price ?? 0) / last - 0.98)).toBeLessThan(0.005);
    const fate = perps.conditionals.history(account, { limit: 9 }).map(({ state }) => state);
    expect(fate).toEqual(['FINISHED', slug === 'binance' ? 'EXPIRED' : 'CANCELLED']);
    await venue.close();
  },
);
