import { ORDER_TYPE, type OrderType } from '@crossbook/domain';

/** Kinds of orders that may ask once more before they are sent, each switched by itself. */
export const CONFIRM_KINDS = ['limit', 'market', 'conditional', 'scaled'] as const;
/** One such kind. */
export type ConfirmKind = (typeof CONFIRM_KINDS)[number];

/** The kinds that ask, of those that are kept: `limit,scaled`. What is no kind is left out. */
function asking(kept: string): readonly ConfirmKind[] {
  const names = kept.split(',');
  return CONFIRM_KINDS.filter((kind) => names.includes(kind));
}

/** Whether an order of a kind asks once more. */
export function asksFirst(kept: string, kind: ConfirmKind): boolean {
  return asking(kept).includes(kind);
}

/** The kept kinds with one of them switched. */
export function withAsking(kept: string, kind: ConfirmKind, asks: boolean): string {
  return CONFIRM_KINDS.filter((one) => (one === kind ? asks : asksFirst(kept, one))).join();
}

/** What an ordinary order is asked about as. */
export function confirmKindOf(type: OrderType): ConfirmKind {
  return type === ORDER_TYPE.MARKET ? 'market' : 'limit';
}
