import type { Millis } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { surroundings } from './surroundings.ts';

test('what begins to be wrong is logged and mailed once, until it was right again', async () => {
  const mails: string[] = [];
  const logged: string[] = [];
  let now = 0;
  let faults: readonly string[] | Error = [];
  const around = surroundings({
    looks: [
      {
        what: 'clock',
        faults: () => {
          if (faults instanceof Error) throw faults;
          return faults;
        },
      },
    ],
    clock: () => now as Millis,
    log: { warn: (_facts, event) => logged.push(event) },
    tellOperator: async ({ subject, body }) => {
      mails.push(`${subject}: ${body.split('\n')[0] ?? ''}`);
    },
    every: () => () => undefined,
  });
  expect(around.seen()).toEqual([]);
  const turns: readonly (readonly string[] | Error)[] = [[], ['late'], ['late'], [], new Error('away'), []];
  const seen = [];
  for (const turn of turns) {
    [faults, now] = [turn, now + 1];
    await around.look();
    seen.push(around.seen()[0]);
  }
  expect(seen.map((each) => each?.faults)).toEqual([
    ...[[], ['late'], ['late'], []],
    ...[['not known: away'], []],
  ]);
  expect(seen.at(-1)).toEqual({ what: 'clock', at: 6, faults: [] });
  expect(mails).toEqual(['Warning: late: late', 'Warning: not known: away: not known: away']);
  expect(logged).toHaveLength(2);
});
