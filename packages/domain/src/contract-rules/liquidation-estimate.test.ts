import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Amount, amount, toNumberForDisplay, ZERO } from '../amount.ts';
import type { LeverageTier, MarginMode, PositionSide, VenuePosition } from '../position.ts';
import { DIRECTIONS, held, NETTED, order, sceneAt, TIERS, text } from './btcusdt-perp.fixture.ts';
import { liquidationAfterOrder, liquidationEstimate, marginRatioAfterOrder } from './liquidation-estimate.ts';
import type { ContractOrderRequest, ContractScene, MarginTerms } from './margin-terms.ts';

const OKX: MarginTerms = { ...DIRECTIONS, closingFeeInMargin: false, closingFeeAtLiquidation: true };
const COVERED: MarginTerms = { ...DIRECTIONS, legsCoverEachOther: true };
/** A third tier, of which the largest positions are, and those beyond it. */
const STEPS: readonly LeverageTier[] = [
  ...TIERS,
  {
    ...{ tier: 3, unit: 'notional', floor: amount('800000'), cap: amount('900000'), maxLeverage: 50 },
    ...{ maintenanceRate: amount('0.01'), deduction: amount('4300') },
  },
];
const CONTRACTS = STEPS.map(
  (tier, index): LeverageTier => ({
    ...{ ...tier, unit: 'contracts', deduction: ZERO, floor: amount(['0', '5', '12'][index] ?? '') },
    cap: amount(['5', '12', '15'][index] ?? ''),
  }),
);

const n = (value: bigint | undefined): number => toNumberForDisplay((value ?? 0n) as Amount);

/**
 * Second witness, in plain numbers: the money behind a position at a mark, and what maintenance takes of it. One leg, or
 * two that share the pool; what needs more than there is, is liquidated.
 */
function behindAt(mark: number, side: PositionSide, scene: ContractScene) {
  const { terms, setting, instrument } = scene;
  const alone = setting.marginMode === 'isolated';
  const fee = n(scene.takerFee);
  const legs = scene.positions
    .filter(({ symbol, marginMode }) => symbol === instrument.symbol && marginMode === setting.marginMode)
    .map((position) => {
      const signed = n(position.quantity) * (position.side === 2 ? -1 : 1) * n(instrument.contractValue);
      return { ...position, signed, entry: n(position.entryPrice) };
    });
  const own = legs.find((leg) => leg.side === side);
  let equity = alone ? n(own?.isolatedMargin) : poolOf(scene);
  let needed = 0;
  for (const { signed, entry, leverage } of legs.filter((leg) => !alone || leg === own)) {
    const size = Math.abs(signed);
    const cover = Math.abs(legs.find((other) => other.signed !== signed)?.signed ?? 0);
    const covered = terms.legsCoverEachOther && !alone;
    needed += maintenanceOf(covered ? Math.max(0, size - cover) : size, mark, scene);
    if (terms.closingFeeAtLiquidation) needed += size * mark * fee;
    equity += signed * (mark - entry);
    if (terms.closingFeeInMargin) equity -= size * entry * (1 - Math.sign(signed) / leverage) * fee;
  }
  return { equity, needed };
}

/** What stands behind all cross positions on the contract together, besides their own profit. */
function poolOf({ pool, heldBack, positions, instrument, terms, takerFee }: ContractScene): number {
  const parts = positions.map((one) => {
    if (one.marginMode === 'isolated') return -n(one.isolatedMargin);
    if (one.symbol === instrument.symbol) return 0;
    const close = terms.closingFeeAtLiquidation ? n(one.initialMargin) * one.leverage * n(takerFee) : 0;
    return n(one.unrealisedPnl) - n(one.maintenanceMargin) - close;
  });
  return parts.reduce((sum, part) => sum + part, n(pool.wallet) - n(heldBack));
}

function leftAt(mark: number, side: PositionSide, scene: ContractScene): number {
  const { equity, needed } = behindAt(mark, side, scene);
  return equity - needed;
}

function maintenanceOf(coins: number, mark: number, { tiers, instrument }: ContractScene): number {
  if (coins === 0) return 0;
  const value = coins * mark;
  const contracts = coins / n(instrument.contractValue);
  const tier =
    tiers.find(({ unit, cap }) => (unit === 'contracts' ? contracts : value) <= n(cap)) ?? tiers.at(-1);
  return value * n(tier?.maintenanceRate) - n(tier?.deduction);
}

const OTHERS: readonly VenuePosition[] = [
  held('3', '3000', {
    ...{ symbol: 'ETHUSDT', unrealisedPnl: amount('-150'), maintenanceMargin: amount('45') },
    ...{ initialMargin: amount('450'), leverage: 20 },
  }),
  held('2', '3000', {
    ...{
      symbol: 'ETHUSDT',
      marginMode: 'isolated',
      isolatedMargin: amount('300'),
      unrealisedPnl: amount('-9'),
    },
    ...{ maintenanceMargin: amount('30'), initialMargin: amount('300') },
  }),
];

const anyScene = fc
  .record({
    terms: fc.constantFrom(NETTED, DIRECTIONS, OKX, COVERED),
    tiers: fc.constantFrom(STEPS, CONTRACTS),
    marginMode: fc.constantFrom<MarginMode>('cross', 'isolated'),
    hedged: fc.boolean(),
    sizes: fc.tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 200 })),
    even: fc.boolean(),
    shorts: fc.boolean(),
    entry: fc.integer({ min: 50_000, max: 70_000 }),
    money: fc.integer({ min: 2_000, max: 60_000 }),
    besides: fc.boolean(),
    contractValue: fc.constantFrom('1', '0.1'),
  })
  .map(
    ({
      terms,
      tiers,
      marginMode,
      hedged,
      sizes: [size, far],
      even,
      shorts,
      entry,
      money,
      besides,
      contractValue,
    }) => {
      const beside = even ? size - 1 : far;
      const part = { marginMode, leverage: 10, isolatedMargin: amount(`${Math.min(money, size * 600)}`) };
      const side: PositionSide = hedged ? (shorts ? 2 : 1) : 0;
      const other: PositionSide = shorts ? 1 : 2;
      const tenths = (count: number): string => `${count / 10}`;
      const positions = [
        held(tenths(shorts && !hedged ? -size : size), `${entry}`, { ...part, side }),
        ...(hedged && beside > 0 && beside !== size
          ? [held(tenths(beside), `${entry + 500}`, { ...part, side: other, isolatedMargin: amount('900') })]
          : []),
        ...(besides ? OTHERS : []),
      ];
      const { instrument } = sceneAt('60000');
      const scene = sceneAt('60000', {
        ...{ terms, tiers, positions, instrument: { ...instrument, contractValue: amount(contractValue) } },
        setting: { marginMode, leverageLong: 10, leverageShort: 10 },
        pool: { wallet: amount(`${money}`), available: ZERO },
        ...(besides ? { heldBack: amount('77') } : {}),
      });
      return { scene, side };
    },
  );

describe('the price of liquidation', () => {
  test('has money left on its side of the mark, none beyond the next tick', () => {
    let found = 0;
    fc.assert(
      fc.property(anyScene, ({ scene, side }) => {
        const estimate = liquidationEstimate(side, scene);
        if (estimate === undefined || leftAt(n(scene.mark), side, scene) < 0) return;
        found += 1;
        const price = n(estimate);
        expect(leftAt(price, side, scene)).toBeGreaterThan(-1e-3);
        expect(leftAt(price + (price < n(scene.mark) ? -0.1 : 0.1), side, scene)).toBeLessThan(1e-3);
        // As far away on the other side of the mark there is money left too: it is the nearer of two.
        expect(leftAt(Math.max(0, 2 * n(scene.mark) - price), side, scene)).toBeGreaterThan(-1e-3);
      }),
      { seed: 20261123, numRuns: 600 },
    );
    expect(found).toBeGreaterThan(200);
  });

  test('is unknown without a position, without tiers, and where no price above 0 would do', () => {
    const safe = sceneAt('60000', { positions: [held('0.01', '60000')] });
    expect(liquidationEstimate(0, sceneAt('60000'))).toBeUndefined();
    expect(liquidationEstimate(0, safe)).toBeUndefined();
    const long = { positions: [held('1', '60000')] };
    expect(text(liquidationEstimate(0, sceneAt('60000', long)))).toBe('55220.9');
    expect(liquidationEstimate(0, sceneAt('60000', { ...long, tiers: [] }))).toBeUndefined();
    expect(liquidationEstimate(1, sceneAt('60000', long))).toBeUndefined();
    const paid = [held('1', '60000', { marginMode: 'isolated', isolatedMargin: amount('60000') })];
    const setting = { marginMode: 'isolated', leverageLong: 1, leverageShort: 1 } as const;
    expect(liquidationEstimate(0, sceneAt('60000', { setting, positions: paid }))).toBeUndefined();
    const all = TIERS.map((tier) => ({ ...tier, maintenanceRate: amount('1') }));
    expect(liquidationEstimate(0, sceneAt('60000', { ...long, tiers: all }))).toBeUndefined();
  });

  test('a position of a tier’s last contract is of that tier, one beyond all tiers of the last', () => {
    const pool = { wallet: amount('50000'), available: ZERO };
    const at = (quantity: string) =>
      sceneAt('60000', { tiers: CONTRACTS, pool, positions: [held(quantity, '60000')] });
    // (60,000 - 50,000 / quantity) / (1 - rate)
    expect(text(liquidationEstimate(0, at('5')))).toBe('50200.9');
    expect(text(liquidationEstimate(0, at('5.1')))).toBe('50448.4');
    expect(text(liquidationEstimate(0, at('20')))).toBe('58080.9');
    const ratio = (quantity: string) => marginRatioAfterOrder(order(`BUY ${quantity} 60000`), at('1'));
    expect(ratio('4')).toBeCloseTo(1200 / 49880, 12);
    expect(ratio('19')).toBeCloseTo(12000 / 49430, 12);
  });

  /** A long of 10, or of 1, at 60,000 with so much money: the tier of its own size at its own price counts. */
  test.each([
    // (600,000 - 200,000 - 300) / 9.95, where it is worth 401,708; in the first tier it would be 40,160.6.
    ['not of a tier that it has outgrown', '10', '200000', '35000', '40170.8'],
    // (60,000 - 20,000) / 0.996; in the second tier it would be 39,899.4.
    ['not of a tier that it has not reached', '1', '20000', '35000', '40160.6'],
  ])('beyond liquidation it is %s', (...[, quantity, wallet, mark, price]) => {
    const pool = { wallet: amount(wallet), available: ZERO };
    const scene = sceneAt(mark, { pool, positions: [held(quantity, '60000')] });
    expect(text(liquidationEstimate(0, scene))).toBe(price);
  });

  test('beyond liquidation every leg is of the tier of its own size', () => {
    const pool = { wallet: amount('180000'), available: ZERO };
    const positions = [held('10', '60000', { side: 1 }), held('1', '60000', { side: 2 })];
    // (540,000 - 180,000 - 300) / (9 - 0.05 - 0.004): the long in the second tier, the short in the first.
    expect(text(liquidationEstimate(1, sceneAt('35000', { pool, positions })))).toBe('40207.9');
  });

  /** Long 5 and short 4.9 at 60,000 with 5,900: maintenance takes less than the difference wins, and in the third tier more. */
  test.each([
    ['from below', '60000', '1655.7'],
    ['from below, though hardly', '103000', '1655.7'],
    ['from above', '150000', '205583.7'],
  ])('of two it is the one nearer to the mark, %s', (_, mark, price) => {
    const steep = { floor: amount('800000'), maintenanceRate: amount('0.03'), deduction: amount('20300') };
    const tiers = STEPS.map((tier, index) => (index === 2 ? { ...tier, ...steep } : tier));
    const positions = [held('5', '60000', { side: 1 }), held('4.9', '60000', { side: 2 })];
    const pool = { wallet: amount('5900'), available: ZERO };
    expect(text(liquidationEstimate(1, sceneAt(mark, { tiers, positions, pool })))).toBe(price);
  });

  test('what the venue states of the position itself is not counted besides', () => {
    const stated = { unrealisedPnl: amount('-500'), maintenanceMargin: amount('240') };
    const positions = [held('1', '60000', { ...stated, initialMargin: amount('3000') })];
    expect(text(liquidationEstimate(0, sceneAt('60000', { positions })))).toBe('55220.9');
  });

  const pair = (marginMode: MarginMode, margins: readonly [string, string]) =>
    ([1, 2] as const).map((side) =>
      held(side === 1 ? '1' : '0.4', '60000', {
        ...{ side, marginMode },
        isolatedMargin: amount(margins[side - 1] ?? ''),
      }),
    );
  test.each([
    ['isolated, to its own margin', 'isolated', ['3500', '1000'], '5000'],
    ['in cross mode, to the pool', 'cross', ['3000', '1000'], '5500'],
  ] as const)('moves as margin is added, %s', (_, marginMode, margins, wallet) => {
    const setting = { marginMode, leverageLong: 20, leverageShort: 20 };
    const scene = sceneAt('60000', { setting, positions: pair(marginMode, ['3000', '1000']) });
    const pool = { wallet: amount(wallet), available: ZERO };
    const then = { ...scene, positions: pair(marginMode, margins), pool };
    const added = { added: amount('500') };
    expect(liquidationEstimate(1, scene, added)).toBe(liquidationEstimate(1, then));
    expect(liquidationEstimate(1, then)).not.toBe(liquidationEstimate(1, scene));
  });
});

/** Order, margin mode, what is held before and after, and what the order leaves of a wallet of 20,000. */
type Filled = readonly [
  claim: string,
  wanted: ContractOrderRequest,
  change: { readonly before: readonly VenuePosition[]; readonly after: readonly VenuePosition[] },
  wallet: string,
];
const isolatedAt20 = (quantity: string, entry: string, margin: string): VenuePosition =>
  held(quantity, entry, { marginMode: 'isolated', isolatedMargin: amount(margin) });
const leg = (side: PositionSide, quantity: string, entry = '60000'): VenuePosition =>
  held(quantity, entry, { side });
const onLeg = (side: PositionSide, wanted: string): ContractOrderRequest => ({ ...order(wanted), side });
const closing = (wanted: string): ContractOrderRequest => ({ ...order(wanted), reduceOnly: true });

describe('an order that is filled', () => {
  const cases: readonly Filled[] = [
    ['opens', order('BUY 1 60000'), { before: [], after: [held('1', '60000')] }, '19970'],
    ['opens a short', order('SELL 1 60000'), { before: [], after: [held('-1', '60000')] }, '19970'],
    ['opens at the ask', order('BUY 1'), { before: [], after: [held('1', '60100')] }, '19969.95'],
    ['opens at the bid', order('SELL 1'), { before: [], after: [held('-1', '59900')] }, '19970.05'],
    ['grows', order('BUY 1 62000'), { before: [held('1', '60000')], after: [held('2', '61000')] }, '19969'],
    [
      'shrinks with a profit',
      order('SELL 0.4 61000'),
      { before: [held('1', '60000')], after: [held('0.6', '60000')] },
      '20387.8',
    ],
    [
      'shrinks a short with a loss',
      order('BUY 0.4 61000'),
      { before: [held('-1', '60000')], after: [held('-0.6', '60000')] },
      '19587.8',
    ],
    [
      'turns',
      order('SELL 3 61000'),
      { before: [held('1', '60000')], after: [held('-2', '61000')] },
      '20908.5',
    ],
    [
      'sets margin aside',
      order('BUY 1 60000'),
      { before: [isolatedAt20('0', '1', '0')], after: [isolatedAt20('1', '60000', '3000')] },
      '19970',
    ],
    [
      'adds margin as it grows',
      order('BUY 1 62000'),
      { before: [isolatedAt20('1', '60000', '3300')], after: [isolatedAt20('2', '61000', '6400')] },
      '19969',
    ],
    [
      'frees margin as it shrinks',
      order('SELL 0.4 61000'),
      { before: [isolatedAt20('1', '60000', '3300')], after: [isolatedAt20('0.6', '60000', '1980')] },
      '20387.8',
    ],
    [
      'frees margin as a short shrinks',
      order('BUY 0.4 61000'),
      { before: [isolatedAt20('-1', '60000', '3300')], after: [isolatedAt20('-0.6', '60000', '1980')] },
      '19587.8',
    ],
    [
      'sets margin aside anew as it turns',
      order('SELL 3 61000'),
      { before: [isolatedAt20('1', '60000', '3300')], after: [isolatedAt20('-2', '61000', '6100')] },
      '20908.5',
    ],
    [
      'opens a leg beside the other',
      onLeg(2, 'SELL 2 60000'),
      { before: [leg(1, '1')], after: [leg(1, '1'), leg(2, '2')] },
      '19940',
    ],
    [
      'shrinks a leg',
      onLeg(1, 'SELL 0.4 61000'),
      { before: [leg(1, '1'), leg(2, '2')], after: [leg(1, '0.6'), leg(2, '2')] },
      '20387.8',
    ],
    [
      'shrinks a short leg',
      onLeg(2, 'BUY 0.4 61000'),
      { before: [leg(1, '3'), leg(2, '1')], after: [leg(1, '3'), leg(2, '0.6')] },
      '19587.8',
    ],
    [
      'closes what is held',
      closing('SELL 0.4 61000'),
      { before: [held('1', '60000')], after: [held('0.6', '60000')] },
      '20387.8',
    ],
    ['closes no more than is held', closing('SELL 3 61000'), { before: [held('1', '60000')], after: [] }, ''],
    ['closes no more than a short', closing('BUY 3 61000'), { before: [held('-1', '60000')], after: [] }, ''],
    [
      'closes no more than a leg',
      onLeg(1, 'SELL 3 61000'),
      { before: [leg(1, '1'), leg(2, '2')], after: [leg(2, '2')] },
      '',
    ],
    ['closes no more than a short leg', onLeg(2, 'BUY 3 61000'), { before: [leg(2, '1')], after: [] }, ''],
  ];

  describe.each(cases)('%s', (_, wanted, { before, after }, wallet) => {
    // What Bybit sets aside counts a fee besides: below.
    test.each([
      ['Binance', NETTED, TIERS],
      ['Bybit', COVERED, TIERS],
      ['OKX', OKX, CONTRACTS],
    ] as const)('at %s', (venue, terms, tiers) => {
      const marginMode = before[0]?.marginMode ?? 'cross';
      if (marginMode === 'isolated' && venue === 'Bybit') return;
      const scene = sceneAt('60000', {
        ...{
          terms,
          tiers,
          positions: [...before, ...OTHERS],
          setting: { marginMode, leverageLong: 20, leverageShort: 20 },
        },
        ...{
          pool: { wallet: amount('20000'), available: ZERO },
          bestBid: amount('59900'),
          bestAsk: amount('60100'),
        },
      });
      const { side } = wanted;
      if (wallet === '') {
        expect(liquidationAfterOrder(wanted, scene)).toBeUndefined();
        expect(marginRatioAfterOrder(wanted, scene)).toBeUndefined();
        return;
      }
      const then = {
        ...scene,
        positions: [...after, ...OTHERS],
        pool: { wallet: amount(wallet), available: ZERO },
      };
      expect(liquidationAfterOrder(wanted, scene)).toBe(liquidationEstimate(side, then));
      const { equity, needed } = behindAt(60_000, side, then);
      expect(marginRatioAfterOrder(wanted, scene)).toBeCloseTo(equity <= needed ? 1 : needed / equity, 9);
    });
  });

  test('margin set aside counts the fee to close where the venue does', () => {
    const setting = { marginMode: 'isolated', leverageLong: 20, leverageShort: 20 } as const;
    const scene = sceneAt('60000', { terms: DIRECTIONS, setting });
    const then = { ...scene, positions: [isolatedAt20('1', '60000', '3028.5')] };
    expect(liquidationAfterOrder(order('BUY 1 60000'), scene)).toBe(liquidationEstimate(0, then));
    const short = { ...scene, positions: [isolatedAt20('-1', '60000', '3031.5')] };
    expect(liquidationAfterOrder(order('SELL 1 60000'), scene)).toBe(liquidationEstimate(0, short));
  });

  test('the leverage that is set counts, not what the position had', () => {
    const setting = { marginMode: 'cross', leverageLong: 5, leverageShort: 2 } as const;
    const scene = sceneAt('60000', {
      terms: DIRECTIONS,
      setting,
      pool: { wallet: amount('20000'), available: ZERO },
    });
    const after = (position: VenuePosition) => ({
      ...scene,
      ...{ positions: [position], pool: { wallet: amount('19970'), available: ZERO } },
    });
    const before = { ...scene, positions: [held('1', '60000')] };
    const grown = after(held('2', '60000', { leverage: 5 }));
    expect(liquidationAfterOrder(order('BUY 1 60000'), before)).toBe(liquidationEstimate(0, grown));
    const short = after(held('1', '60000', { side: 2, leverage: 2 }));
    expect(liquidationAfterOrder(onLeg(2, 'SELL 1 60000'), scene)).toBe(liquidationEstimate(2, short));
  });

  test.each([
    // 6 coins at 60,000 are worth 360,000: 0.005 of it less 300, of 20,000 less the fee of 180.
    ['of the tier of what it is worth', TIERS, 1500 / 19820],
    ['of the last tier beyond all', TIERS.slice(0, 1), 1440 / 19820],
    [
      'nothing where a table deducts more than it takes',
      TIERS.map((tier) => ({ ...tier, deduction: amount('9000') })),
      0,
    ],
  ])('maintenance is %s', (...[, tiers, ratio]) => {
    const scene = sceneAt('60000', { tiers, pool: { wallet: amount('20000'), available: ZERO } });
    expect(marginRatioAfterOrder(order('BUY 6 60000'), scene)).toBeCloseTo(ratio, 12);
  });

  test('a leg with margin of its own is reckoned alone, whichever it is', () => {
    const setting = { marginMode: 'isolated', leverageLong: 20, leverageShort: 20 } as const;
    const positions = ([1, 2] as const).map((side) =>
      held('1', '60000', { side, marginMode: 'isolated', isolatedMargin: amount(`${3000 * side}`) }),
    );
    const scene = sceneAt('60000', { setting, positions });
    const nothing = { quantity: ZERO, price: amount('60000') };
    expect(marginRatioAfterOrder({ ...onLeg(1, 'BUY 1'), ...nothing }, scene)).toBeCloseTo(240 / 3000, 12);
    expect(marginRatioAfterOrder({ ...onLeg(2, 'SELL 1'), ...nothing }, scene)).toBeCloseTo(240 / 6000, 12);
  });

  test('legs that cover each other need nothing; what is used up needs all', () => {
    const pool = { wallet: amount('20000'), available: ZERO };
    const scene = sceneAt('60000', { terms: COVERED, pool, positions: [leg(1, '1')] });
    expect(marginRatioAfterOrder(onLeg(2, 'SELL 1 60000'), scene)).toBe(0);
    const spent = { ...scene, pool: { wallet: amount('300'), available: ZERO } };
    expect(marginRatioAfterOrder(onLeg(1, 'BUY 1 60000'), spent)).toBe(1);
    expect(marginRatioAfterOrder(onLeg(1, 'BUY 1 60000'), { ...spent, tiers: [] })).toBeUndefined();
  });
});
