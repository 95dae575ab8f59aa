import { describe, expect, test } from 'vitest';
import { type Amount, amount, formatAmount, ZERO } from '../amount.ts';
import type { LeverageTier } from '../position.ts';
import { DIRECTIONS, held, NETTED, order, sceneAt, TIERS, text } from './btcusdt-perp.fixture.ts';
import { largestContractOrder } from './largest-order.ts';
import { liquidationAfterOrder, liquidationEstimate, marginRatioAfterOrder } from './liquidation-estimate.ts';
import type { ContractScene } from './margin-terms.ts';
import { contractOrderCost } from './order-cost.ts';
import { positionAfter, realisedEstimate } from './position-after.ts';

describe('what an order costs', () => {
  const at25 = { marginMode: 'cross', leverageLong: 25, leverageShort: 25 } as const;
  const bybit = { terms: DIRECTIONS, takerFee: amount('0.00055') };
  test.each([
    ['netted: margin and open loss', sceneAt('61200', { setting: at25 }), 'SELL 0.2 61000', '528'],
    [
      'netted: a close is free',
      sceneAt('61200', { positions: [held('0.2', '60000')] }),
      'SELL 0.2 61200',
      '0',
    ],
    ['directions: margin, both fees', sceneAt('58000', bybit), 'BUY 0.1 58000', '296.2205'],
    [
      'netted: a market buy above the best ask',
      sceneAt('61200', { setting: at25, bestAsk: amount('61200') }),
      'BUY 0.2',
      '495.9648',
    ],
  ])('%s', (_, scene, wanted, cost) => {
    expect(text(contractOrderCost(order(wanted), scene))).toBe(cost);
  });
});

describe('the largest order and what binds it', () => {
  const rich = { wallet: amount('9000000'), available: amount('9000000') };
  test.each([
    ['money', sceneAt('60000'), 'BUY 1 60000', ['1.666', 'margin']],
    ['the tier', sceneAt('60000', { pool: rich }), 'BUY 1 60000', ['13.333', 'tier']],
    ['the filter', sceneAt('100', { pool: rich }), 'BUY 1', ['120', 'lot']],
    [
      'the tier, less what is held',
      sceneAt('60000', { pool: rich, positions: [held('13', '60000')] }),
      'BUY 1 60000',
      ['0.333', 'tier'],
    ],
  ])('%s', (_, scene, like, expected) => {
    const { quantity, bound } = largestContractOrder(order(like), scene);
    expect([text(quantity), bound]).toEqual(expected);
  });

  test('a reduce-only order is as large as the position', () => {
    const scene = sceneAt('60000', { positions: [held('0.25', '60000')] });
    const close = { ...order('SELL 1'), reduceOnly: true };
    expect(largestContractOrder(close, scene)).toEqual({ quantity: amount('0.25'), bound: 'position' });
  });
});

describe('liquidation, on the tick nearer to the mark', () => {
  const aside = { marginMode: 'isolated', leverageLong: 20, leverageShort: 20 } as const;
  const alone = held('0.5', '60000', { marginMode: 'isolated', isolatedMargin: amount('1500') });
  const isolated = sceneAt('60000', { setting: aside, positions: [alone] });
  const cross = sceneAt('60000', {
    pool: { wallet: amount('50000'), available: ZERO },
    positions: [held('10', '60000')],
  });

  test('of a position as it stands', () => {
    expect(text(liquidationEstimate(0, isolated))).toBe('57229');
    expect(text(liquidationEstimate(0, cross))).toBe('55246.3');
    expect(liquidationEstimate(0, { ...cross, tiers: [] })).toBeUndefined();
  });

  test('margin that is added moves it away', () => {
    expect(text(liquidationEstimate(0, isolated, { added: amount('1000') }))).toBe('55220.9');
  });

  test('after an order that opens, grows, turns or closes', () => {
    const empty = sceneAt('60000', { setting: aside });
    expect(text(liquidationAfterOrder(order('BUY 0.5 60000'), empty))).toBe('57229');
    expect(text(liquidationAfterOrder(order('BUY 0.5 60000'), isolated))).toBe('57229');
    expect(text(liquidationAfterOrder(order('SELL 1 60000'), isolated))).toBe('62749');
    expect(liquidationAfterOrder(order('SELL 0.5 60000'), isolated)).toBeUndefined();
  });

  const okx = { ...NETTED, openLossInCost: false, closingFeeAtLiquidation: true };
  const contracts = [{ ...(TIERS[0] as LeverageTier), unit: 'contracts', cap: amount('1000') }] as const;
  const bybit = [{ ...(TIERS[0] as LeverageTier), cap: amount('2000000'), maintenanceRate: amount('0.005') }];
  test.each([
    // 54,244.0984..., 65,704.3305..., 50,226.0170..., 54,271.3567...
    ['OKX, a long alone', '50', 'isolated', { terms: okx, tiers: contracts }, '54244.1'],
    ['OKX, a short alone', '-50', 'isolated', { terms: okx, tiers: contracts }, '65704.3'],
    ['OKX, a long and the whole pool', '50', 'cross', { terms: okx, tiers: contracts }, '50226.1'],
    ['Bybit, a long alone', '50', 'isolated', { tiers: bybit }, '54271.4'],
  ] as const)('%s', (...[, quantity, marginMode, change, price]) => {
    const isolatedMargin = amount('3000');
    const one = held('1', '60000', { marginMode, isolatedMargin });
    const signed = { ...one, quantity: (BigInt(quantity) * 10n ** 18n) as Amount };
    const scene = sceneAt('60000', {
      setting: { ...aside, marginMode },
      ...{ positions: [signed], ...change },
    });
    const instrument = { ...scene.instrument, contractValue: amount('0.01') };
    expect(text(liquidationEstimate(0, { ...scene, instrument }))).toBe(price);
  });

  test('the share that maintenance takes after an order', () => {
    const ratio = (wanted: string, scene: ContractScene) => marginRatioAfterOrder(order(wanted), scene);
    expect(ratio('BUY 0.5 60000', sceneAt('60000', { setting: aside }))).toBe(0.08);
    expect(ratio('BUY 0.5 60000', sceneAt('57000', { setting: aside }))).toBe(1);
    expect(ratio('SELL 5 60000', cross)).toBeCloseTo(1200 / 49850, 9);
    expect(ratio('SELL 0.5 60000', isolated)).toBeUndefined();
    expect(ratio('BUY 1 60000', { ...cross, tiers: [] })).toBeUndefined();
  });
});

describe('a position after a fill', () => {
  const long = { quantity: amount('0.3'), entryPrice: amount('60000') };
  test.each([
    ['opens', undefined, '0.3 60000', '0.3 @ 60000'],
    ['is averaged when it grows', long, '0.1 62000', '0.4 @ 60500'],
    ['keeps its entry when it shrinks', long, '-0.1 62000', '0.2 @ 60000'],
    ['opens anew when it turns', long, '-0.5 61000', '-0.2 @ 61000'],
    ['is gone when it is closed', long, '-0.3 61000', 'flat'],
  ])('%s', (_, before, fill, after) => {
    const [quantity = '', price = ''] = fill.split(' ');
    const effect = positionAfter(before, { quantity: amount(quantity), price: amount(price) });
    const shown = effect.after;
    expect(
      shown === undefined ? 'flat' : `${formatAmount(shown.quantity)} @ ${formatAmount(shown.entryPrice)}`,
    ).toBe(after);
    expect(effect.turned).toBe(after.startsWith('-'));
  });

  test('closing realises profit less the fee', () => {
    const close = { quantity: amount('0.3'), price: amount('61000') };
    const facts = { contractValue: amount('1'), feeRate: amount('0.0005') };
    expect(text(realisedEstimate(long, close, facts))).toBe('290.85');
    // Five contracts of a hundredth of a coin, sold with a turn: fill profit 45 less the fee of what closed.
    const okx = { quantity: amount('5'), entryPrice: amount('60000') };
    const five = { quantity: amount('5'), price: amount('60900') };
    expect(text(realisedEstimate(okx, five, { ...facts, contractValue: amount('0.01') }))).toBe('43.4775');
  });
});
