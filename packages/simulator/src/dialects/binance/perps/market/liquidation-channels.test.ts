import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { amount, type Lots, type Millis } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { RECORDINGS_DIR } from '../../../../../../../tests/recordings.ts';
import type { PerpLiquidation } from '../../../../perp-exchange.ts';
import { rigContract } from '../../../../perps/contract-rig.fixture.ts';
import { FormatBook } from '../../../wire/format.ts';
import type { FuturesDesk } from '../desk.ts';
import { contractFormat } from '../format.ts';
import { LiquidationTape } from '../liquidation-tape.ts';
import { liquidationChannel } from './liquidation-channels.ts';

const AT = 1_800_000_000_000 as Millis;
const RECORDINGS = join(RECORDINGS_DIR, 'nautilus/binance/futures');

/** What a channel is opened with, and its tape. */
function desk(): Pick<FuturesDesk, 'format' | 'liquidations'> {
  const contracts = ['BTC', 'ETH'].map((coin) => rigContract('binance', coin));
  const listed = new Map(contracts.map((contract) => [contract.symbol, contract]));
  return { format: new FormatBook(listed, contractFormat), liquidations: new LiquidationTape() };
}

function liquidation(symbol: string, quantity: number): PerpLiquidation {
  const prices = { price: amount('57000'), averagePrice: amount('57012.5') };
  return { symbol, side: 'SELL', ...prices, quantity: quantity as Lots, time: AT };
}

test('the newest liquidation of each contract since the last message is told, in the documented shape', () => {
  const { format, liquidations } = desk();
  liquidations.note(liquidation('BTCUSDT', 1));
  const all = liquidationChannel({ format, liquidations });
  const one = liquidationChannel({ format, liquidations }, 'ETHUSDT');
  expect(all.flush(AT)).toEqual([]);
  for (const quantity of [2, 3]) liquidations.note(liquidation('BTCUSDT', quantity));
  liquidations.note(liquidation('ETHUSDT', 4));
  const sent = all.flush(AT).map((text) => JSON.parse(text));
  expect(sent.map(({ o }) => [o.s, o.q])).toEqual([
    ['BTCUSDT', '0.003'],
    ['ETHUSDT', '0.004'],
  ]);
  expect(sent[0]).toEqual({
    ...{ e: 'forceOrder', E: AT },
    o: {
      ...{ s: 'BTCUSDT', S: 'SELL', o: 'LIMIT', f: 'IOC', q: '0.003', p: '57000', ap: '57012.5' },
      ...{ X: 'FILLED', l: '0.003', z: '0.003', T: AT },
    },
  });
  expect(one.flush(AT).length).toBe(1);
  expect(all.flush(AT)).toEqual([]);
});

test.skipIf(!existsSync(RECORDINGS))('a recorded liquidation has the same fields', () => {
  const { format, liquidations } = desk();
  const channel = liquidationChannel({ format, liquidations });
  liquidations.note(liquidation('BTCUSDT', 1));
  const ours = JSON.parse(channel.flush(AT)[0] ?? '{}');
  const file = `${RECORDINGS}/market_data_json/liquidation_stream.json`;
  const theirs = JSON.parse(readFileSync(file, 'utf8'));
  expect(Object.keys(ours.o).sort()).toEqual(Object.keys(theirs.o).sort());
});
