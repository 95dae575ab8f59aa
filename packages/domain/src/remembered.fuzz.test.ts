import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRemembered } from './remembered.ts';

const KEYS = ['a', 'b'] as const;
const fails = (): never => {
  throw new Error('the store is away');
};

/** A store whose answers come when the scheduler says, and everything it ever held under a key, in turn. */
class SlowStore {
  readonly history = new Map<string, (number | undefined)[]>(KEYS.map((key) => [key, [undefined]]));
  readonly #scheduler: fc.Scheduler;

  constructor(scheduler: fc.Scheduler) {
    this.#scheduler = scheduler;
  }

  moment(key: string): number {
    return (this.history.get(key)?.length ?? 0) - 1;
  }

  async read(key: string): Promise<number | undefined> {
    await this.#scheduler.schedule(Promise.resolve(), 'the question arrives');
    const value = this.history.get(key)?.at(-1);
    await this.#scheduler.schedule(Promise.resolve(), 'the answer arrives');
    return value;
  }

  async write(key: string, value: number | undefined, answered: boolean): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve(), 'the change arrives');
    this.history.get(key)?.push(value);
    await this.#scheduler.schedule(Promise.resolve(), 'the receipt arrives');
    if (!answered) fails();
  }
}

const step = fc.oneof(
  fc.record({ do: fc.constant('get' as const), key: fc.constantFrom(...KEYS) }),
  fc.record({
    do: fc.constant('change' as const),
    key: fc.constantFrom(...KEYS),
    value: fc.option(fc.nat(9), { nil: undefined }),
    answered: fc.boolean(),
  }),
);

describe('what is remembered', () => {
  test('was in the store between the question and its answer, however reads and changes interleave', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(step, { maxLength: 30 }), async (scheduler, steps) => {
        const store = new SlowStore(scheduler);
        const memory = createRemembered<number | undefined>({
          entriesMax: 2,
          keeps: (value) => value !== undefined,
        });
        const get = async (key: string): Promise<void> => {
          const from = store.moment(key);
          const value = await memory.get(key, () => store.read(key));
          expect(store.history.get(key)?.slice(from)).toContain(value);
        };
        const done = steps.map(async (one) => {
          await scheduler.schedule(Promise.resolve(), 'begin');
          if (one.do === 'get') return get(one.key);
          const { key, value, answered } = one;
          await memory.change([key], () => store.write(key, value, answered)).catch(() => undefined);
          // From here on nobody hears of what was there before.
          return get(key);
        });
        await scheduler.waitFor(Promise.all(done));
        for (const key of KEYS) await scheduler.waitFor(get(key));
      }),
    );
  });

  test('is asked for once, is read again when it no longer serves, and is bounded', async () => {
    const memory = createRemembered<number>({ entriesMax: 2, keeps: (value) => value > 0 });
    let reads = 0;
    const get = (key: string, value = 1, fits?: (found: number) => boolean) =>
      memory.get(
        key,
        async () => {
          reads += 1;
          return value;
        },
        fits,
      );
    for (let times = 0; times < 3; times += 1) await get('a');
    expect(reads).toBe(1);
    expect(await get('a', 2, (found) => found > 1)).toBe(2);
    expect(reads).toBe(2);
    await get('none', 0);
    await get('none', 0);
    expect(reads).toBe(4);
    await get('b');
    await get('c');
    await get('a');
    expect(reads).toBe(7);
    await expect(memory.get('d', async () => fails())).rejects.toThrow('away');
    expect(await get('d')).toBe(1);
  });
});
