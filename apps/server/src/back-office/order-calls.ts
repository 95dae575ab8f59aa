import type { AdminCaller, AdminHandlers } from '@crossbook/contract';
import { formatAmount } from '@crossbook/domain';
import { refusal } from '../accounts/ports.ts';
import type { Act, Asking, OrderDesk, OrderEnd } from './ports.ts';

/** What ending an order needs. */
export interface OrderCallsDeps {
  readonly orders: OrderDesk;
  /** With real money two sign. */
  readonly realMoney: boolean;
  readonly actOf: (caller: AdminCaller, call: string, reason: string) => Act;
  /** Asks for a decision of two. */
  readonly ask: Asking;
}

/** Ends orders of which nothing can be proved, as `npm run resolve` does: the hub is asked, and decides by its rules. */
export function orderCalls(deps: OrderCallsDeps): Pick<AdminHandlers, 'x/admin/OrderResolve'> {
  const { orders, realMoney, actOf, ask } = deps;
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
        return refusal({ error: standing.state === 'ended' ? 'already-decided' : 'subject-unknown' });
      }
      const end: OrderEnd = {
        ...{ order, resolution, cumQuantity: standing.cumQuantity, cumQuote: standing.cumQuote },
        ...(quantity === undefined ? {} : { quantity: formatAmount(quantity) }),
        ...(quoteQuantity === undefined ? {} : { quoteQuantity: formatAmount(quoteQuantity) }),
      };
      if (realMoney) return ask(act, { kind: 'resolve-order', subject: `order ${order}`, what: end });
      const outcome = await orders.ask(act, end);
      return outcome === 'ok' ? { ok: true, value: { approval: null } } : refusal({ error: outcome });
    },
  };
}
