import { randomBytes, randomUUID } from 'node:crypto';
import type { Millis, UserId } from '@crossbook/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../../main/testing.ts';
import type { NewSession, SessionStore } from '../ports.ts';
import { rememberSessions } from './remembered-sessions.ts';
import { sessionEvents } from './session-events.ts';

let hub: TestHub;
let user: UserId;
beforeAll(async () => {
  hub = await startTestHub();
  user = (await hub.member()).tid as UserId;
});
afterAll(() => hub.close());

const NOW = 1_760_000_000_000 as Millis;

function newSession(): NewSession {
  return {
    ...{
      id: randomUUID(),
      hash: randomBytes(32).toString('hex'),
      epoch: 1,
      address: '127.0.0.1',
      userAgent: '',
    },
    ...{ createdAt: NOW, expiresAt: (NOW + 1_000) as Millis },
  };
}

/** Three sessions of a member; the remembered store and the plain one, of the same database. */
class Sessions {
  readonly plain: SessionStore = hub.hub.accounts.store.sessions;
  readonly events = sessionEvents();
  readonly remembered = rememberSessions(this.plain, this.events);
  readonly made: NewSession[] = [];
  readonly over = new Set<string>();

  async open(replaces?: string): Promise<void> {
    const session = newSession();
    await this.remembered.open(user, session, replaces);
    this.made.push(session);
    if (replaces !== undefined) this.over.add(replaces);
  }

  hash(at: number): string {
    return this.made[at % this.made.length]?.hash ?? '';
  }

  /** Nobody hears of a session whose end was told before the question. */
  async ask(hash: string): Promise<void> {
    const over = this.over.has(hash);
    const found = await this.remembered.live(hash, NOW);
    if (over) expect(found).toBeUndefined();
  }
}

test('a session is over for every question after its end was told, however many were asked meanwhile', async () => {
  const act = fc.record({
    do: fc.constantFrom('ask', 'ask', 'ask', 'end', 'end elsewhere', 'log in again'),
    at: fc.nat(5),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 24 }), async (acts) => {
      const sessions = new Sessions();
      for (let count = 0; count < 3; count += 1) await sessions.open();
      const acted = acts.map(async ({ do: what, at }) => {
        const hash = sessions.hash(at);
        if (what === 'ask') return sessions.ask(hash);
        if (what === 'log in again') await sessions.open(hash);
        if (what === 'end') await sessions.remembered.end(hash, NOW);
        if (what === 'end elsewhere') {
          await sessions.plain.end(hash, NOW);
          sessions.events.ended({ sessionId: hash, hashes: [hash] });
        }
        sessions.over.add(hash);
        return sessions.ask(hash);
      });
      await Promise.all(acted);
      for (const { hash } of sessions.made) {
        expect(await sessions.remembered.live(hash, NOW)).toEqual(await sessions.plain.live(hash, NOW));
      }
    }),
    { numRuns: 25 },
  );
});

test('a session that expires is over at its moment, and what was changed by hand counts half a minute later', async () => {
  const sessions = new Sessions();
  await sessions.open();
  const [{ hash } = newSession()] = sessions.made;
  expect(await sessions.remembered.live(hash, NOW)).toMatchObject({ user, tkropen: false });
  expect(await sessions.remembered.live(hash, (NOW + 1_000) as Millis)).toBeUndefined();
  await hub.database.owner.query('update sessions set expires_at = $2 where hash = $1', [hash, NOW + 60_000]);
  await hub.database.owner.query('update members set tkropen = true where id = $1', [user]);
  expect(await sessions.remembered.live(hash, (NOW + 30_000) as Millis)).toMatchObject({ tkropen: true });
});
