import '../../../../i18n/trade-words.ts';
import type { Platform } from '@crossbook/domain';
import { amount } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { expect, test, vi } from 'vitest';
import {
  CONTRACT,
  contractFacts,
  contractOrder,
  SETTING,
} from '../../../../calculators/contracts/contract.fixture.ts';
import { positionFixture } from '../../../../calculators/contracts/position.fixture.ts';
import { algosStore } from '../../../../stores/algos/algos.ts';
import { ordersStore } from '../../../../stores/trading/orders.ts';
import { drawnBy } from '../../../../ui/drawn.fixture.ts';
import { Blockers } from './Blockers.tsx';
import { PositionModeDialog } from './PositionModeDialog.tsx';
import { ChoiceCard } from './SettingDialog.tsx';

// A dialog finds the place of toasts in the page; nothing is ever put there here.
vi.hoisted(() => {
  const document = { createElement: () => ({}), body: { append: () => undefined } };
  Object.assign(globalThis, { document });
});

const FEES = { makerFee: amount('0.0002'), takerFee: amount('0.0005'), family: 'BTC-USDT' };
type Open = {
  readonly orders?: readonly string[];
  readonly positions?: readonly string[];
  /** Orders that wait for a price, and legs that the hub keeps until their order is filled. */
  readonly waits?: readonly string[];
  readonly kept?: readonly string[];
};

/** The dialog of BTCUSDT once hedge was chosen: what prevents that, whether it can be sent, and whom it concerns. */
function dialog(platform: Platform, { orders = [], positions = [], waits = [], kept = [] }: Open) {
  const rows = orders.map((symbol, index) =>
    contractOrder({ exchange: platform, symbol, orderId: `o${index}` }),
  );
  const pair = { ...contractOrder({ exchange: platform, orderId: 'pair' }), symbolType: 'SPOT' as const };
  const elsewhere = contractOrder({ exchange: platform === 1 ? 2 : 1, orderId: 'elsewhere' });
  // What is written without a page sees a store as it began.
  const open = new Map([...rows, pair, elsewhere].map((row) => [row.orderId, row]));
  Object.assign(ordersStore.getInitialState(), { open });
  const algos = [...waits, ...kept].map((symbol, index) => ({
    ...{ exchange: platform, symbolType: 'SWAP', symbol, algoId: `a${index}`, side: 2, effect: 0 },
    ...{ algoType: 'stop', quantity: '1', placed: index < waits.length },
  }));
  const ofPair = { ...algos[0], exchange: platform, symbolType: 'SPOT', algoId: 'pair', placed: true };
  Object.assign(algosStore.getInitialState(), {
    open: new Map([...algos, ofPair].map((row) => [row.algoId, row])),
  });
  const held = positions.map((symbol, index) =>
    positionFixture({ exchange: platform, symbol, positionId: `p${index}` }),
  );
  const facts = contractFacts({ instrument: { ...CONTRACT, ...FEES, platform }, positions: held });
  const setting = { ...SETTING, exchange: platform };
  const { html, drawn } = drawnBy(
    PositionModeDialog,
    { facts, setting, onClose: () => undefined },
    {
      within: (child) => createElement(I18nProvider, { i18n } as never, child),
      press: (all) => {
        const [, hedge] = all.filter(({ type }) => type === ChoiceCard).map(({ props }) => props.onChoose);
        (hedge as () => void)();
      },
    },
  );
  const [blocking] = drawn.filter(({ type }) => type === Blockers).map(({ props }) => props);
  const named = (list: unknown) =>
    (list as readonly { readonly symbol: string }[]).map(({ symbol }) => symbol);
  return {
    ready: drawn[0]?.props.ready,
    prevents: [...named(blocking?.orders), ...named(blocking?.algos), ...named(blocking?.positions)],
    pictures: html.match(/aria-hidden="true" class="mt-1/g)?.length,
  };
}

const BOTH: Open = { orders: ['ETHUSDT'], positions: ['ETHUSDT'] };

test.each<[string, Platform, Open, boolean, readonly string[]]>([
  ['Binance, the whole account', 1, BOTH, false, ['ETHUSDT', 'ETHUSDT']],
  ['OKX, the whole account', 2, BOTH, false, ['ETHUSDT', 'ETHUSDT']],
  ['Bybit, another contract', 3, BOTH, true, []],
  ['Bybit, this contract', 3, { orders: ['BTCUSDT'], positions: ['BTCUSDT'] }, false, ['BTCUSDT', 'BTCUSDT']],
  ['Bybit, an order of this contract', 3, { orders: ['BTCUSDT', 'ETHUSDT'] }, false, ['BTCUSDT']],
  ['Binance, a stop of another contract', 1, { waits: ['ETHUSDT'] }, false, ['ETHUSDT']],
  ['OKX, a stop of another contract', 2, { waits: ['ETHUSDT'] }, false, ['ETHUSDT']],
  ['Bybit, stops of both', 3, { waits: ['BTCUSDT', 'ETHUSDT'] }, false, ['BTCUSDT']],
  ['a leg that is not at the exchange yet', 1, { kept: ['BTCUSDT'] }, true, []],
  ['nothing but pairs, and orders of another exchange', 1, {}, true, []],
])('what stands in the way of another position mode: %s', (_, ...[platform, open, ready, prevents]) => {
  expect(dialog(platform, open)).toEqual({ ready, prevents, pictures: 2 });
});
