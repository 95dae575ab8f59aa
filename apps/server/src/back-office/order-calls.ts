import type { AdminCaller, AdminHandlers, ErrorName } from '@crossbook/contract';
import { formatAmount } from '@crossbook/domain';
import { refusal } from '../accounts/ports.ts';
import type { Act, AdminStore, Asking, OrderDesk, OrderEnd } from './ports.ts';

/** What ending an order needs. */
export interface OrderCallsDeps {
  readonly orders: OrderDesk;
  readonly store: Pick<AdminStore, 'noteRefused'>;
  /** With real money two sign. */
  readonly realMoney: boolean;
  readonly actOf: (caller: AdminCaller, call: string, reason: string) => Act;
  /** Asks for a decision of two. */
  readonly ask: Asking;
}

/** Ends orders of which nothing can be proved, as `npm run resolve` does: the hub is asked, and decides by its rules. */
export function orderCalls(deps: OrderCallsDeps): Pick<AdminHandlers, 'x/admin/OrderResolve'> {
  const { orders, store, realMoney, actOf, ask } = deps;
  const refusedTry = async (act: Act, outcome: ErrorName) => {
    await store.noteRefused({ ...act, outcome });
    return refusal({ error: outcome });
  };
  return {
    'x/admin/OrderResolve': async (caller, { order, resolution, quantity, quoteQuantity, reason }) => {
      const isFilled = resolution === 'filled';
      for (const [field, given] of Object.entries({ quantity, quoteQuantity })) {
        if ((given !== undefined) !== isFilled) {
          const allowed = isFilled ? 'needed for filled' : 'none for absent';
          return refusal({ error: 'field-invalid', field, allowed });
        }
      }
      const act = actOf(caller, 'x/admin/OrderResolve', reason);
      const standing = await orders.standing(order);
      if (standing.state !== 'open') {
        return refusedTry(act, standing.state === 'ended' ? 'already-decided' : 'subject-unknown');
      }
      const end: OrderEnd = {
        ...{ order, resolution, cumQuantity: standing.cumQuantity, cumQuote: standing.cumQuote },
        ...(quantity === undefined ? {} : { quantity: formatAmount(quantity) }),
        ...(quoteQuantity === undefined ? {} : { quoteQuantity: formatAmount(quoteQuantity) }),
      };
      if (realMoney) return ask(act, { kind: 'resolve-order', subject: `order ${order}`, what: end });
      const outcome = await orders.ask(act, end);
      return outcome === 'ok' ? { ok: true, value: { approval: null } } : refusedTry(act, outcome);
    },
  };
}
