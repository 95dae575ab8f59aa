import type { CurrencyRow } from '@crossbook/contract';
import {
  amount,
  type CurrencyTerms,
  type Instrument,
  type Platform,
  SHIPPED_CURRENCY,
  type SymbolType,
  shippedNetwork,
} from '@crossbook/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { coinFacts } from './coins.ts';
import { listCurrencies, listNetworks } from './currencies.ts';
import { Listing, querySymbolInfo } from './listing.ts';
import { instrument, ScriptedPublicVenue, settled } from './scripted-venue.fixture.ts';

const CLOSED = { deposits: false, withdrawals: false };
const FEES = { maker: amount('0'), taker: amount('0') };
let lists: Map<string, Listing>;
let offered: Map<string, CurrencyTerms>;
const listingOf = (platform: Platform, symbolType: SymbolType) => lists.get(`${platform} ${symbolType}`);

async function list(platform: Platform, symbolType: SymbolType, rows: readonly Instrument[]) {
  const venue = new ScriptedPublicVenue(undefined, platform);
  venue.instruments = async () => ({ ok: true, value: rows });
  const listing = new Listing(venue, venue.ports, { symbolType, fees: FEES });
  await listing.start();
  lists.set(`${platform} ${symbolType}`, listing);
  return { venue, listing };
}

beforeEach(() => {
  lists = new Map();
  offered = new Map();
});

const currencies = (asset?: string): readonly CurrencyRow[] => {
  const answer = listCurrencies(listingOf, offered, asset === undefined ? {} : { asset });
  return answer.ok ? answer.value : [];
};

describe('GetCurrencies', () => {
  test('names coins that are traded against USDT somewhere, where, and USDT itself, in their order', async () => {
    await list(1, 'SPOT', [instrument('BTCUSDT'), instrument('DOGEUSDT', { status: 'halted' })]);
    await list(2, 'SPOT', [instrument('BTC-USDT', { base: 'BTC' }), instrument('X-USDT', { base: 'XYZ9' })]);
    await list(3, 'SPOT', []);
    expect(currencies()).toEqual([
      { asset: 'BTC', name: 'Bitcoin', decimals: 8, ...CLOSED, platformTypes: [43, 41] },
      { asset: 'USDT', name: 'Tether', decimals: 6, ...CLOSED, platformTypes: [43, 41] },
      { asset: 'XYZ9', name: 'XYZ9', decimals: 8, ...CLOSED, platformTypes: [41] },
    ]);
    expect(currencies('XYZ9')).toHaveLength(1);
    expect(currencies('DOGE')).toEqual([]);
  });

  test('a perpetual alone makes no coin that a wallet could hold', async () => {
    await list(1, 'SPOT', [instrument('BTCUSDT')]);
    await list(1, 'SWAP', [instrument('1000PEPEUSDT', { symbolType: 'SWAP', base: '1000PEPE' })]);
    expect(currencies('1000PEPE')).toEqual([]);
  });

  test('stand in the order of the operator, called as he says, open where he has opened them, and without what he hides', async () => {
    await list(1, 'SPOT', [instrument('BTCUSDT'), instrument('ETHUSDT', { base: 'ETH' })]);
    await list(2, 'SPOT', [instrument('X-USDT', { base: 'XYZ9' })]);
    offered.set('XYZ9', { ...SHIPPED_CURRENCY, position: 1, name: 'The X', deposits: true });
    offered.set('ETH', { ...SHIPPED_CURRENCY, shown: false });
    expect(currencies().map(({ asset, name, deposits }) => [asset, name, deposits])).toEqual([
      ['XYZ9', 'The X', true],
      ['BTC', 'Bitcoin', false],
      ['USDT', 'Tether', false],
    ]);
    expect(currencies('ETH')).toEqual([]);
  });

  test('with every venue dead there is USDT, traded nowhere', () => {
    expect(currencies()).toEqual([
      { asset: 'USDT', name: 'Tether', decimals: 6, ...CLOSED, platformTypes: [] },
    ]);
  });

  test.each(['__proto__', 'constructor', 'toString', ''])(
    'the ticker %j is nothing but its own name',
    (asset) => {
      expect(coinFacts(asset)).toEqual({ name: asset, decimals: 8 });
    },
  );
});

describe('GetNetWorks', () => {
  const terms = { ...shippedNetwork('USDT', 'tron'), deposits: true, withdrawals: true, next: [] };
  const networks = async (asset?: string) => {
    const offer = { currencies: async () => offered, networks: async () => [terms] };
    const answer = await listNetworks(offer, asset === undefined ? {} : { asset });
    return answer.ok ? answer.value : [];
  };
  test('what is closed for a currency is closed on each of its networks, and one that is hidden has none', async () => {
    const row = {
      asset: 'USDT',
      network: 'tron',
      name: 'TRON (TRC20)',
      minimum: '10',
      fee: '1',
      memo: 'none',
    };
    expect(await networks()).toMatchObject([{ ...row, deposits: false, withdrawals: false }]);
    offered.set('USDT', { ...SHIPPED_CURRENCY, withdrawals: true });
    expect(await networks('USDT')).toMatchObject([{ ...row, deposits: false, withdrawals: true }]);
    expect(await networks('BTC')).toEqual([]);
    offered.set('USDT', { ...SHIPPED_CURRENCY, shown: false });
    expect(await networks()).toEqual([]);
  });
});

describe('a list of instruments', () => {
  test('finds by symbol and by coin; a coin that is halted cannot be traded', async () => {
    const halted = instrument('OLDUSDT', { status: 'halted' });
    const { listing } = await list(1, 'SPOT', [instrument('BTCUSDT'), halted]);
    expect([listing.find('OLDUSDT'), listing.ofBase('OLD')]).toEqual([halted, undefined]);
    expect(listing.ofBase('BTC')?.symbol).toBe('BTCUSDT');
    expect([listing.find('__proto__'), listing.ofBase('__proto__')]).toEqual([undefined, undefined]);
  });

  test('of two contracts of one coin the one that trades stands for it, whatever their order', async () => {
    const dead = instrument('BTCUSDT-OLD', { base: 'BTC', status: 'halted' });
    for (const rows of [
      [dead, instrument('BTCUSDT')],
      [instrument('BTCUSDT'), dead],
    ]) {
      const { listing } = await list(1, 'SPOT', rows);
      expect(listing.ofBase('BTC')?.symbol).toBe('BTCUSDT');
    }
  });

  test('is renewed every ten minutes; an empty or failed answer leaves the last good one', async () => {
    const { venue, listing } = await list(1, 'SPOT', [instrument('BTCUSDT')]);
    venue.instruments = async () => ({ ok: true, value: [] });
    venue.time.advance(600_000);
    await settled();
    expect(listing.all()).toHaveLength(1);
    venue.instruments = async () => ({ ok: true, value: [instrument('ETHUSDT')] });
    venue.time.advance(10_000);
    await settled();
    expect(listing.all().map(({ symbol }) => symbol)).toEqual(['ETHUSDT']);
    expect(listing.ofBase('BTC')).toBeUndefined();
  });
});

describe('QuerySymInfo over both types', () => {
  beforeEach(async () => {
    await list(2, 'SPOT', [instrument('BTC-USDT', { base: 'BTC' })]);
    await list(2, 'SWAP', [
      instrument('BTC-USDT-SWAP', { symbolType: 'SWAP', base: 'BTC', contractValue: amount('0.01') }),
      instrument('OLD-USDT-SWAP', { symbolType: 'SWAP', base: 'OLD', status: 'halted' }),
    ]);
  });
  test.each<[object, readonly string[]]>([
    [{ tstate: 0 }, ['BTC-USDT', 'BTC-USDT-SWAP', 'OLD-USDT-SWAP']],
    [{ tstate: 1 }, ['BTC-USDT', 'BTC-USDT-SWAP']],
    [{ tstate: 0, tinstType: 1 }, ['BTC-USDT']],
    [{ tstate: 1, tinstType: 2 }, ['BTC-USDT-SWAP']],
    [{ tstate: 0, tinstId: 'BTC-USDT-SWAP' }, ['BTC-USDT-SWAP']],
    [{ tstate: 0, platformType: 43 }, []],
  ])('%j gives %j', (part, symbols) => {
    const answer = querySymbolInfo(listingOf, { platformType: 41, tstate: 0, ...part });
    expect(answer.ok && answer.value.map(({ tinstId }) => tinstId)).toEqual(symbols);
  });

  test.each<[Platform, 41 | 43]>([
    [1, 43],
    [2, 41],
  ])('a halted contract of platform %i says so in its state, by which pages leave it out', async (...row) => {
    const [platform, platformType] = row;
    await list(platform, 'SWAP', [
      instrument('BTC-USDT-SWAP', { symbolType: 'SWAP', base: 'BTC' }),
      instrument('OLD-USDT-SWAP', { symbolType: 'SWAP', base: 'OLD', status: 'halted' }),
    ]);
    const answer = querySymbolInfo(listingOf, { platformType, tstate: 0, tinstType: 2 });
    expect(answer.ok && answer.value.map(({ tinstId, tstate }) => [tinstId, tstate])).toEqual([
      ['BTC-USDT-SWAP', 1],
      ['OLD-USDT-SWAP', 0],
    ]);
  });

  test('a perpetual carries its type and what a contract holds', () => {
    const answer = querySymbolInfo(listingOf, { platformType: 41, tstate: 1, tinstType: 2 });
    expect(answer).toMatchObject({ value: [{ tinstType: 2, tctVal: '0.01', tinstFamily: 'BTC-USDT' }] });
  });
});
