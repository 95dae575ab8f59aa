import { amount, formatAmount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { ContractRig } from './contract-rig.fixture.ts';

/** What the leverage dialog says of an isolated position: its margin stays, and only the fee of closing moves its end. */

test.each([
  // 30,000 − 3,000 over 0.5 (1 − 0.4 %), and at OKX with the fee and a tick.
  ['binance', 'BTCUSDT', 500, '3000', '54216.8674', '54216.8674'],
  ['okx', 'BTC-USDT-SWAP', 5_000, '3000', '54244.198', '54244.198'],
  // The fee of closing at the bankruptcy price: 14.85 of 27,000, at 20 times 15.675 of 28,500, over 0.5 (1 − 0.5 %).
  ['bybit', 'BTCUSDT', 500, '3014.85', '54271.4', '54273.1'],
] as const)('a higher leverage leaves the margin of a position at %s', async (...row) => {
  const [slug, symbol, lots, margin, before, after] = row;
  const rig = await ContractRig.open(slug);
  try {
    const alice = await rig.member('alice', '50000');
    const byOrder = slug === 'okx' ? ({ marginMode: 'ISOLATED' } as const) : {};
    if (slug !== 'okx') await rig.perps.setMarginMode(alice, symbol, 'ISOLATED');
    const set = (leverage: number) =>
      rig.perps.setLeverage(alice, symbol, { leverage, side: 'BOTH', ...byOrder });
    await set(10);
    await rig.trade(alice, symbol, { lots, at: 60_000, ...byOrder });
    const shown = () => {
      const [position] = rig.perps.positions(alice);
      return [position?.isolatedWallet, position?.liquidationPrice].map((value) =>
        formatAmount(value ?? amount('0')).slice(0, before.length),
      );
    };
    expect(shown()).toEqual([margin, before]);
    expect(await set(20)).toMatchObject({ ok: true });
    expect(shown()).toEqual([margin, after]);
  } finally {
    await rig.exchange.close();
  }
});
