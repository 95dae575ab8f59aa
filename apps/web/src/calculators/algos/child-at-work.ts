import type { AlgoRow, OrderRow } from '@crossbook/contract';

/** The order that one that has fired became, while it is open and its size is known: how much of it is done is told. */
export function childAtWork(
  { state, children }: Pick<AlgoRow, 'state' | 'children'>,
  open: ReadonlyMap<string, OrderRow>,
): OrderRow | undefined {
  if (state !== 'fired') return undefined;
  const child = children.map(({ orderId }) => open.get(orderId)).find((order) => order !== undefined);
  return child?.quantity === null ? undefined : child;
}
