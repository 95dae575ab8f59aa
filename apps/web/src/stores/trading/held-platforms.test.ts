import type { BalanceRow, BootConfig, OrderRow } from '@crossbook/contract';
import { ORDER_STATUS } from '@crossbook/domain';
import { beforeEach, expect, test } from 'vitest';
import { bootStore } from '../app/boot.ts';
import { balancesStore, forgetBalances } from '../wallet/balances.ts';
import { comingSoonPlatforms, holdsAnything } from './held-platforms.ts';
import { applyOrder, forgetOrders, ordersStore } from './orders.ts';

const BYBIT = 3;
const BYBIT_WALLET = 42;
const BINANCE_WALLET = 43;

const row = (asset: string, total: string, locked = '0'): BalanceRow =>
  ({ asset, total, available: total, locked }) as BalanceRow;

const order = (exchange: 1 | 2 | 3, status: number, updatedAt: number): OrderRow =>
  ({
    orderId: `of ${exchange}`,
    exchange,
    symbol: 'BTCUSDT',
    cumQuantity: '0',
    status,
    updatedAt,
  }) as OrderRow;

const held = () => holdsAnything(BYBIT, balancesStore.getState(), ordersStore.getState());

beforeEach(() => {
  forgetBalances();
  forgetOrders();
});

test('platforms that are coming soon are those the hub can trade at but does not yet', () => {
  const platforms = [
    { platform: 1, state: 'live', symbolTypes: ['SPOT'] },
    { platform: 2, state: 'coming-soon', symbolTypes: [] },
    { platform: 3, state: 'coming-soon', symbolTypes: ['SPOT'] },
  ];
  bootStore.setState({ status: 'ready', config: { platforms } as unknown as BootConfig }, true);
  expect(comingSoonPlatforms()).toEqual([BYBIT]);
});

test.each([
  ['a wallet not read yet is out of view', undefined, false],
  ['a wallet being read is out of view', { status: 'loading', rows: [] }, false],
  ['an empty wallet is out of view', { status: 'ready', rows: [] }, false],
  [
    'a wallet of zeros is out of view',
    { status: 'ready', rows: [row('USDT', '0.00'), row('BTC', '0')] },
    false,
  ],
  ['the smallest unit is in view', { status: 'ready', rows: [row('USDT', '0.000000000000000001')] }, true],
  ['funds that an order holds are in view', { status: 'ready', rows: [row('USDT', '5', '5')] }, true],
  [
    'what was read stays in view while it is read again',
    { status: 'loading', rows: [row('BTC', '1')] },
    true,
  ],
  ['a wallet that could not be read is in view', { status: 'failed', rows: [] }, true],
] as const)('%s', (_name, wallet, expected) => {
  const other = { status: 'ready', rows: [row('USDT', '100')] } as const;
  balancesStore.setState({
    wallets: { [BINANCE_WALLET]: other, funding: other, ...(wallet && { [BYBIT_WALLET]: wallet }) },
  });
  expect(held()).toBe(expected);
});

test('an open order keeps its platform in view until it is finished; those of others do not', () => {
  applyOrder(order(1, ORDER_STATUS.OPEN, 1));
  expect(held()).toBe(false);
  applyOrder(order(BYBIT, ORDER_STATUS.OPEN, 1));
  expect(held()).toBe(true);
  applyOrder(order(BYBIT, ORDER_STATUS.CANCELLED, 2));
  expect(held()).toBe(false);
  ordersStore.setState({ status: { [BYBIT]: 'failed' } });
  expect(held()).toBe(true);
});
