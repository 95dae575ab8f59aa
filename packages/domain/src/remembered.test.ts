import { beforeEach, expect, test } from 'vitest';
import { createRemembered, type Remembered } from './remembered.ts';

let memory: Remembered<number>;
let reads: number;
beforeEach(() => {
  memory = createRemembered({ entriesMax: 2, keeps: (value) => value >= 0 });
  reads = 0;
});

const get = (key: string, value = 1) =>
  memory.get(key, async () => {
    reads += 1;
    return value;
  });

/** A reading or a change that ends when the test says so. */
function held<Value>() {
  let end = (_: Value): void => undefined;
  const over = new Promise<Value>((resolve) => {
    end = resolve;
  });
  return { end: (value: Value) => end(value), work: () => over };
}

test('a value is read once, and again when it no longer serves', async () => {
  expect([await get('a', 1), await get('a', 2), reads]).toEqual([1, 1, 1]);
  const fits = (value: number) => value > 1;
  expect(await memory.get('a', async () => 7, fits)).toBe(7);
  expect([await get('a', 9), reads]).toEqual([7, 1]);
});

test('a value that no longer serves is gone even when it cannot be read again', async () => {
  await get('a', 1);
  const broken = memory.get(
    'a',
    async () => {
      throw new Error('no database');
    },
    () => false,
  );
  await expect(broken).rejects.toThrow('no database');
  expect([await get('a', 2), reads]).toEqual([2, 2]);
});

test('what is not worth it is not remembered', async () => {
  expect([await get('a', -1), await get('a', 3), reads]).toEqual([-1, 3, 2]);
});

test('beyond the bound what came first goes, and a key that is there takes no place of another', async () => {
  await get('a');
  await get('b');
  await memory.get(
    'b',
    async () => 5,
    () => false,
  );
  expect([await get('a', 9), await get('b', 9), reads]).toEqual([1, 5, 2]);
  await get('c');
  expect([await get('b', 9), await get('c', 9), reads]).toEqual([5, 1, 3]);
  expect([await get('a', 9), reads]).toEqual([9, 4]);
});

test('what is forgotten while it is read does not stay, for each of several readings', async () => {
  const [one, two] = [held<number>(), held<number>()];
  const reading = [memory.get('a', one.work), memory.get('a', two.work)];
  memory.forget('a');
  one.end(1);
  two.end(2);
  expect(await Promise.all(reading)).toEqual([1, 2]);
  expect([await get('a', 3), reads]).toEqual([3, 1]);
});

test('two readings of one key at a time are told apart: the end of one leaves the other to be forgotten', async () => {
  const [one, two] = [held<number>(), held<number>()];
  const first = memory.get('a', one.work);
  const second = memory.get('a', two.work);
  one.end(1);
  await first;
  memory.forget('a');
  two.end(2);
  await second;
  expect([await get('a', 3), reads]).toEqual([3, 1]);
});

test('a second reading of one key takes no place of another', async () => {
  await get('a', 1);
  await Promise.all([get('b', 2), get('b', 3)]);
  expect([await get('a', 9), reads]).toEqual([1, 3]);
});

test('what is read while changes are under way does not stay, until the last of them is over', async () => {
  const [one, two] = [held<string>(), held<string>()];
  await get('a', 1);
  const changes = [memory.change(['a', 'b'], one.work), memory.change(['a'], two.work)];
  expect([await get('a', 2), await get('a', 3), reads]).toEqual([2, 3, 3]);
  one.end('done');
  expect(await changes[0]).toBe('done');
  expect([await get('a', 4), await get('a', 5), reads]).toEqual([4, 5, 5]);
  expect([await get('b', 4), await get('b', 5), reads]).toEqual([4, 4, 6]);
  two.end('done');
  await changes[1];
  expect([await get('a', 6), await get('a', 7), reads]).toEqual([6, 6, 7]);
});

test('a change that fails is over, and says so', async () => {
  const broken = memory.change(['a'], async () => {
    throw new Error('no database');
  });
  await expect(broken).rejects.toThrow('no database');
  expect([await get('a', 1), await get('a', 2), reads]).toEqual([1, 1, 1]);
});

test('what is read anew stays; what was remembered, and what is read meanwhile, does not', async () => {
  await get('a', 1);
  const [anew, meanwhile] = [held<number>(), held<number>()];
  const renewing = memory.renew('a', anew.work);
  const reading = memory.get('a', meanwhile.work);
  meanwhile.end(7);
  expect(await reading).toBe(7);
  anew.end(2);
  expect(await renewing).toBe(2);
  expect([await get('a', 9), reads]).toEqual([2, 1]);
  const late = held<number>();
  const slow = memory.get('b', late.work);
  await memory.renew('b', async () => 3);
  late.end(1);
  await slow;
  expect([await get('b', 9), reads]).toEqual([3, 1]);
});

test('what somebody began to read while it was read anew takes no place of what was found', async () => {
  const [anew, late] = [held<number>(), held<number>()];
  const renewing = memory.renew('a', anew.work);
  const slow = memory.get('a', late.work);
  anew.end(2);
  await renewing;
  late.end(1);
  expect([await slow, await get('a', 9), reads]).toEqual([1, 2, 0]);
});

test.each([
  ['forgotten meanwhile', () => memory.forget('a'), 2],
  ['not worth it', () => undefined, -1],
])('what is read anew and %s is not remembered, nor is what was there before', async (_why, then, value) => {
  await get('a', 1);
  const anew = held<number>();
  const renewing = memory.renew('a', anew.work);
  then();
  anew.end(value);
  expect(await renewing).toBe(value);
  expect([await get('a', 5), reads]).toEqual([5, 2]);
});
