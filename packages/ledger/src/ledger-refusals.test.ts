import { AMOUNT_MAX, type Amount, amount, type UserId } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { type AccountRef, accountKey } from './account.ts';
import type { LedgerCommand, LedgerRefusal } from './command.ts';
import { holdId, transferId } from './identity.ts';
import { LedgerModel } from './ledger-model.ts';

const user = 1 as UserId;
const venue: AccountRef = { class: 'EXTERNAL', counterparty: 'venue:1', asset: 'USDT' };
const trading: AccountRef = { class: 'TRADING', user, platform: 1, asset: 'USDT' };
const funding: AccountRef = { class: 'FUNDING', user, asset: 'USDT' };
const funded = {
  do: 'post',
  id: transferId('funded'),
  from: venue,
  to: trading,
  amount: amount('10'),
  kind: 'test-funds',
} as const;
const held = {
  do: 'hold',
  id: holdId('held'),
  account: trading,
  amount: amount('8'),
  kind: 'order-hold',
} as const;
const paid = {
  do: 'post-held',
  id: transferId('paid'),
  hold: held.id,
  to: venue,
  amount: amount('3'),
  kind: 'fill',
} as const;
const released = { do: 'release', hold: held.id } as const;

/** A ledger in which ten came in, eight are held and three of them paid. */
function opened(): LedgerModel {
  const model = new LedgerModel();
  expect(model.apply({ commands: [funded, held, paid] }).ok).toBe(true);
  return model;
}

function state(model: LedgerModel): unknown {
  return structuredClone([[...model.accounts], [...model.holds], [...model.transfers]]);
}

describe('a unit is refused whole', () => {
  const other = (change: object): LedgerCommand => ({ ...funded, id: transferId('other'), ...change });
  const otherHold = (change: object): LedgerCommand => ({ ...held, id: holdId('other'), ...change });
  const otherPay = (change: object): LedgerCommand => ({ ...paid, id: transferId('other'), ...change });

  test.each<[string, readonly LedgerCommand[], LedgerRefusal]>([
    ['more than is free', [other({ from: trading, to: venue, amount: amount('2.1') })], 'insufficient-funds'],
    ['held money', [other({ from: trading, to: funding, amount: amount('7') })], 'insufficient-funds'],
    ['an empty wallet', [other({ from: funding, to: trading, amount: 1n as Amount })], 'insufficient-funds'],
    ['a hold of more than is free', [otherHold({ amount: amount('2.1') })], 'insufficient-funds'],
    ['a hold on nothing', [otherHold({ account: funding, amount: 1n as Amount })], 'insufficient-funds'],
    ['a movement into another asset', [other({ to: { ...trading, asset: 'BTC' } })], 'asset-mismatch'],
    ['a payment into another asset', [otherPay({ to: { ...venue, asset: 'BTC' } })], 'asset-mismatch'],
    [
      'one unit more than the hold has left',
      [otherPay({ amount: amount('5.000000000000000001') })],
      'hold-exceeded',
    ],
    ['a hold nobody made', [otherPay({ hold: holdId('nobody') })], 'unknown-hold'],
    ['releasing a hold nobody made', [{ do: 'release', hold: holdId('nobody') }], 'unknown-hold'],
    ['paying after the release', [released, otherPay({})], 'hold-resolved'],
    ['a movement id with another amount', [{ ...funded, amount: amount('11') }], 'id-reused'],
    ['a movement id from elsewhere', [{ ...funded, from: { ...venue, counterparty: 'chain' } }], 'id-reused'],
    ['a movement id to elsewhere', [{ ...funded, to: funding }], 'id-reused'],
    ['a movement id of another kind', [{ ...funded, kind: 'correction' }], 'id-reused'],
    ['a movement id that a payment had', [{ ...funded, id: paid.id }], 'id-reused'],
    ['a payment id with another amount', [{ ...paid, amount: amount('2') }], 'id-reused'],
    ['a payment id to elsewhere', [{ ...paid, to: funding }], 'id-reused'],
    ['a payment id of another kind', [{ ...paid, kind: 'trade-fee' }], 'id-reused'],
    [
      'a payment id of another hold',
      [otherHold({ amount: amount('1') }), { ...paid, hold: holdId('other') }],
      'id-reused',
    ],
    ['a hold id with another amount', [{ ...held, amount: amount('1') }], 'id-reused'],
    ['a hold id on another account', [{ ...held, account: funding }], 'id-reused'],
    ['a hold id of another kind', [{ ...held, kind: 'transfer-hold' }], 'id-reused'],
    ['a balance too large to write', [other({ amount: AMOUNT_MAX })], 'balance-out-of-range'],
    ['a debt too large to write', [other({ to: funding, amount: AMOUNT_MAX })], 'balance-out-of-range'],
    [
      'a hold too large to write',
      [
        otherHold({ account: venue, amount: AMOUNT_MAX }),
        { ...otherHold({ account: venue }), id: holdId('third') } as LedgerCommand,
      ],
      'balance-out-of-range',
    ],
  ])('%s', (_name, commands, code) => {
    const model = opened();
    const first = { ...funded, id: transferId('first'), to: { ...funding, user: 2 as UserId } };
    expect(model.apply({ commands: [first, ...commands] })).toEqual({ ok: false, code });
    expect(model.balance(trading).total).toBe(amount('7'));
    expect(model.balance(trading).held).toBe(amount('5'));
    expect(model.balance(funding).total).toBe(0n);
    expect(model.transfers.size).toBe(2);
    expect(model.holds.size).toBe(1);
    expect(model.hold(held.id)).toMatchObject({ paid: amount('3'), released: false });
  });
});

test.each<[string, LedgerCommand]>([
  ['all that is free', { ...funded, id: transferId('all'), from: trading, to: funding, amount: amount('2') }],
  ['a hold of all that is free', { ...held, id: holdId('all'), amount: amount('2') }],
  ['all that a hold has left', { ...paid, id: transferId('all'), amount: amount('5') }],
  ['a debt of what lies outside', { ...funded, id: transferId('all'), amount: amount('1000000') }],
])('%s may be moved', (_name, command) => {
  expect(opened().apply({ commands: [command] })).toEqual({ ok: true, value: { replayed: false } });
});

test.each<[string, LedgerCommand]>([
  ['a movement', funded],
  ['a hold', held],
  ['a payment', paid],
])('%s sent again has no effect, also after the hold has ended', (_name, command) => {
  const model = opened();
  for (const before of [[], [released]]) {
    model.apply({ commands: before });
    const values = state(model);
    expect(model.apply({ commands: [command] })).toEqual({ ok: true, value: { replayed: true } });
    expect(state(model)).toEqual(values);
  }
});

test('a release frees what is left, once', () => {
  const model = opened();
  expect(model.apply({ commands: [released] })).toEqual({ ok: true, value: { replayed: false } });
  expect(model.balance(trading)).toEqual({ total: amount('7'), held: 0n, available: amount('7') });
  expect(model.apply({ commands: [released] })).toEqual({ ok: true, value: { replayed: true } });
  expect(model.balance(trading).held).toBe(0n);
  expect(model.hold(held.id)).toEqual({
    account: 'TRADING/1/1/USDT',
    amount: amount('8'),
    paid: amount('3'),
    released: true,
  });
});

test('a release and a payment in a refused unit stand again as they were', () => {
  const model = opened();
  const more = { ...paid, id: transferId('more'), amount: amount('1') };
  model.apply({ commands: [more, released, { ...funded, amount: amount('11') }] });
  expect(model.hold(held.id)).toMatchObject({ paid: amount('3'), released: false });
  expect(model.balance(trading)).toEqual({ total: amount('7'), held: amount('5'), available: amount('2') });
  expect(model.balance(venue).total).toBe(amount('-7'));
  expect(model.apply({ commands: [more] })).toEqual({ ok: true, value: { replayed: false } });
});

test('a part of a unit that is new is told from a whole that is not', () => {
  const model = opened();
  const fresh = { ...funded, id: transferId('fresh'), amount: 1n as Amount };
  expect(model.apply({ commands: [funded, fresh] })).toEqual({ ok: true, value: { replayed: false } });
  expect(model.apply({ commands: [funded, fresh] })).toEqual({ ok: true, value: { replayed: true } });
});

test('the largest figure that can be written may be owned, owed and held, and one unit more may not', () => {
  const model = new LedgerModel();
  const most = { ...funded, amount: AMOUNT_MAX };
  const unit = 1n as Amount;
  expect(model.apply({ commands: [most] }).ok).toBe(true);
  expect(model.apply({ commands: [{ ...held, amount: AMOUNT_MAX }] }).ok).toBe(true);
  expect(model.balance(venue).total).toBe(-AMOUNT_MAX);
  const chain = { ...venue, counterparty: 'chain' } as const;
  const beyond: readonly LedgerCommand[] = [
    { ...funded, id: transferId('owed'), to: funding, amount: unit },
    { ...funded, id: transferId('owned'), from: chain, amount: unit },
  ];
  for (const command of beyond) {
    expect(model.apply({ commands: [command] })).toEqual({ ok: false, code: 'balance-out-of-range' });
  }
});

test('wallets show their own assets in order, and none that is empty', async () => {
  const model = opened();
  const post = (to: AccountRef, units: string): LedgerCommand => ({
    ...{ do: 'post', id: transferId(accountKey(to), units), kind: 'test-funds', amount: amount(units) },
    from: { ...venue, asset: to.asset },
    to,
  });
  const eth = { ...trading, asset: 'ETH' } as const;
  const stranger = 2 as UserId;
  model.apply({
    commands: [
      post(eth, '1'),
      { ...funded, id: transferId('back'), from: eth, to: { ...venue, asset: 'ETH' }, amount: amount('1') },
      post({ ...trading, asset: 'BTC' }, '2'),
      post({ ...trading, platform: 2 }, '3'),
      post({ ...trading, user: stranger }, '4'),
      post(funding, '5'),
      post({ ...funding, asset: 'BTC' }, '6'),
      post({ ...funding, user: stranger }, '7'),
    ],
  });
  const free = (asset: string, units: string) => ({
    ...{ asset, total: amount(units), available: amount(units), held: 0n },
  });
  expect(await model.tradingBalances(user, 1)).toEqual([
    free('BTC', '2'),
    { asset: 'USDT', total: amount('7'), available: amount('2'), held: amount('5') },
  ]);
  expect(await model.tradingBalances(user, 2)).toEqual([free('USDT', '3')]);
  expect(await model.fundingBalances(user)).toEqual([free('BTC', '6'), free('USDT', '5')]);
  expect(await model.commit({ commands: [funded] })).toEqual({ ok: true, value: { replayed: true } });
});
