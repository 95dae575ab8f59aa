import type { SettingRow } from '@crossbook/contract';
import { amount, formatAmount, type Instrument, ORDER_TYPE, SIDE, TIME_IN_FORCE } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import {
  afterSending,
  type ContractEntryFacts,
  type ContractTicketAction,
  type ContractTicketState,
  coinsOf,
  contractPercent,
  effectOfOrder,
  emptyContractTicket,
  meansWhole,
  onlyCloses,
  onOtherContract,
  reduceContract,
  unitsOf,
} from './contract-ticket.ts';

const instrument: Instrument = {
  ...{ platform: 1, symbolType: 'SWAP', symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT' },
  ...{
    tickSize: amount('0.1'),
    lotSize: amount('0.001'),
    minPrice: amount('0.1'),
    maxPrice: amount('1000000'),
  },
  ...{
    minQty: amount('0.001'),
    maxQty: amount('1000'),
    maxMarketQty: amount('120'),
    minNotional: amount('5'),
  },
  ...{ contractValue: amount('1'), maxLeverage: 125, status: 'trading' },
};
const contracts: Instrument = {
  ...{
    ...instrument,
    platform: 2,
    symbol: 'BTC-USDT-SWAP',
    lotSize: amount('1'),
    contractValue: amount('0.01'),
  },
};
const setting: SettingRow = {
  ...{ exchange: 1, symbol: 'BTCUSDT', marginMode: 'cross', positionMode: 'one-way' },
  ...{ leverageLong: 20, leverageShort: 10, maxLeverage: 125 },
};
const hedge: SettingRow = { ...setting, positionMode: 'hedge' };
const facts: ContractEntryFacts = {
  ...{ instrument, setting, bestBid: amount('59999.9'), bestAsk: amount('60000') },
  largest: amount('2'),
};

function ticket(actions: readonly ContractTicketAction[], known = facts): ContractTicketState {
  const empty = emptyContractTicket({ orderKind: 1, timeInForce: 1, sizeUnit: 'coin' });
  return actions.reduce((state, action) => reduceContract(state, action, known), empty);
}
const price = (text: string): ContractTicketAction => ({ kind: 'write', field: 'price', text });
const size = (text: string): ContractTicketAction => ({ kind: 'write', field: 'size', text });
const unit = (to: ContractTicketState['unit']): ContractTicketAction => ({ kind: 'unit', unit: to });
const percent = (share: number): ContractTicketAction => ({ kind: 'percent', percent: share });
const coins = (state: ContractTicketState, known = facts) => {
  const found = coinsOf(state, known);
  return found === undefined ? undefined : formatAmount(found);
};

describe('a size', () => {
  test.each([
    ['coins', [price('60000'), size('0.1234')], '0.1234'],
    ['value, cut to the lot', [price('60000'), unit('value'), size('10000')], '0.166'],
    ['margin at 20x, cut to the lot', [price('60000'), unit('margin'), size('500')], '0.166'],
    [
      'value of a market order at the best ask',
      [{ kind: 'type', type: ORDER_TYPE.MARKET }, unit('value'), size('6000')],
      '0.1',
    ],
    ['value without a price', [unit('value'), size('6000')], undefined],
    ['nothing', [price('60000')], undefined],
    ['zero', [price('60000'), size('0.')], undefined],
  ] as const satisfies readonly (readonly [string, readonly ContractTicketAction[], string | undefined])[])(
    'in %s',
    (_name, actions, found) => expect(coins(ticket(actions))).toBe(found),
  );

  test('in contracts counts what the venue counts', () => {
    const known = { ...facts, instrument: contracts };
    expect(coins(ticket([unit('contracts'), size('5')], known), known)).toBe('0.05');
    expect([unitsOf(contracts), unitsOf(instrument)].map((units) => units.includes('contracts'))).toEqual([
      true,
      false,
    ]);
  });

  test.each(['value', 'margin', 'contracts'] as const)('in %s and back is the same order', (other) => {
    const known = { ...facts, instrument: other === 'contracts' ? contracts : instrument };
    const state = ticket([price('60000'), size('0.12')], known);
    const there = reduceContract(state, unit(other), known);
    expect(coins(there, known)).toBe('0.12');
    expect(Number(reduceContract(there, unit('coin'), known).size)).toBe(0.12);
  });

  test('that was typed is never changed: not by price, side, slider facts or mode', () => {
    const typed = ticket([size('0.12345')]);
    const after = [
      price('7'),
      { kind: 'side', side: SIDE.SELL },
      { kind: 'reduce-only', reduceOnly: true },
    ] as const;
    expect(after.reduce((state, action) => reduceContract(state, action, facts), typed).size).toBe('0.12345');
  });
});

describe('the slider', () => {
  test.each([
    ['shares out the largest size', [percent(25)], '0.500', 25],
    ['cuts to the lot', [percent(33)], '0.660', 33],
    ['is empty at nothing', [percent(0)], '', 0],
    ['shows the share of a typed size', [size('0.5')], '0.5', 25],
    ['shows all there is for more than that', [size('50')], '50', 100],
  ] as const satisfies readonly (readonly [string, readonly ContractTicketAction[], string, number])[])(
    '%s',
    (...[, actions, text, shown]) => {
      const state = ticket(actions);
      expect([state.size, contractPercent(state, facts)]).toEqual([text, shown]);
    },
  );

  test('keeps the whole as an intent, which falls with any later edit', () => {
    const all = ticket([{ kind: 'reduce-only', reduceOnly: true }, percent(100)]);
    expect(meansWhole(all, setting)).toBe(true);
    for (const edit of [size('0.5'), percent(99), { kind: 'side', side: SIDE.SELL }] as const) {
      expect(meansWhole(reduceContract(all, edit, facts), setting)).toBe(false);
    }
    expect(meansWhole(ticket([percent(100)]), setting)).toBe(false);
  });
});

describe('what the order is about', () => {
  test.each([
    ['one-way', setting, 'open', SIDE.BUY, 0],
    ['open long', hedge, 'open', SIDE.BUY, 1],
    ['open short', hedge, 'open', SIDE.SELL, 2],
    ['close long', hedge, 'close', SIDE.SELL, 1],
    ['close short', hedge, 'close', SIDE.BUY, 2],
  ] as const)('%s', (...[, known, tab, side, effect]) => {
    expect(effectOfOrder({ tab, side }, known)).toBe(effect);
    expect(onlyCloses({ tab, reduceOnly: false }, known)).toBe(tab === 'close');
  });

  test('reduce-only stands in one-way mode, and for nothing in hedge mode', () => {
    expect(onlyCloses({ tab: 'open', reduceOnly: true }, setting)).toBe(true);
    expect(onlyCloses({ tab: 'open', reduceOnly: true }, hedge)).toBe(false);
  });
});

test('BBO takes the other side, and the own side when only making; a price of the book makes it a limit', () => {
  const making = { kind: 'time-in-force', timeInForce: TIME_IN_FORCE.POST_ONLY } as const;
  expect(ticket([{ kind: 'best' }]).price).toBe('60000.0');
  expect(ticket([making, { kind: 'best' }]).price).toBe('59999.9');
  const picked = ticket([
    { kind: 'type', type: ORDER_TYPE.MARKET },
    { kind: 'pick-price', price: amount('61000') },
  ]);
  expect([picked.type, picked.price]).toEqual([ORDER_TYPE.LIMIT, '61000.0']);
});

test('once it was sent a ticket has no size and may open again; price, side and unit stay', () => {
  const full = ticket([price('60000'), size('0.5'), { kind: 'reduce-only', reduceOnly: true }, percent(50)]);
  expect(afterSending(full)).toEqual({ ...full, size: '', percent: undefined, reduceOnly: false });
});

test.each([
  ['another coin', 'coin', false, ''],
  ['the same coin elsewhere', 'coin', true, '0.5'],
  ['the same coin elsewhere, by value', 'value', true, '0.5'],
  ['the same coin where contracts are counted otherwise', 'contracts', true, ''],
] as const)('%s comes on screen: a size in %s', (_what, counted, sameCoin, left) => {
  const full = { ...ticket([price('60000'), size('0.5')]), unit: counted, reduceOnly: true };
  const next = onOtherContract(full, sameCoin, full.unit);
  expect([next.size, next.price, next.reduceOnly]).toEqual([left, '', false]);
});

test('where sizes are given in another unit the ticket follows, and its size is empty', () => {
  const full = ticket([price('60000'), size('0.5')]);
  expect(onOtherContract(full, true, 'value')).toMatchObject({ unit: 'value', size: '' });
  expect(onOtherContract(full, true, 'bushels')).toMatchObject({ unit: 'coin', size: '0.5' });
});
