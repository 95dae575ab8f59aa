import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AnswerCache } from './answer-cache.ts';

const BOUNDS = { entriesMax: 4, bytesMax: 100, askedAtOnceMax: 3 };

interface Answer {
  readonly body: Uint8Array;
  readonly askedAt: number;
}

/** One step: somebody asks, an answer arrives, or time passes. */
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('ask' as const), key: fc.nat(7), bytes: fc.nat(60), keep: fc.nat(30) }),
    fc.record({ do: fc.constant('answer' as const), which: fc.nat(2) }),
    fc.record({ do: fc.constant('wait' as const), millis: fc.nat(20) }),
  ),
  { maxLength: 60 },
);

describe('a cache of answers', () => {
  test('whatever is asked in whatever order, bounds hold, nobody gets what is too old, one question a key', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const cache = new AnswerCache<Answer>(BOUNDS);
        const open = new Map<string, { answer: () => void; keep: number }>();
        const keeps = new Map<string, number>();
        let now = 0;
        for (const step of script) {
          if (step.do === 'wait') now += step.millis;
          else if (step.do === 'answer') {
            const key = [...open.keys()][step.which];
            open.get(key ?? '')?.answer();
            open.delete(key ?? '');
            for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
          } else {
            const key = `k${step.key}`;
            const found = cache.find(key, now);
            if (found !== undefined && !open.has(key)) {
              const { askedAt } = await found;
              expect(now - askedAt).toBeLessThan(keeps.get(key) ?? 0);
            }
            if (found !== undefined) continue;
            expect(open.has(key)).toBe(false);
            const askedAt = now;
            const asked = cache.ask({
              ...{ key, now, keepMillis: () => step.keep },
              ask: () =>
                new Promise<Answer>((resolve) => {
                  const answer = () => resolve({ body: new Uint8Array(step.bytes), askedAt });
                  open.set(key, { answer, keep: step.keep });
                  keeps.set(key, step.keep);
                }),
            });
            expect(asked === undefined).toBe(open.size === BOUNDS.askedAtOnceMax && !open.has(key));
          }
          const { entries, bytes } = cache.stats;
          expect(entries).toBeLessThanOrEqual(BOUNDS.entriesMax);
          expect(bytes).toBeLessThanOrEqual(BOUNDS.bytesMax);
          if (entries === 0) expect(bytes).toBe(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a question that fails is no answer: it is asked again', async () => {
    const cache = new AnswerCache<Answer>(BOUNDS);
    const question = { key: 'k', now: 0, keepMillis: () => 10 };
    const failed = cache.ask({ ...question, ask: () => Promise.reject(new Error('gone')) });
    await expect(failed).rejects.toThrow('gone');
    expect(cache.find('k', 0)).toBeUndefined();
    const answer = { body: new Uint8Array(1), askedAt: 0 };
    await cache.ask({ ...question, ask: () => Promise.resolve(answer) });
    expect(await cache.find('k', 9)).toBe(answer);
    expect(cache.find('k', 10)).toBeUndefined();
  });
});
