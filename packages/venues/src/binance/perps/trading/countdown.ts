import { notExpressible, reasonOf } from '../../../trading/call-answers.ts';
import type { VenueCountdown } from '../../../venue-countdown.ts';
import { asObject } from '../../../wire/guards.ts';
import { refusalOf } from '../../account/answers.ts';
import type { Calls } from '../../account/calls.ts';

/**
 * Cancels the open orders of one contract (USD-M, "Auto-Cancel All Open Orders"). Conditional ones are at the algo service,
 * which has cancels of its own and no countdown.
 */
export function binanceCountdown(calls: Calls): VenueCountdown {
  return {
    async set(credentials, { seconds, symbol }) {
      if (symbol === undefined) return notExpressible('it counts for a contract, and none is named');
      const countdownTime = seconds * 1_000;
      const { answer } = await calls.send(credentials, {
        ...{ market: 'SWAP', method: 'POST', path: '/fapi/v1/countdownCancelAll' },
        ...{ weight: 10, requestClass: 'countdown', parameters: { symbol, countdownTime } },
      });
      if (answer.kind !== 'result')
        return refusalOf(answer, 'SWAP') ?? { outcome: 'unknown', why: reasonOf(answer) };
      const said = asObject(answer.value);
      const proved = said?.symbol === symbol && String(said.countdownTime) === String(countdownTime);
      return proved ? { outcome: 'done' } : { outcome: 'unknown', why: 'unreadable answer' };
    },
  };
}
