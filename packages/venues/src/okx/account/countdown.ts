import { reasonOf } from '../../trading/call-answers.ts';
import type { VenueCountdown } from '../../venue-countdown.ts';
import { ACCOUNT_CALLS } from '../limits.ts';
import { asTextCounter } from '../wire.ts';
import { onlyRow, refusalOf } from './answers.ts';
import type { Calls } from './calls.ts';

/**
 * Cancels what the account has in any order book ("POST / Cancel All After", 2026). Algo orders are not spoken of there and
 * are none of a book. No `tag` is sent: it is the whole account's.
 */
export function okxCountdown(calls: Calls): VenueCountdown {
  return {
    async set(credentials, { seconds }) {
      const { answer } = await calls.send(credentials, {
        ...{ method: 'POST', path: '/api/v5/trade/cancel-all-after', requestClass: 'countdown' },
        limit: ACCOUNT_CALLS.countdown,
        parameters: { timeOut: String(seconds) },
      });
      if (answer.kind !== 'result') return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) };
      // The moment at which it cancels; 0 where nothing counts any more.
      const triggerTime = asTextCounter(onlyRow(answer.rows)?.triggerTime);
      const proved = triggerTime !== undefined && triggerTime > 0 === seconds > 0;
      return proved ? { outcome: 'done' } : { outcome: 'unknown', why: 'unreadable answer' };
    },
  };
}
