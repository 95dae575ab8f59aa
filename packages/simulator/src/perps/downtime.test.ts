import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Amount, amount, type Lots, type Millis, type PlatformSlug } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PerpIncome } from '../perp-exchange.ts';
import { openQuietVenue } from '../quiet-venue.fixture.ts';
import { ContractRig, RIG_START } from './contract-rig.fixture.ts';
import { stated } from './margin/rounding.ts';

/** Funding and liquidations come at their time and in their order, whether anybody looks or not. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FALL = RIG_START + 10 * HOUR + 7 * MINUTE;
const END = (RIG_START + 12 * HOUR) as Millis;
const VENUES = ['binance', 'okx', 'bybit'] as const;

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crossbook-downtime-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The mark falls for three minutes, deep enough for anybody with a leverage of 100. */
const path = (_: string, time: Millis): number =>
  time >= FALL && time < FALL + 3 * MINUTE ? 54_500 : 60_000;

/** How time goes on to `END`; a rig that is reopened comes back. */
const WAYS: Readonly<Record<string, (rig: ContractRig) => Promise<ContractRig>>> = {
  'in one downtime': async (rig) => {
    await rig.exchange.close();
    return ContractRig.open(rig.slug, { dataDirectory: directory, now: END, path });
  },
  'in downtimes that end in the fall and after it': async (rig) => {
    await rig.exchange.close();
    let again = rig;
    for (const now of [FALL, FALL + MINUTE, FALL + HOUR, END]) {
      again = await ContractRig.open(rig.slug, { dataDirectory: directory, now: now as Millis, path });
      if (now !== END) await again.exchange.close();
    }
    return again;
  },
  'on a clock that is compressed to an hour a tick': async (rig) => {
    while (rig.now < END) rig.pass(HOUR);
    return rig;
  },
  'on a clock that runs as it does when the mark falls': async (rig) => {
    while (rig.now < END) rig.pass(Math.abs(rig.now - FALL) < 20 * MINUTE ? 10_000 : MINUTE);
    return rig;
  },
};

describe.each<PlatformSlug>([...VENUES])('%s', (slug) => {
  test.each(Object.keys(WAYS))('%s', async (way) => {
    const begun = await ContractRig.open(slug, { dataDirectory: directory, path });
    const [btc = '', eth = ''] = begun.symbols;
    const member = await begun.member('alice', '5000');
    for (const symbol of begun.symbols)
      await begun.perps.setLeverage(member, symbol, { leverage: 100, side: 'BOTH', marginMode: 'CROSS' });
    await begun.trade(member, btc, { lots: slug === 'okx' ? 10_000 : 1_000, at: 60_000 });
    await begun.trade(member, eth, { lots: slug === 'okx' ? 100 : 10, at: 60_000 });
    await begun.quiet();
    const rig = await (WAYS[way] ?? (async () => begun))(begun);
    const reported = rig.perps
      .income(member, { limit: 50 })
      .filter(({ kind }) => kind === 'FUNDING' || kind === 'REALIZED_PNL');
    expect(reported.map(({ kind, symbol, time }) => [kind, symbol, time - RIG_START])).toEqual([
      ['FUNDING', eth, 3.5 * HOUR],
      ['FUNDING', btc, 7.5 * HOUR],
      ['FUNDING', eth, 7.5 * HOUR],
      ['REALIZED_PNL', btc, FALL - RIG_START],
      ['REALIZED_PNL', eth, FALL - RIG_START],
    ]);
    expect(rig.perps.positions(member)).toEqual([]);
    await rig.exchange.close();
    const again = await ContractRig.open(slug, { dataDirectory: directory, now: END, path });
    const kept = again.perps.income(member, { limit: 50 }).filter(({ sequence }) => isOf(reported, sequence));
    expect(kept).toEqual(reported);
    await again.exchange.close();
  });

  test('a venue on a compressed clock pays what it publishes as its funding', async () => {
    const clock = { now: Date.UTC(2026, 10, 20, 16, 20, 30) as Millis };
    const { perps, close, step, spot } = await openQuietVenue(slug, {
      clock: () => clock.now,
      coins: ['BTC', 'DOGE'],
      data: directory,
    });
    const contracts = [...perps.contracts.values()].filter(
      ({ kind, settle, status }) => kind === 'PERPETUAL' && settle === 'USDT' && status === 'TRADING',
    );
    const account = await spot.openAccount('alice');
    await spot.credit(account, 'USDT', amount('100000'), 'first');
    if (slug === 'binance') await perps.movePocket(account, amount('100000'), 'in');
    const lots = new Map<string, number>();
    for (const [at, { symbol, minQty, lotSize, contractValue }] of contracts.entries()) {
      const lotValue = (perps.stats(symbol).mark * Number(lotSize) * Number(contractValue)) / 1e36;
      const placed = await perps.placePerp({
        ...{ account, symbol, positionSide: 'BOTH', kind: 'MARKET', timeInForce: 'GTC', clientId: symbol },
        ...{ side: at === 0 ? 'BUY' : 'SELL', reduceOnly: false, selfTradePrevention: 'NONE' },
        quantity: Math.ceil(Math.max(200 / lotValue, Number(minQty / lotSize))) as Lots,
        ...(slug === 'okx' ? { marginMode: 'CROSS' } : {}),
      });
      expect(placed).toMatchObject({ ok: true });
      lots.set(symbol, perps.positions(account, symbol)[0]?.quantity ?? 0);
    }
    for (let tick = 0; tick < 26 * 2; tick += 1) {
      clock.now = (clock.now + 30 * MINUTE) as Millis;
      step(clock.now);
    }
    await spot.durable();
    const paid = perps.income(account, { limit: 100 }).filter(({ kind }) => kind === 'FUNDING');
    for (const { symbol, contractValue, lotSize, fundingEveryMillis } of contracts) {
      const own = paid.filter((income) => income.symbol === symbol);
      const times = { startTime: (clock.now - 26 * HOUR) as Millis, endTime: clock.now, limit: 100 };
      const published = perps.fundingHistory(symbol, times);
      expect(published.length).toBe(Math.floor((26 * HOUR) / fundingEveryMillis));
      const coins = (BigInt(lots.get(symbol) ?? 0) * lotSize * contractValue) / 10n ** 18n;
      expect(own.map(({ time, amount: moved }) => [time, stated(moved, 8)])).toEqual(
        published.map(({ time, rate, mark }) => [time, fundingOf(coins, rate, mark)]),
      );
      expect(own.every(({ quantity }) => quantity === lots.get(symbol))).toBe(true);
    }
    await close();
  });
});

test('what an account has set about its prices is there again, from the journal and from a snapshot', async () => {
  let rig = await ContractRig.open('bybit', { dataDirectory: directory, path });
  const alice = await rig.member('alice', '1000');
  expect(rig.perps.movesPrices(alice)).toBe(true);
  await rig.perps.setMovesPrices(alice, false);
  for (const _ of ['journal', 'snapshot']) {
    await rig.exchange.close();
    rig = await ContractRig.open('bybit', { dataDirectory: directory, path });
    expect(rig.perps.movesPrices(alice)).toBe(false);
  }
  await rig.exchange.close();
});

function isOf(incomes: readonly PerpIncome[], sequence: number): boolean {
  return incomes.some((income) => income.sequence === sequence);
}

/** A long pays when the rate is above 0. @returns it in eight decimals. @param coins signed, in 1e-18. */
function fundingOf(coins: bigint, rate: number, mark: number): Amount {
  const value = coins * amount(mark.toFixed(8)) * amount(rate.toFixed(8));
  return stated((-value / 10n ** 36n) as Amount, 8);
}
