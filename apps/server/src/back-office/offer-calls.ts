import type { AdminCaller, AdminHandlers, AdminResponse } from '@crossbook/contract';
import { type Amount, amount, formatAmount, type Tier } from '@crossbook/domain';
import { refusal } from '../accounts/ports.ts';
import type { Act, Asking } from './ports.ts';

/** No limit is set higher: what is typed with zeros too many is told so. */
const LIMIT_MAX = amount('10000000');

/** What is offered, and the limits of it. */
export interface OfferDesk {
  read(): Promise<AdminResponse<'x/admin/Offer'>>;
  /** How a limit stands: in force, the newest change ('0' for none), and whether that waits. */
  standing(tier: Tier): Promise<{ readonly most: Amount; readonly newest: string; readonly waits: boolean }>;
}

/** What the calls about it need. */
export interface OfferCallsDeps {
  readonly offer: OfferDesk;
  readonly actOf: (caller: AdminCaller, call: string, reason: string) => Act;
  readonly ask: Asking;
}

/** Currencies, fees and limits to look at; a limit is set by two. Demo admins only look. */
export function offerCalls({
  offer,
  actOf,
  ask,
}: OfferCallsDeps): Pick<AdminHandlers, 'x/admin/Offer' | 'x/admin/LimitSet'> {
  return {
    'x/admin/Offer': async () => ({ ok: true, value: await offer.read() }),
    'x/admin/LimitSet': async (caller, { what, tier: asked, most, reason }) => {
      if (caller.demo) return refusal({ error: 'demo-refused' });
      if (most > LIMIT_MAX)
        return refusal({
          error: 'field-invalid',
          field: 'most',
          allowed: `at most ${formatAmount(LIMIT_MAX)}`,
        });
      const tier: Tier = asked === 1 ? 1 : 0;
      const { most: was, newest, waits } = await offer.standing(tier);
      // The same figure again takes back one that waits, and changes nothing else.
      if (most === was && !waits) return refusal({ error: 'already-decided' });
      const amounts = { most: formatAmount(most), was: formatAmount(was) };
      return ask(actOf(caller, 'x/admin/LimitSet', reason), {
        ...{ kind: 'limit-set', subject: `limit ${what} tier ${tier}` },
        what: { what, tier, ...amounts, standing: newest },
      });
    },
  };
}
