import { type Amount, formatAmount, SIDE } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { contractFacts, contractOrder, MARGIN, SETTING } from './contract.fixture.ts';
import {
  type ContractFacts,
  largestContractSize,
  marketWalk,
  summariseContract,
} from './contract-summary.ts';
import { type ContractTicketState, emptyContractTicket, reduceContract } from './contract-ticket.ts';
import { positionFixture } from './position.fixture.ts';

const ticket = (change: Partial<ContractTicketState> = {}): ContractTicketState => ({
  ...emptyContractTicket({ orderKind: 1, timeInForce: 1, sizeUnit: 'coin' }),
  ...{ price: '60000', size: '0.5' },
  ...change,
});
const shown = (value: Amount | undefined) => (value === undefined ? undefined : formatAmount(value));
const summary = (state: ContractTicketState, facts: ContractFacts = contractFacts()) =>
  summariseContract(state, facts, undefined);
const isolated = { ...SETTING, marginMode: 'isolated' as const };
const short = positionFixture({ quantity: '-0.5', liquidationPrice: '70000' });

describe('before sending', () => {
  test.each([
    ['opens', ticket(), contractFacts(), ['30000', '1500', undefined]],
    [
      'closes: nothing is set aside, and what it realises',
      ticket({ price: '59000' }),
      contractFacts({ positions: [short] }),
      ['29500', '0', '485.25'],
    ],
    [
      'flips into less: the margin of what it closes is enough',
      ticket({ size: '0.7' }),
      contractFacts({ positions: [short] }),
      ['42000', '0', '-15'],
    ],
    [
      'flips into more: what the other side needs above what it had',
      ticket({ size: '1.2' }),
      contractFacts({ positions: [short] }),
      ['72000', '600', '-15'],
    ],
    ['has no price', ticket({ price: '' }), contractFacts(), [undefined, undefined, undefined]],
    [
      'has settings that are not read',
      ticket(),
      contractFacts({ setting: undefined }),
      [undefined, undefined, undefined],
    ],
  ] as const)('an order that %s', (...[, state, facts, stats]) => {
    const { value, cost, realised } = summary(state, facts);
    expect([value, cost, realised].map(shown)).toEqual(stats);
  });

  test('a limit that waits may make or take; a market order takes; post-only makes', () => {
    const rates = (change: Partial<ContractTicketState>) => {
      const { low, high } = summary(ticket(change)).feeRates;
      return [low, high].map(shown);
    };
    expect([rates({}), rates({ type: 2 }), rates({ timeInForce: 4 }), rates({ timeInForce: 2 })]).toEqual([
      ['0.0002', '0.0005'],
      ['0.0005', '0.0005'],
      ['0.0002', '0.0002'],
      ['0.0005', '0.0005'],
    ]);
  });

  test.each([
    // Isolated: margin 1,500. Cross: the wallet less the fee of 15; with another position's need of 120 still less.
    ['isolated', contractFacts({ setting: isolated }), '57229'],
    ['cross', contractFacts(), '50230'],
    [
      'cross beside another position',
      contractFacts({ positions: [positionFixture({ symbol: 'ETHUSDT', unrealisedPnl: '-500' })] }),
      '51475',
    ],
    [
      'cross beside isolated margin',
      contractFacts({
        positions: [positionFixture({ symbol: 'ETHUSDT', marginMode: 'isolated', isolatedMargin: '1000' })],
      }),
      '52238',
    ],
  ] as const)('liquidation is told of %s', (...[, facts, price]) => {
    const { liquidationAfter, ratioAfter } = summary(ticket(), facts);
    expect(Number(shown(liquidationAfter))).toBeCloseTo(Number(price), -1);
    expect(ratioAfter).toBeGreaterThan(0);
  });

  test('a limit is liquidated by its own price, and not by that of the market', () => {
    const facts = contractFacts({ setting: isolated });
    const after = (change: Partial<ContractTicketState>) =>
      Math.round(Number(shown(summary(ticket(change), facts).liquidationAfter)));
    // A twentieth below where it fills, less what the exchange wants to keep.
    expect([after({}), after({ type: 2 })]).toEqual([57_229, 57_229]);
    expect(after({ price: '40000' })).toBeGreaterThan(38_000);
    expect(after({ price: '40000' })).toBeLessThan(38_300);
  });

  test('without a leverage table where it would be liquidated is not known; none in range is', () => {
    const shown = (change: Partial<ContractFacts>) => {
      const { liquidationKnown, liquidationAfter } = summary(ticket(), contractFacts(change));
      return [liquidationKnown, liquidationAfter === undefined];
    };
    expect(shown({ tiers: [] })).toEqual([false, true]);
    expect(shown({ margin: undefined })).toEqual([false, true]);
    expect(shown({ margin: { ...MARGIN, wallet: '9000000', available: '9000000' } })).toEqual([true, true]);
  });

  test('the exchange says where the position is liquidated now, we say where after the order', () => {
    const held = positionFixture({ marginMode: 'isolated', isolatedMargin: '1500' });
    const found = summary(ticket(), contractFacts({ setting: isolated, positions: [held] }));
    expect([found.liquidationBefore, found.liquidationAfter].map(shown)).toEqual(['57229', '57229']);
  });
});

describe('the largest size', () => {
  test.each([
    ['of the armed side', ticket(), contractFacts(), '1.666 margin'],
    [
      'counts what waits on the same side',
      ticket(),
      contractFacts({
        margin: { ...MARGIN, available: '900000' },
        orders: [contractOrder({ quantity: '3.333' }), contractOrder({ side: SIDE.SELL })],
      }),
      '10.055 tier',
    ],
    [
      'of a reduce-only order is the position',
      ticket({ reduceOnly: true }),
      contractFacts({ positions: [short], margin: undefined }),
      '0.5 position',
    ],
    [
      'less what waits to close',
      ticket({ reduceOnly: true }),
      contractFacts({ positions: [short], orders: [contractOrder({ reduceOnly: true })] }),
      '0.4 position',
    ],
    [
      'closing a leg is that leg',
      ticket({ tab: 'close', side: SIDE.SELL }),
      contractFacts({
        setting: { ...SETTING, positionMode: 'hedge' },
        positions: [positionFixture({ effect: 1 }), positionFixture({ effect: 2, quantity: '9' })],
      }),
      '0.5 position',
    ],
  ] as const)('%s', (...[, state, facts, largest]) => {
    const found = largestContractSize(state, facts);
    expect(`${shown(found?.size)} ${found?.bound}`).toBe(largest);
  });

  test('of what only closes is the position, however little margin is free and before a price is filled in', () => {
    const facts = contractFacts({ positions: [short], margin: { ...MARGIN, available: '0' } });
    const closes = ticket({ reduceOnly: true, price: '', size: '' });
    const largest = largestContractSize(closes, facts)?.size;
    expect(shown(largest)).toBe('0.5');
    const half = reduceContract(closes, { kind: 'percent', percent: 50 }, { ...facts, largest });
    expect(half.size).toBe('0.250');
  });

  test.each([
    ['without a margin figure', contractFacts({ margin: undefined })],
    ['without settings', contractFacts({ setting: undefined })],
  ])('is unknown %s', (_name, facts) => {
    expect(largestContractSize(ticket(), facts)).toBeUndefined();
  });
});

test.each<[string, Partial<ContractTicketState>, Partial<ContractFacts>, boolean]>([
  ['a market order at a fresh book', { type: 2 }, {}, true],
  ['a market order at an old one', { type: 2 }, { priceStale: true }, false],
  ['a market order where its side has no price', { type: 2 }, { bestAsk: undefined }, false],
  ['a limit', {}, {}, false],
])('the average of a market order is reckoned from a fresh book alone: %s', (_, change, world, walked) => {
  const sizes: (string | undefined)[] = [];
  marketWalk(ticket(change), contractFacts(world), (_side, coins) => {
    sizes.push(shown(coins));
    return undefined;
  });
  expect(sizes).toEqual(walked ? ['0.5'] : []);
});
