import type { Lots } from '@crossbook/domain';
import { afterEach, expect, test } from 'vitest';
import type { AccountNumber } from '../exchange.ts';
import type { NewPerpOrder } from '../perp-exchange.ts';
import { ContractRig } from './contract-rig.fixture.ts';

/** Resting orders that only close a position are never filled beyond it, whoever takes them. */

const BTC = 'BTCUSDT';
let rig: ContractRig;
afterEach(() => rig.exchange.close());

async function send(account: AccountNumber, part: Partial<NewPerpOrder> & { at: number }): Promise<void> {
  expect(await rig.perps.placePerp(rig.order(account, BTC, part))).toMatchObject({ ok: true });
}

test.each<[NewPerpOrder['selfTradePrevention'], string, readonly string[]]>([
  ['EXPIRE_MAKER', 'goes, and the second that closes has nothing left to close', []],
  ['EXPIRE_TAKER', 'ends it before the second that closes', []],
])(
  'of two that close a leg one fills; with %s the taker’s own order on the way %s',
  async (how, _what, left) => {
    rig = await ContractRig.open('binance');
    const [alice, bob] = [await rig.member('alice', '50000'), await rig.member('bob', '50000')];
    await rig.perps.setPositionMode(alice, undefined, 'HEDGE');
    await rig.trade(alice, BTC, { lots: 100, at: 60_000, positionSide: 'LONG' });
    rig.clearHouse(BTC);
    const closes = { side: 'SELL', positionSide: 'LONG', quantity: 100 as Lots } as const;
    await send(alice, { ...closes, at: 60_010 });
    await send(bob, { side: 'SELL', quantity: 100 as Lots, at: 60_020 });
    await send(alice, { ...closes, at: 60_030 });
    await send(bob, { quantity: 200 as Lots, at: 60_040, selfTradePrevention: how });
    expect(rig.perps.positions(alice)).toEqual([]);
    expect(rig.perps.positions(bob).map(({ quantity }) => quantity)).toEqual([100]);
    expect(rig.perps.openPerpOrders(alice).map(({ clientId }) => clientId)).toEqual(left);
  },
);
