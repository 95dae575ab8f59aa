import type { UserId } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { createLongReads } from './long-reads.ts';

const [GREEDY, OTHER] = [7 as UserId, 8 as UserId];

/** Reads that a test ends, in the order in which they began. */
class Reads {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, (how?: Error) => void>();

  of = (name: string) => (): Promise<string> => {
    this.begun.push(name);
    return new Promise((resolve, reject) => {
      this.#ends.set(name, (how) => (how === undefined ? resolve(name) : reject(how)));
    });
  };

  async end(name: string, how?: Error): Promise<void> {
    this.#ends.get(name)?.(how);
    await settled();
  }
}

/** Everything that can go on has gone on. */
const settled = () => new Promise((next) => setImmediate(next));

test('of a member one runs at a time, and who asks once waits for no more than one of who asks often', async () => {
  const reads = new Reads();
  const longReads = createLongReads(1);
  for (let at = 0; at < 30; at += 1) void longReads(GREEDY, reads.of(`greedy ${at}`));
  const other = longReads(OTHER, reads.of('other'));
  await settled();
  expect(reads.begun).toEqual(['greedy 0']);
  await reads.end('greedy 0');
  expect(reads.begun).toEqual(['greedy 0', 'other']);
  await reads.end('other');
  expect(await other).toBe('other');
  expect(reads.begun).toEqual(['greedy 0', 'other', 'greedy 1']);
});

test('few run at once, whoever asks; each that ends, or fails, lets the next one in', async () => {
  const reads = new Reads();
  const longReads = createLongReads(3);
  const asked = [1, 2, 3, 4, 5].map((user) => longReads(user as UserId, reads.of(`of ${user}`)));
  await settled();
  expect(reads.begun).toEqual(['of 1', 'of 2', 'of 3']);
  const failed = expect(asked[1]).rejects.toThrow('away');
  await reads.end('of 2', new Error('away'));
  await failed;
  expect(reads.begun).toHaveLength(4);
  for (const name of ['of 1', 'of 3', 'of 4', 'of 5']) await reads.end(name);
  expect(reads.begun).toHaveLength(5);
  void longReads(1 as UserId, reads.of('again'));
  await settled();
  expect(reads.begun.at(-1)).toBe('again');
});
