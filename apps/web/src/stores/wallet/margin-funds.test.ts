import type { BalanceRow } from '@crossbook/contract';
import { formatAmount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import type { BalancesState } from './balances.ts';
import { availableForContracts, marginSources } from './margin-funds.ts';

const row = (available: string, pocket?: 'spot' | 'futures'): BalanceRow => ({
  ...{ asset: 'USDT', total: available, available, locked: '0' },
  ...(pocket === undefined ? {} : { pocket }),
});
const state = (trading: readonly BalanceRow[], platformType: 43 | 41): BalancesState => ({
  wallets: {
    [platformType]: { status: 'ready', rows: trading },
    funding: { status: 'ready', rows: [row('7')] },
  },
});
const TWO = state([row('5', 'spot'), row('3', 'futures')], 43);
const ONE = state([row('5')], 41);

test.each([
  ['two pockets: the futures one', TWO, 43, '3'],
  ['one pocket: that one', ONE, 41, '5'],
] as const)('contracts take from %s', (_name, balances, platformType, available) => {
  expect(formatAmount(availableForContracts(balances, platformType, 'USDT'))).toBe(available);
});

test.each([
  ['the other pocket first, then funding', TWO, 43, ['spot 5', 'funding 7']],
  ['funding alone, where one pocket serves both', ONE, 41, ['funding 7']],
] as const)('missing margin comes from %s', (_name, balances, platformType, sources) => {
  const found = marginSources(balances, platformType, 'USDT');
  expect(found.map(({ source, available }) => `${source} ${formatAmount(available)}`)).toEqual(sources);
});
