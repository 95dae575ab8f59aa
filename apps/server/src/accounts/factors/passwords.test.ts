import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { passwords } from './passwords.ts';

const hasher = passwords(randomBytes);

async function hashed(password: string): Promise<string> {
  const answer = await hasher.hash(password);
  if (!answer.ok) throw new Error(answer.code);
  return answer.value;
}

describe('passwords', () => {
  test('a hash carries its parameters and matches only its password', async () => {
    const stored = await hashed('Correct-horse-7');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.verify('Correct-horse-7', stored)).toEqual({
      ok: true,
      value: { matches: true, outdated: false },
    });
    expect(await hasher.verify('Correct-horse-8', stored)).toMatchObject({ value: { matches: false } });
  });

  test('the same password gives another hash each time', async () => {
    expect(await hashed('Correct-horse-7')).not.toBe(await hashed('Correct-horse-7'));
  });

  test('128 characters are a password, and each of them counts', async () => {
    const long = `${'Ab1!'.repeat(31)}last`;
    expect(long).toHaveLength(128);
    const stored = await hashed(long);
    for (const other of [
      long.slice(0, 127),
      `${long.slice(0, 127)}T`,
      long.toLowerCase(),
      ` ${long}`,
      `${long} `,
    ]) {
      expect(await hasher.verify(other, stored)).toMatchObject({ value: { matches: false } });
    }
    expect(await hasher.verify(long, stored)).toMatchObject({ value: { matches: true } });
  });

  test.each([
    ['an accent of its own', 'Caf\u00e9-7aB', 'Cafe\u0301-7aB'],
    ['syllables in their letters', '\ud55c\uae00-7aB', '\u1112\u1161\u11ab\u1100\u1173\u11af-7aB'],
    ['a voiced sound in two signs', '\u304c-7aBcd', '\u304b\u3099-7aBcd'],
    ['another case', 'Correct-horse-7', 'correct-horse-7'],
    ['a space more', 'Correct-horse-7', 'Correct-horse-7 '],
    ['wide letters', 'Correct-horse-7', '\uff23orrect-horse-7'],
  ])('a password is compared as it came: %s makes another one', async (_, password, other) => {
    for (const [set, tried] of [
      [password, other],
      [other, password],
    ] as const) {
      const stored = await hashed(set);
      expect(await hasher.verify(tried, stored)).toMatchObject({ value: { matches: false } });
      expect(await hasher.verify(set, stored)).toMatchObject({ value: { matches: true } });
    }
  });

  test('a hash of another cost still matches and asks to be renewed', async () => {
    // Made by node:crypto with m=8192, t=1, p=1, salt of sixteen bytes 1, password "Correct-horse-7".
    const { argon2Sync } = await import('node:crypto');
    const salt = Buffer.alloc(16, 1);
    const hash = argon2Sync('argon2id', {
      message: 'Correct-horse-7',
      nonce: salt,
      parallelism: 1,
      tagLength: 32,
      memory: 8192,
      passes: 1,
    });
    const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
    const stored = `$argon2id$v=19$m=8192,t=1,p=1$${plain(salt)}$${plain(hash)}`;
    expect(await hasher.verify('Correct-horse-7', stored)).toEqual({
      ok: true,
      value: { matches: true, outdated: true },
    });
  });

  test.each(['', 'plain', '$argon2id$v=19$m=19456,t=2,p=1$short$hash', '$2b$10$bcrypt'])(
    'a damaged hash %j matches nothing',
    async (stored) => {
      expect(await hasher.verify('Correct-horse-7', stored)).toMatchObject({
        ok: true,
        value: { matches: false },
      });
    },
  );

  test('without a stored hash the answer is no, after the same work', async () => {
    expect(await hasher.verify('Correct-horse-7', undefined)).toMatchObject({ value: { matches: false } });
  });

  test('a full line answers busy at once and serves those who wait', async () => {
    const small = passwords(randomBytes, { waitingMax: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => small.hash('Correct-horse-7')));
    expect(answers.filter((answer) => answer.ok)).toHaveLength(5);
    expect(answers.filter((answer) => !answer.ok && answer.code === 'busy')).toHaveLength(5);
    expect((await small.hash('Correct-horse-7')).ok).toBe(true);
  });
});
