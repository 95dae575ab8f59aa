import { type Bench, compared, type Figure, quantile } from './harness.ts';
import { startOrderHub } from './order-hub.ts';
import { type Answered, load } from './order-load.ts';

/** Multiples of the rate that the hub can carry. */
const STEPS = [0.5, 1, 2, 4] as const;
const SECONDS = 5;
const CALLERS = 48;
const [TAKEN, BUSY, TOO_OLD] = [1, 1010, 3019];

/** Zero where nothing was answered so. */
function at(waits: Float64Array, q: number): number {
  return waits.length === 0 ? 0 : quantile(waits, q);
}

function waitsOf(answers: readonly Answered[], code: number): Float64Array {
  return Float64Array.from(answers.filter((one) => one.code === code).map(({ millis }) => millis));
}

/** How late the load was: on a busy machine that is a part of every wait, and none of the hub's doing. */
function latenessOf(answers: readonly Answered[]): Float64Array {
  return Float64Array.from(answers.map(({ late }) => late));
}

/** Answers a second while the load lasted: those that came when no more were sent are not part of any rate. */
function rateOf(answers: readonly Answered[], code: number): number {
  return answers.filter((one) => one.code === code && one.at <= SECONDS * 1_000).length / SECONDS;
}

/** What becomes of orders that come faster than they can be carried. */
export const bench: Bench = {
  about: `overload: orders at ${STEPS.join('x, ')}x the rate that ${CALLERS} callers in a closed loop reach, ${SECONDS} s each; real PostgreSQL that flushes to the disk, everything on this machine`,
  run: async (report) => {
    const hub = await startOrderHub();
    const target = { url: `${hub.url}/api/connextrade/PlaceOrder`, members: hub.members };
    await load({ ...target, callers: 8, seconds: 2 });
    const closed = await load({ ...target, callers: CALLERS, seconds: SECONDS });
    const best = rateOf(closed, TAKEN);
    report(`can carry ${Math.round(best)} orders/s`);
    const figures: Figure[] = [{ figure: 'can carry', value: best, unit: 'orders/s' }];
    for (const step of STEPS) {
      const answers = await load({ ...target, rate: Math.max(1, best * step), seconds: SECONDS });
      const taken = waitsOf(answers, TAKEN);
      const busy = waitsOf(answers, BUSY);
      const rest = answers.length - taken.length - busy.length - waitsOf(answers, TOO_OLD).length;
      const rate = { figure: `${step}x: taken`, value: rateOf(answers, TAKEN), unit: 'orders/s' };
      figures.push(
        compared(rate, 'can carry', best),
        { figure: `${step}x: taken: p50`, value: at(taken, 0.5), unit: 'ms' },
        { figure: `${step}x: taken: p99`, value: at(taken, 0.99), unit: 'ms' },
        { figure: `${step}x: sent late: p99`, value: at(latenessOf(answers), 0.99), unit: 'ms' },
        { figure: `${step}x: busy`, value: rateOf(answers, BUSY), unit: 'orders/s' },
        { figure: `${step}x: busy: p99`, value: at(busy, 0.99), unit: 'ms' },
        { figure: `${step}x: too old`, value: rateOf(answers, TOO_OLD), unit: 'orders/s' },
        { figure: `${step}x: other answers`, value: rest, unit: 'orders' },
      );
      report(`${step}x: ${answers.length} sent, ${taken.length} taken, ${busy.length} busy`);
    }
    await hub.stop();
    return figures;
  },
};
