import {
  type Amount,
  amount,
  type ContractScene,
  formatAmount,
  type Instrument,
  liquidationInMode,
  type Millis,
  type PositionSide,
  plus,
  stepsToAmount,
  type VenuePosition,
  ZERO,
} from '@crossbook/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import { BYBIT_PROFILE } from '../../../venues/src/bybit/profile.ts';
import type { AccountNumber } from '../exchange.ts';
import type { PerpPosition, SimMarginMode } from '../perp-exchange.ts';
import { ContractRig, rigContract } from './contract-rig.fixture.ts';

/** What the dialog of the page says before an account's margin mode changes, against what the exchange states behind it. */

const SIDES: Readonly<Record<string, PositionSide>> = { BOTH: 0, LONG: 1, SHORT: 2 };
const MODES = { CROSS: 'cross', ISOLATED: 'isolated' } as const;
const COINS = ['BTC', 'ETH'] as const;
const MARK = 60_000;
/** Two of each contract. */
const EACH_LEG = [0, 1, 2, 3] as const;

const story = fc.record({
  isolated: fc.boolean(),
  /** Which of the contracts have legs; of those that have none the first of two sizes counts. */
  hedges: fc.tuple(fc.boolean(), fc.boolean()),
  lots: fc.tuple(...EACH_LEG.map(() => fc.integer({ min: -170, max: 170 }))),
  leverages: fc.tuple(...EACH_LEG.map(() => fc.constantFrom(3, 10, 25))),
  /** How far the marks then went, in basis points. */
  moved: fc.tuple(...([0, 1] as const).map(() => fc.integer({ min: -300, max: 300 }))),
});
type Story = typeof story extends fc.Arbitrary<infer Drawn> ? Drawn : never;

async function holder(rig: ContractRig, { isolated, hedges, lots, leverages, moved }: Story) {
  const account = await rig.member('alice', '12000');
  const { perps } = rig;
  await perps.setMarginMode(account, rig.symbols[0] ?? '', isolated ? 'ISOLATED' : 'CROSS');
  for (const [at, symbol] of rig.symbols.entries()) {
    const hedge = hedges[at] === true;
    if (hedge) await perps.setPositionMode(account, symbol, 'HEDGE');
    for (const leg of hedge ? [0, 1] : [0]) {
      const positionSide = hedge ? (leg === 0 ? 'LONG' : 'SHORT') : 'BOTH';
      const size = lots[2 * at + leg] ?? 0;
      const leverage = {
        leverage: leverages[2 * at + leg] ?? 1,
        side: leg === 0 ? 'BOTH' : 'SHORT',
      } as const;
      if (leg === 0 || isolated) await perps.setLeverage(account, symbol, leverage);
      const signed = hedge ? Math.abs(size) * (leg === 0 ? 1 : -1) : size;
      if (signed !== 0) await rig.trade(account, symbol, { lots: signed, at: MARK, positionSide });
    }
  }
  for (const [at, symbol] of rig.symbols.entries()) rig.mark(symbol, MARK * (1 + (moved[at] ?? 0) / 10_000));
  return account;
}

function instrumentOf(coin: (typeof COINS)[number]): Instrument {
  const { symbol, tickSize, lotSize, contractValue, maxPrice } = rigContract('bybit', coin);
  return {
    ...{
      platform: 3,
      symbolType: 'SWAP',
      symbol,
      base: coin,
      quote: 'USDT',
      tickSize,
      lotSize,
      contractValue,
    },
    ...{ minPrice: tickSize, maxPrice, minQty: lotSize, maxQty: amount('1000'), maxMarketQty: amount('500') },
    ...{ minNotional: ZERO, maxLeverage: 100, status: 'trading' },
  };
}

function venuePosition(held: PerpPosition): VenuePosition {
  const { symbol, side, marginMode, entryPrice, markPrice, leverage, unrealisedPnl, quantity } = held;
  const size = side === 'BOTH' ? quantity : Math.abs(quantity);
  return {
    ...{ platform: 3, symbol, side: SIDES[side] ?? 0, marginMode: MODES[marginMode], entryPrice, markPrice },
    ...{
      leverage,
      unrealisedPnl,
      initialMargin: held.initialMargin,
      maintenanceMargin: held.maintenanceMargin,
    },
    quantity: stepsToAmount(size, rigContract('bybit', 'BTC').lotSize),
    ...(marginMode === 'CROSS' ? {} : { isolatedMargin: held.isolatedWallet }),
    ...{ adlRank: 0, status: 'normal', version: 1, updatedAt: 0 as Millis },
  };
}

/** What the page knows of an account and one of its contracts. */
function sceneOf(rig: ContractRig, account: AccountNumber, held: PerpPosition): ContractScene {
  const { takerFee } = rigContract('bybit', 'BTC');
  const { wallet, available } = rig.perps.pool(account);
  return {
    instrument: instrumentOf(COINS[rig.symbols.indexOf(held.symbol)] ?? 'BTC'),
    terms: BYBIT_PROFILE.trading.contracts.margin,
    ...{ takerFee, makerFee: takerFee, mark: held.markPrice },
    tiers: rig.perps.tiers(held.symbol).map((tier) => ({ ...tier, unit: 'notional' as const })),
    setting: { marginMode: 'cross', leverageLong: held.leverage, leverageShort: held.leverage },
    pool: { wallet, available },
    positions: rig.perps.positions(account).map(venuePosition),
    orders: [],
  };
}

/** On the same tick or the one beside it; what is below a tick is shown as none. */
function agree(said: Amount | undefined, shown: Amount | undefined, tick: Amount): boolean {
  const [one, other] = [said ?? ZERO, shown ?? ZERO];
  if (said === undefined || shown === undefined) return one <= tick && other <= tick;
  return (one > other ? one - other : other - one) <= plus(tick, amount('0.001'));
}

test('where the page says that a position would be liquidated in the other mode, the exchange states it once it stands there', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(story, async (drawn) => {
      const rig = await ContractRig.open('bybit', { coins: COINS });
      try {
        const account = await holder(rig, drawn);
        const before = rig.perps.positions(account);
        const to: SimMarginMode =
          rig.perps.setting(account, rig.symbols[0] ?? '').marginMode === 'CROSS' ? 'ISOLATED' : 'CROSS';
        const scenes = before.map((held) => sceneOf(rig, account, held));
        const contracts = new Map(scenes.map((scene) => [scene.instrument.symbol, scene]));
        const said = before.map(
          ({ side }, at) =>
            scenes[at] && liquidationInMode(SIDES[side] ?? 0, MODES[to], scenes[at], contracts),
        );
        const done = await rig.perps.setMarginMode(account, rig.symbols[0] ?? '', to);
        if (!done.ok) return void seen.add(done.code);
        const after = rig.perps.positions(account);
        for (const [at, held] of before.entries()) {
          const now = after.find(({ positionId }) => positionId === held.positionId);
          const { tickSize } = rigContract('bybit', 'BTC');
          const shown = now?.liquidationPrice;
          const pair = [said[at], shown].map((price) => price && formatAmount(price));
          expect(agree(said[at], shown, tickSize), `${held.symbol} ${held.side} ${to} ${pair}`).toBe(true);
          if (shown === undefined) continue;
          seen.add(`${to} ${held.side === 'BOTH' ? 'one-way' : 'leg'}`);
          const besides = before.filter(({ symbol }) => symbol !== held.symbol);
          if (besides.length === 2) seen.add(`${to} beside legs`);
        }
      } finally {
        await rig.exchange.close();
      }
    }),
    { numRuns: runs(60) },
  );
  const kinds = ['CROSS one-way', 'CROSS leg', 'ISOLATED one-way', 'ISOLATED leg', 'CROSS beside legs'];
  expect([...seen]).toEqual(expect.arrayContaining(kinds));
}, 120_000);
