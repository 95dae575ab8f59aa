import { randomBytes, randomUUID } from 'node:crypto';
import type { Millis, UserId } from '@crossbook/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Effect, Proof, SecurityAct, SecurityStore } from '../../../accounts/security-ports.ts';
import { openTestDatabase, type TestDatabase } from '../../testing.ts';
import { createSeal } from '../seal.ts';
import { securityStore } from './security-store.ts';

const NOW = 1_760_000_000_000 as Millis;
let db: TestDatabase;
let store: SecurityStore;
let user: UserId;
const written: string[] = [];

beforeAll(async () => {
  db = await openTestDatabase();
  store = securityStore(db.database, {
    seal: createSeal(randomBytes(32)),
    putMail: async (client, mail) => {
      await client.query('select 1');
      if (mail.to === 'nobody') throw new Error('the database went away');
      written.push(mail.to);
    },
    mailsWritten: () => undefined,
  });
  const rows = await db.owner.query<{ id: number }>(
    `insert into members (email, password_hash, nickname, referral_code, created_at)
     values ('a@example.org', 'old', 'a', 'AAAAAAAA', 0) returning id`,
  );
  user = rows[0]?.id as UserId;
});
afterAll(() => db.close());

function act(
  proofs: readonly Proof[],
  effects: readonly Effect[],
  more: Partial<SecurityAct> = {},
): SecurityAct {
  return { ...{ user, call: 'test', address: '', now: NOW, mails: [] }, proofs, effects, ...more };
}

async function authenticator(): Promise<void> {
  const setupId = randomUUID();
  const expiresAt = (NOW + 1) as Millis;
  const pending = { kind: 'pending-otp', session: 's', setupId, secret: randomBytes(20), expiresAt } as const;
  expect((await store.act(act([], [pending]))).ok).toBe(true);
  expect((await store.act(act([], [{ kind: 'otp', setupId, step: 100 }]))).ok).toBe(true);
}

describe('an act', () => {
  test('takes a step of the authenticator once, of 200 at the same moment', async () => {
    await authenticator();
    const done = await Promise.all(
      Array.from({ length: 200 }, () => store.act(act([{ kind: 'totp', step: 101 }], []))),
    );
    expect(done.filter(({ ok }) => ok)).toHaveLength(1);
    for (const step of [99, 100, 101]) {
      expect(await store.act(act([{ kind: 'totp', step }], []))).toMatchObject({ code: 'factor-wrong' });
    }
    expect((await store.act(act([{ kind: 'totp', step: 102 }], []))).ok).toBe(true);
  });

  test('that fails at its last statement has done nothing: not the proof, nor the change, nor the lock', async () => {
    const grant = { hash: 'g', session: 's', purpose: 'credentials' } as const;
    await store.act(act([], [{ kind: 'grant', ...grant, expiresAt: (NOW + 1) as Millis }]));
    const state = async () =>
      JSON.stringify(
        await Promise.all(
          ['members', 'grants', 'credential_changes', 'freeze_tokens', 'otp_secrets', 'audit_log'].map(
            (table) => db.owner.query(`select * from ${table} order by 1`),
          ),
        ),
      );
    const before = await state();
    const failing = act([{ kind: 'grant', ...grant }], [{ kind: 'password', hash: 'new' }], {
      ...{ locks: 'password', freezeToken: { hash: 'f', expiresAt: NOW } },
      mails: [{ to: 'nobody', subject: '', body: '' }],
    });
    await expect(store.act(failing)).rejects.toThrow('went away');
    expect(await state()).toBe(before);
    expect((await store.act({ ...failing, mails: [] })).ok).toBe(true);
    expect(await state()).not.toBe(before);
  });

  test('of a frozen account is refused, whatever is proved', async () => {
    // A freeze takes off factors that are younger than a day.
    await db.owner.query(`update first_factors set at = at - interval '24 hours'`);
    await store.act(act([], [{ kind: 'freeze' }]));
    const refused = await store.act(
      act([{ kind: 'totp', step: 103 }], [{ kind: 'password', hash: 'newer' }]),
    );
    expect(refused).toMatchObject({ code: 'account-frozen' });
    // The proof was not used up.
    expect((await store.act(act([{ kind: 'totp', step: 103 }], [{ kind: 'unfreeze' }]))).ok).toBe(true);
  });
});
