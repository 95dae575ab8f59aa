import type { UserId } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { type AccountRef, accountKey, mayBeNegative } from './account.ts';

const user = 12 as UserId;

test.each<[AccountRef, string]>([
  [{ class: 'FUNDING', user, asset: 'USDT' }, 'FUNDING/12/USDT'],
  [{ class: 'TRADING', user, platform: 1, asset: 'BTC' }, 'TRADING/12/1/BTC'],
  [{ class: 'FUTURES', user, platform: 1, asset: 'USDT' }, 'FUTURES/12/1/USDT'],
  [{ class: 'EXTERNAL', counterparty: 'funding:2', asset: 'USDT' }, 'EXTERNAL/funding:2/USDT'],
  [{ class: 'IN_TRANSIT', platform: 2, asset: 'USDT' }, 'IN_TRANSIT/2/USDT'],
  [{ class: 'HOUSE_FEE', asset: 'USDT' }, 'HOUSE_FEE/USDT'],
  [{ class: 'ROUNDING', asset: 'USDT' }, 'ROUNDING/USDT'],
  [{ class: 'SUSPENSE', asset: '币安人生' }, 'SUSPENSE/币安人生'],
  [{ class: 'EXTERNAL', counterparty: 'venue:1', asset: 'USDT' }, 'EXTERNAL/venue:1/USDT'],
  [{ class: 'EXTERNAL', counterparty: 'chain', asset: '1000SATS' }, 'EXTERNAL/chain/1000SATS'],
])('%o has the key %s', (account, key) => {
  expect(accountKey(account)).toBe(key);
  expect(mayBeNegative(account)).toBe(account.class === 'EXTERNAL');
});

test.each(['', 'A/B', 'a b', '"', '{', 'x'.repeat(41)])('%j is no asset of an account', (asset) => {
  expect(() => accountKey({ class: 'FUNDING', user, asset })).toThrow('asset code');
});

test.each([0, -1, 1.5, Number.NaN])('%d is no member of an account', (id) => {
  expect(() => accountKey({ class: 'FUNDING', user: id as UserId, asset: 'USDT' })).toThrow('member id');
});
