import { amount, type UserId } from '@crossbook/domain';
import { expect, test } from 'vitest';
import type { AccountRef } from './account.ts';
import { holdId, transferId } from './identity.ts';
import { LedgerModel } from './ledger-model.ts';

const user = 1 as UserId;
const outside: AccountRef = { class: 'EXTERNAL', counterparty: 'venue:1', asset: 'USDT' };
const trading: AccountRef = { class: 'TRADING', user, platform: 1, asset: 'USDT' };
const fund = {
  do: 'post',
  id: transferId('fund'),
  from: outside,
  to: trading,
  amount: amount('10'),
  kind: 'test-funds',
} as const;
const hold = {
  do: 'hold',
  id: holdId('order'),
  account: trading,
  amount: amount('8'),
  kind: 'order-hold',
} as const;
const fill = {
  do: 'post-held',
  id: transferId('fill'),
  hold: hold.id,
  to: outside,
  amount: amount('3'),
  kind: 'fill',
} as const;

test('a hold reserves, a part of it pays, its release frees the rest, and the sum stays zero', async () => {
  const model = new LedgerModel();
  expect(model.apply({ commands: [fund, hold] })).toEqual({ ok: true, value: { replayed: false } });
  expect(await model.tradingBalances(user, 1)).toEqual([
    { asset: 'USDT', total: amount('10'), available: amount('2'), held: amount('8') },
  ]);
  model.apply({ commands: [fill] });
  expect(model.hold(hold.id)).toMatchObject({ paid: amount('3'), released: false });
  model.apply({ commands: [{ do: 'release', hold: hold.id }] });
  expect(model.balance(trading)).toEqual({ total: amount('7'), held: 0n, available: amount('7') });
  expect(model.balance(outside).total).toBe(amount('-7'));
});

test('a wallet is what one member has in one pocket of a platform, its assets in order, without what is nothing', async () => {
  const model = new LedgerModel();
  const into = (to: AccountRef, text: string) =>
    model.apply({
      commands: [
        {
          ...{ do: 'post', id: transferId('into', model.transfers.size), kind: 'test-funds' },
          ...{ from: { ...outside, asset: to.asset }, to, amount: amount(text) },
        },
      ],
    });
  for (const asset of ['ETH', 'USDT', 'BTC', 'SOL']) into({ ...trading, asset }, '2');
  into({ class: 'TRADING', user, platform: 2, asset: 'BTC' }, '3');
  into({ class: 'TRADING', user: 2 as UserId, platform: 1, asset: 'BTC' }, '4');
  into({ class: 'FUNDING', user, asset: 'BTC' }, '5');
  into({ class: 'FUTURES', user, platform: 1, asset: 'USDT' }, '6');
  const totals = (rows: readonly { readonly asset: string; readonly total: bigint }[]) =>
    rows.map(({ asset, total }) => [asset, total / 10n ** 18n]);
  expect(totals(await model.tradingBalances(user, 1))).toEqual([
    ['BTC', 2n],
    ['ETH', 2n],
    ['SOL', 2n],
    ['USDT', 2n],
  ]);
  expect(totals(await model.tradingBalances(user, 1, 'FUTURES'))).toEqual([['USDT', 6n]]);
  expect(totals(await model.tradingBalances(user, 2))).toEqual([['BTC', 3n]]);
  expect(totals(await model.tradingBalances(2 as UserId, 1))).toEqual([['BTC', 4n]]);
  expect(totals(await model.fundingBalances(user))).toEqual([['BTC', 5n]]);
});

test('a unit refused at its last command or row leaves every figure as it was', () => {
  const model = new LedgerModel((writes) => writes.length === 0);
  model.apply({ commands: [fund] });
  const before = structuredClone([...model.accounts]);
  const over = { ...fill, id: transferId('more'), amount: amount('9') };
  expect(model.apply({ commands: [hold, fill, over] })).toEqual({ ok: false, code: 'hold-exceeded' });
  expect(model.apply({ commands: [hold, fill], writes: [{ table: 'any', row: {} }] })).toEqual({
    ok: false,
    code: 'write-refused',
  });
  expect([...model.accounts]).toEqual(before);
  expect(model.hold(hold.id)).toBeUndefined();
  expect(model.transfers.size).toBe(1);
});

test('a unit sent again has no effect and says so; rows alone are always written', () => {
  let written = 0;
  const model = new LedgerModel((writes) => {
    written += writes.length;
    return true;
  });
  const unit = { commands: [fund], writes: [{ table: 'any', row: {} }] };
  model.apply(unit);
  expect(model.apply(unit)).toEqual({ ok: true, value: { replayed: true } });
  expect(written).toBe(1);
  model.apply({ commands: [], writes: [{ table: 'any', row: {} }] });
  expect(written).toBe(2);
});
