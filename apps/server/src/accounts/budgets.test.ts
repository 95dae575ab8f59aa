import { expect, test } from 'vitest';
import { networkOf } from './budgets.ts';

test('as a site an IPv6 address counts by its /48', () => {
  expect(networkOf('2001:db8:1:2::6', 48)).toBe('2001:db8:1::/48');
  expect(networkOf('203.0.113.7', 48)).toBe('203.0.113.7');
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::6', '2001:db8:1:2::/64'],
  ['2001:DB8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('the address %s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
