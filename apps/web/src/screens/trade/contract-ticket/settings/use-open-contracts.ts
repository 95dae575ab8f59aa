import type { AlgoRow, OrderRow } from '@crossbook/contract';
import { useStore } from 'zustand';
import { algosStore } from '../../../../stores/algos/algos.ts';
import type { MarketName } from '../../../../stores/market/market.ts';
import { ordersStore } from '../../../../stores/trading/orders.ts';

/**
 * Orders of contracts that a change of mode meets at the exchange: those of the book, and those that wait for a price. What the hub
 * keeps until its order is filled is not there yet.
 * @param reach how far the change goes.
 */
export function useOpenContracts(
  { platform, symbol }: MarketName,
  reach: 'account' | 'symbol',
): { readonly orders: readonly OrderRow[]; readonly algos: readonly AlgoRow[] } {
  const orders = useStore(ordersStore, (state) => state.open);
  const algos = useStore(algosStore, (state) => state.open);
  const concerned = (row: OrderRow | AlgoRow) =>
    row.exchange === platform && row.symbolType === 'SWAP' && (reach === 'account' || row.symbol === symbol);
  return {
    orders: [...orders.values()].filter(concerned),
    algos: [...algos.values()].filter((row) => concerned(row) && row.placed),
  };
}
