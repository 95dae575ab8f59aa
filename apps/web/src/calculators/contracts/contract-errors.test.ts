import type { PositionRow } from '@crossbook/contract';
import { amount, type LeverageTier } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import { expect, test } from 'vitest';
import { CONTRACT, contractFacts, contractOrder, MARGIN, SETTING, TIERS } from './contract.fixture.ts';
import { contractErrors, contractWarnings } from './contract-errors.ts';
import { type ContractFacts, summariseContract } from './contract-summary.ts';
import {
  type ContractTicketState,
  coinsOf,
  emptyContractTicket,
  meansWhole,
  reduceContract,
} from './contract-ticket.ts';
import { positionFixture } from './position.fixture.ts';

const ticket = (change: Partial<ContractTicketState> = {}): ContractTicketState => ({
  ...emptyContractTicket({ orderKind: 1, timeInForce: 1, sizeUnit: 'coin' }),
  ...{ price: '60000', size: '0.01' },
  ...change,
});
const offer = venueProfile(1).trading.spot;
function names(state: ContractTicketState, facts: ContractFacts): readonly string[] {
  const summary = summariseContract(state, facts, undefined);
  return contractErrors(state, facts, { offer, summary }).map(({ name, field }) => `${name} ${field}`);
}
const short = positionFixture({ quantity: '-0.5' });
const isolated = { ...SETTING, marginMode: 'isolated' as const, leverageLong: 125, leverageShort: 125 };
const reduce = { reduceOnly: true } as const;
const halted = (change: Partial<ContractFacts> = {}): ContractFacts =>
  contractFacts({ instrument: { ...CONTRACT, status: 'halted' }, ...change });

test.each([
  ['out of the band', ticket({ price: '70000' }), contractFacts(), 'price 63,000.0'],
  ['crossing', ticket({ timeInForce: 4 }), contractFacts(), 'price 59,999.9'],
  [
    'more than is held',
    ticket({ size: '0.6', ...reduce }),
    contractFacts({ positions: [short] }),
    'largest undefined',
  ],
] as const)('an order that is %s says what would do instead', (_name, state, facts, instead) => {
  const [error] = contractErrors(state, facts, {
    offer,
    summary: summariseContract(state, facts, undefined),
  });
  expect(`${error?.instead} ${error?.values.price}`).toBe(instead);
});

test.each([
  ['a sound order', ticket(), contractFacts(), []],
  [
    'nothing filled in',
    ticket({ price: '', size: '' }),
    contractFacts(),
    ['field-invalid price', 'field-invalid size'],
  ],
  ['a price between two ticks', ticket({ price: '60000.05' }), contractFacts(), ['price-step price']],
  ['a buy above the band', ticket({ price: '63000.1' }), contractFacts(), ['price-band price']],
  ['a buy at the end of the band', ticket({ price: '63000' }), contractFacts(), []],
  ['a sale below the band', ticket({ side: 2, price: '56999.9' }), contractFacts(), ['price-band price']],
  ['a sale far above the market', ticket({ side: 2, price: '90000' }), contractFacts(), []],
  ['a band without a mark', ticket({ price: '63000.1' }), contractFacts({ mark: undefined }), []],
  ['a size between two lots', ticket({ size: '0.0105' }), contractFacts(), ['quantity-step size']],
  [
    'a size above the lot filter',
    ticket({ size: '1001', ...reduce }),
    contractFacts({ positions: [positionFixture({ quantity: '-2000' })] }),
    ['quantity-range size'],
  ],
  [
    'a value below the smallest',
    ticket({ price: '1000', size: '0.001' }),
    contractFacts(),
    ['notional-too-small size'],
  ],
  [
    'a small order that closes',
    ticket({ price: '1000', size: '0.001', ...reduce }),
    contractFacts({ positions: [short] }),
    [],
  ],
  ['old prices', ticket({ type: 2 }), contractFacts({ priceStale: true }), ['price-stale form']],
  [
    'old prices, closing',
    ticket({ type: 2, ...reduce }),
    contractFacts({ priceStale: true, positions: [short] }),
    [],
  ],
  ['a halted contract', ticket(), halted(), ['symbol-halted form']],
  ['a halted contract, closing', ticket(reduce), halted({ positions: [short] }), []],
  ['post-only at the ask', ticket({ timeInForce: 4 }), contractFacts(), ['post-only-crosses price']],
  ['nothing to reduce', ticket(reduce), contractFacts(), ['nothing-to-reduce form']],
  [
    'more than can be closed',
    ticket({ size: '0.6', ...reduce }),
    contractFacts({ positions: [short] }),
    ['close-too-large size'],
  ],
  [
    'all of it as an intent',
    ticket({ size: '0.6', percent: 100, ...reduce }),
    contractFacts({ positions: [short] }),
    [],
  ],
  [
    'what waits to close counts',
    ticket({ size: '0.45', ...reduce }),
    contractFacts({ positions: [short], orders: [contractOrder({ reduceOnly: true })] }),
    ['close-too-large size'],
  ],
  [
    'more than the table allows',
    ticket({ size: '14' }),
    contractFacts({ margin: { ...MARGIN, available: '90000', wallet: '90000' } }),
    ['tier-exceeded size'],
  ],
  ['too little money', ticket({ size: '2' }), contractFacts(), ['balance-insufficient form']],
  [
    'so little that it would be liquidated too',
    ticket({ size: '4', price: '61000' }),
    contractFacts({ margin: { ...MARGIN, wallet: '700', available: '700' } }),
    ['balance-insufficient form'],
  ],
  [
    'liquidated where it stands',
    ticket({ price: '61000' }),
    contractFacts({ setting: isolated }),
    ['would-liquidate form'],
  ],
  [
    'a platform that is coming soon',
    ticket(),
    contractFacts({ platformOpen: false }),
    ['platform-coming-soon form'],
  ],
  ['closing there', ticket(reduce), contractFacts({ platformOpen: false, positions: [short] }), []],
  [
    'a halted contract',
    ticket(),
    contractFacts({ instrument: { ...CONTRACT, status: 'halted' } }),
    ['symbol-halted form'],
  ],
] as const)('%s', (...[, state, facts, found]) => expect(names(state, facts)).toEqual(found));

test('all of a position is no number: rounded up to the cent it is neither too large nor sent as a size', () => {
  // A cent of this coin is eight lots: the value of 505 coins, rounded up, would be more than there are.
  const instrument = {
    ...CONTRACT,
    ...{ tickSize: amount('0.0001'), minPrice: amount('0.0001'), lotSize: amount('1'), minQty: amount('1') },
  };
  const facts = contractFacts({
    ...{ instrument, mark: amount('0.0012'), bestBid: amount('0.0011'), bestAsk: amount('0.0012') },
    positions: [positionFixture({ quantity: '-505', entryPrice: '0.0012' })],
  });
  const largest = amount('505');
  const empty = ticket({ price: '0.0012', size: '', unit: 'value', ...reduce });
  const all = reduceContract(empty, { kind: 'percent', percent: 100 }, { ...facts, largest });
  expect(Number(coinsOf(all, { ...facts, largest }))).toBeGreaterThan(Number(largest));
  expect([names(all, facts), meansWhole(all, facts.setting)]).toEqual([[], true]);
  // The same figure, typed, is more than there is.
  expect(names({ ...all, percent: undefined }, facts)).toEqual(['close-too-large size']);
});

/** What the first error offers besides its sentence. */
function offered(state: ContractTicketState, facts: ContractFacts) {
  const summary = summariseContract(state, facts, undefined);
  const [error] = contractErrors(state, facts, { offer, summary });
  return {
    name: error?.name,
    leverage: error?.leverage,
    instead: error?.instead,
    cancels: error?.cancels?.length,
  };
}
const rich = { ...MARGIN, available: '90000', wallet: '90000' };
const STEPS: readonly LeverageTier[] = [
  ...TIERS.slice(0, 1).map((tier) => ({ ...tier, maxLeverage: 20 })),
  ...TIERS.slice(1).map((tier) => ({ ...tier, maxLeverage: 10 })),
];

test.each([
  ['fits at the next step of the table', ticket({ size: '6' }), 10],
  ['fits at none', ticket({ size: '14' }), undefined],
] as const)('an order that is too large for the table and %s', (_what, state, leverage) => {
  const error = offered(state, contractFacts({ margin: rich, tiers: STEPS }));
  expect(error).toEqual({ name: 'tier-exceeded', leverage, instead: 'largest', cancels: undefined });
});

test.each([
  ['some of it', '0.1', 'largest'],
  ['all of it', '0.5', undefined],
] as const)(
  'closing what closing orders already have, %s, offers to cancel them',
  (_what, quantity, instead) => {
    const orders = [contractOrder({ reduceOnly: true, quantity }), contractOrder({ reduceOnly: false })];
    const error = offered(ticket({ size: '0.5', ...reduce }), contractFacts({ positions: [short], orders }));
    expect(error).toEqual({ name: 'close-too-large', leverage: undefined, instead, cancels: 1 });
  },
);

test('too little money says what it costs, what there is and what is missing', () => {
  const state = ticket({ size: '2' });
  const facts = contractFacts();
  const [error] = contractErrors(state, facts, {
    offer,
    summary: summariseContract(state, facts, undefined),
  });
  expect(error?.values).toEqual({ cost: '6,000.00', available: '5,000.00', short: '1,000.00' });
});

const walk = { average: amount('61000'), slippageBp: 166, covered: amount('1') };
const NOW = 1_700_000_000_000;

test.each([
  ['nothing', ticket({ price: '59999' }), {}, {}, []],
  ['a limit far through the book', ticket({ price: '70000' }), {}, {}, ['through-book!']],
  ['a flip', ticket({ size: '0.7' }), { positions: [short] }, {}, ['flips!']],
  ['a reduction', ticket(), { positions: [short] }, {}, ['reduces']],
  ['slippage', ticket({ type: 2 }), {}, { walk }, ['slippage']],
  ...(
    [
      ['more than 5 % away', 18, []],
      ['nearer than 5 %', 19, ['near-liquidation']],
      ['more than 2 % away', 41, ['near-liquidation']],
      ['nearer than 2 %', 42, ['near-liquidation!']],
    ] as const
  ).map(
    ([where, leverageLong, found]) =>
      [
        `a liquidation ${where}`,
        ticket({ price: '59999' }),
        { setting: { ...isolated, leverageLong } },
        {},
        found,
      ] as const,
  ),
  ...(
    [
      ['in ten minutes, of five hundredths', 0.0005, 600_000, ['funding-soon']],
      ['a moment later than that', 0.0005, 600_001, []],
      ['of a little less', 0.000499, 600_000, []],
    ] as const
  ).map(
    ([when, rate, millis, found]) =>
      [
        `funding ${when}`,
        ticket({ price: '59999' }),
        {},
        { funding: { rate, at: NOW + millis } },
        found,
      ] as const,
  ),
  [
    'funding that a long will pay soon',
    ticket({ price: '59999' }),
    {},
    { funding: { rate: 0.001, at: NOW + 300_000 } },
    ['funding-soon'],
  ],
  [
    'funding that is far',
    ticket({ price: '59999' }),
    {},
    { funding: { rate: 0.001, at: NOW + 3_000_000 } },
    [],
  ],
  [
    'funding that a long receives',
    ticket({ price: '59999' }),
    {},
    { funding: { rate: -0.001, at: NOW + 300_000 } },
    [],
  ],
] as const)('a warning for %s', (...[, state, change, context, found]) => {
  const facts = contractFacts(change);
  const around = { walk: undefined, funding: undefined, now: NOW, ...context };
  const summary = summariseContract(state, facts, around.walk);
  const warnings = contractWarnings(state, facts, { ...around, summary });
  const modes = ['cross-pool', 'isolated-loss'];
  const shown = warnings.filter(({ name }) => !modes.includes(name));
  expect(shown.map(({ name, grave }) => `${name}${grave ? '!' : ''}`)).toEqual(found);
});

const alone = { ...SETTING, marginMode: 'isolated' as const };
const held = (change: Partial<PositionRow>) => positionFixture({ quantity: '0.5', ...change });

test.each<[string, Partial<ContractFacts>, readonly string[]]>([
  ['cross alone', {}, ['cross-pool 5,000.00 0']],
  ['cross with others', { positions: [held({ symbol: 'ETHUSDT' })] }, ['cross-pool 5,000.00 1']],
  [
    'cross beside isolated',
    { positions: [held({ symbol: 'A', marginMode: 'isolated' })] },
    ['cross-pool 5,000.00 0'],
  ],
  ['cross, the pool unknown', { margin: undefined }, []],
  ['isolated', { setting: alone }, ['isolated-loss 300.00']],
  [
    'isolated with margin behind it already',
    { setting: alone, positions: [held({ marginMode: 'isolated', isolatedMargin: '1503' })] },
    ['isolated-loss 1,803.00'],
  ],
  [
    'another mode than what is held',
    { setting: alone, positions: [held({})] },
    ['grows-otherwise isolated 20 cross 20', 'isolated-loss 300.00'],
  ],
  [
    'another leverage than what is held',
    { positions: [held({ leverage: 5 })] },
    ['grows-otherwise cross 20 cross 5', 'cross-pool 5,000.00 0'],
  ],
])('what stands behind what is opened: %s', (_what, change, found) => {
  const facts = contractFacts(change);
  const state = ticket({ price: '60000', size: '0.1' });
  const context = { walk: undefined, funding: undefined, now: NOW };
  const summary = summariseContract(state, facts, undefined);
  const shown = contractWarnings(state, facts, { ...context, summary }).filter(({ name }) =>
    ['grows-otherwise', 'cross-pool', 'isolated-loss'].includes(name),
  );
  expect(shown.map(({ name, values }) => [name, ...Object.values(values)].join(' '))).toEqual(found);
});

test('what only makes a position smaller says nothing of what stands behind', () => {
  const facts = contractFacts({ positions: [short] });
  const summary = summariseContract(ticket(), facts, undefined);
  const context = { walk: undefined, funding: undefined, now: NOW, summary };
  expect(contractWarnings(ticket(), facts, context).map(({ name }) => name)).toEqual(['reduces']);
});
