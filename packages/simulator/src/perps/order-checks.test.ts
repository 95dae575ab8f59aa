import { type Lots, PLATFORMS } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccountNumber } from '../exchange.ts';
import type { NewPerpOrder } from '../perp-exchange.ts';
import { ContractRig } from './contract-rig.fixture.ts';

type Asked = Partial<NewPerpOrder> & { readonly at?: number };

describe.each(PLATFORMS.map(({ slug }) => slug))('an order on a contract of %s', (slug) => {
  const symbol = slug === 'okx' ? 'BTC-USDT-SWAP' : 'BTCUSDT';
  let rig: ContractRig;
  let alice: AccountNumber;
  beforeEach(async () => {
    rig = await ContractRig.open(slug);
    alice = await rig.member('alice', '1000000');
    rig.marks.set(symbol, 60_001.3);
  });
  afterEach(() => rig.exchange.close());

  const outcome = async (asked: Asked) => {
    const placed = await rig.place(alice, symbol, { quantity: 10 as Lots, ...asked });
    return typeof placed === 'string' ? placed : 'taken';
  };

  // The rig's band is five times the mark (300,006.5) and a fifth of it (12,000.26).
  test.each<readonly [string, Asked, Asked]>([
    ['that buys up to five times the mark', { at: 300_006.5 }, { at: 300_006.6 }],
    ['that buys from a fifth of the mark on', { at: 12_000.3 }, { at: 12_000.2 }],
    [
      'that sells up to five times the mark',
      { side: 'SELL', at: 300_006.5 },
      { side: 'SELL', at: 300_006.6 },
    ],
    [
      'that sells from a fifth of the mark on',
      { side: 'SELL', at: 12_000.3 },
      { side: 'SELL', at: 12_000.2 },
    ],
  ])('%s is taken, one step further it is refused', async (_, taken, refused) => {
    expect([await outcome(taken), await outcome(refused)]).toEqual(['taken', 'PRICE_BAND']);
  });

  test('of no lot, of more than may be, or worth too little is refused by its filter', async () => {
    // A lot is 0.001 coins; 0.01 contracts at OKX, which has no least value.
    const [most, mostAtMarket] = slug === 'okx' ? [1e8, 1e7] : [1e9, 1e8];
    const of = (lots: number, rest: Asked = { at: 59_000 }) => outcome({ ...rest, quantity: lots as Lots });
    expect([await of(0), await of(most + 1), await of(mostAtMarket + 1, {})]).toEqual([
      ...['LOT_SIZE', 'LOT_SIZE', 'MARKET_LOT_SIZE'],
    ]);
    rig.marks.set(symbol, 5_000);
    const little = slug === 'okx' ? 'taken' : 'NOTIONAL';
    expect([await of(1, { at: 4_999.9 }), await of(1, { at: 5_000 })]).toEqual([little, 'taken']);
  });
});
