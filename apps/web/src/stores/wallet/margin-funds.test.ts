import type { BalanceRow } from '@crossbook/contract';
import { amount, formatAmount } from '@crossbook/domain';
import { afterEach, expect, test, vi } from 'vitest';
import type { BalancesState } from './balances.ts';
import { availableForContracts, marginSources, moveToMargin } from './margin-funds.ts';

afterEach(() => vi.unstubAllGlobals());

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

test.each([
  ['from the other pocket of Binance', 43, 'spot', { direction: '3', tinstType: null }],
  ['from funding into the futures pocket of Binance', 43, 'funding', { direction: '1', tinstType: '2' }],
  ['from funding to OKX, which has one pocket', 41, 'funding', { direction: '1', tinstType: null }],
] as const)('missing margin is moved %s in one call', async (_name, platformType, source, sent) => {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (!url.endsWith('UniversalTransfer')) return new Response('', { status: 503 });
    asked.push(new URLSearchParams(String(init.body)));
    return Response.json({ code: 4003, msg: 'too little', data: null });
  });
  expect(await moveToMargin(platformType, source, { asset: 'USDT', amount: amount('115.7') })).toBe(false);
  expect(asked).toHaveLength(1);
  const field = (name: string) => asked[0]?.get(name) ?? null;
  expect({ direction: field('direction'), tinstType: field('tinstType') }).toEqual(sent);
  expect([field('platformType'), field('asset'), field('amount')]).toEqual([
    String(platformType),
    'USDT',
    '115.7',
  ]);
});
