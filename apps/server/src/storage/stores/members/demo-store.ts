import { type Millis, ok, refused, type UserId } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import type { DemoEnd, DemoStore, NewDemo } from '../../../accounts/ports.ts';
import type { Effect, SecurityAct } from '../../../accounts/security-ports.ts';
import type { Database } from '../../postgres/database.ts';
import { appendAudit } from '../audit-log.ts';
import { keepAgreements, type LegalLinks } from './agreements.ts';
import { type EndedRow, endCrowded, openSession, sessionEnd } from './session-store.ts';

/** Looking in is noted so often: who only looks costs next to nothing. */
const SEEN_EVERY_MILLIS = 60_000;
/** Where a demo is looked at at once: its browser has one cookie, and the one before may still be answered. */
const DEMO_SESSIONS_MAX = 2;
const NO_LINKS: LegalLinks = { terms: '', privacy: '' };
/** Demos are made one after the other, so that their number is exact. */
const DEMO_LOCK = `select pg_advisory_xact_lock(hashtext('demo members'))`;
const ALIVE = 'demo and demo_ended_at is null';

/** Undoes a beginning from inside its transaction. */
class CodeTaken extends Error {
  override readonly name = 'CodeTaken';
}

async function endDemo(client: PoolClient, user: UserId, now: Millis): Promise<DemoEnd> {
  await client.query('update members set demo_ended_at = $2 where id = $1', [user, now]);
  const ended = await client.query<EndedRow>(
    `update sessions set ended_at = $2 where member = $1 and ended_at is null and expires_at > $2
     returning id, hash, prev_hash`,
    [user, now],
  );
  await client.query('delete from device_trusts where member = $1', [user]);
  return { user, sessions: ended.rows.map(sessionEnd) };
}

async function idlest(
  client: PoolClient,
  before: Millis,
  { demosMax, network }: { readonly demosMax: number; readonly network?: string },
): Promise<readonly UserId[]> {
  const { rows } = await client.query<{ id: number }>(
    `select id from members where ${ALIVE} and demo_seen_at < $1 and ($3::text is null or demo_network = $3)
     order by demo_seen_at limit $2 for update`,
    [before, demosMax, network ?? null],
  );
  return rows.map(({ id }) => id as UserId);
}

/**
 * Where there is no place for another demo of a network, the one idle longest ends for it: one of that network where it has as many as
 * it may have, any where all places are taken.
 */
async function roomFor(
  client: PoolClient,
  { network, session }: NewDemo,
  bounds: Parameters<DemoStore['begin']>[1],
): Promise<{ readonly over: DemoEnd | undefined } | 'full'> {
  const alive = await client.query<{ all: number; own: number }>(
    `select count(*)::int as all, (count(*) filter (where demo_network = $1))::int as own from members where ${ALIVE}`,
    [network],
  );
  const { all, own } = alive.rows[0] ?? { all: 0, own: 0 };
  const isOfNetwork = own >= bounds.perNetworkMax;
  if (!isOfNetwork && all < bounds.aliveMax) return { over: undefined };
  const before = (session.createdAt - bounds.idleMillisMin) as Millis;
  const [idle] = await idlest(client, before, { demosMax: 1, ...(isOfNetwork ? { network } : {}) });
  return idle === undefined ? 'full' : { over: await endDemo(client, idle, session.createdAt) };
}

async function insertDemo(client: PoolClient, demo: NewDemo): Promise<UserId | undefined> {
  const { nickname, referralCode, session, language, network } = demo;
  const made = await client.query<{ id: number }>(
    `insert into members (demo, demo_seen_at, nickname, referral_code, language, created_at, demo_network)
     values (true, $1, $2, $3, $4, $1, $5) on conflict (referral_code) do nothing returning id`,
    [session.createdAt, nickname, referralCode, language, network],
  );
  const user = made.rows[0]?.id as UserId | undefined;
  if (user === undefined) return undefined;
  await openSession(client, user, { ...session, factors: 'demo' });
  await appendAudit(client, {
    ...{ at: session.createdAt, actor: { kind: 'member', id: String(user) }, address: session.address },
    ...{ call: 'x/demo/Start', outcome: 'ok', details: {} },
  });
  return user;
}

/** A demo becomes an account; what it holds stays where it is. @returns why not. */
export async function keepDemo(
  client: PoolClient,
  { user, now, address }: SecurityAct,
  {
    effect,
    legalLinks,
  }: { readonly effect: Effect & { kind: 'keep-demo' }; readonly legalLinks: LegalLinks | undefined },
): Promise<'contact-taken' | 'token-invalid' | undefined> {
  const { email = null, mobile = null, passwordHash, country = null, language } = effect;
  const taken = await client.query('select 1 from members where email = $1 or mobile = $2', [email, mobile]);
  if (taken.rowCount !== 0) return 'contact-taken';
  const kept = await client.query(
    `update members set demo = false, demo_seen_at = null, demo_network = null, email = $2, mobile = $3, password_hash = $4,
       country = $5, language = $6, nickname = regexp_replace(nickname, '^Demo-', 'Trader-')
     where id = $1 and demo and demo_ended_at is null`,
    [user, email, mobile, passwordHash, country, language],
  );
  if (kept.rowCount !== 1) return 'token-invalid';
  const session = { createdAt: now, address };
  await keepAgreements(
    client,
    { member: user, call: 'x/demo/Keep', language, session },
    legalLinks ?? NO_LINKS,
  );
  return undefined;
}

/** Demo members on PostgreSQL. */
export function demoStore(database: Database): DemoStore {
  return {
    async ofDevice(device) {
      const rows = await database.query<{ id: number }>(
        `select m.id from device_trusts t join members m on m.id = t.member
         where t.device = $1 and m.demo and m.demo_ended_at is null order by m.id desc limit 1`,
        [device],
      );
      return rows[0]?.id as UserId | undefined;
    },
    resume: (user, session) =>
      database.withTransaction(async (client) => {
        const { rowCount } = await client.query(
          `update members set demo_seen_at = $2 where id = $1 and ${ALIVE}`,
          [user, session.createdAt],
        );
        if (rowCount !== 1) return undefined;
        await openSession(client, user, { ...session, factors: 'demo' });
        return endCrowded(client, user, { now: session.createdAt, sessionsMax: DEMO_SESSIONS_MAX });
      }),
    async begin(demo, bounds) {
      const made = database.withTransaction(async (client) => {
        await client.query(DEMO_LOCK);
        const room = await roomFor(client, demo, bounds);
        if (room === 'full') return refused('full' as const);
        const user = await insertDemo(client, demo);
        // Nobody ends for a demo that is not made.
        if (user === undefined) throw new CodeTaken();
        return ok({ user, over: room.over });
      });
      return made.catch((error: unknown) => {
        if (error instanceof CodeTaken) return refused('referral-code-taken' as const);
        throw error;
      });
    },
    async seen(user, now) {
      await database.query(
        `update members set demo_seen_at = $2 where id = $1 and ${ALIVE} and demo_seen_at < $3`,
        [user, now, now - SEEN_EVERY_MILLIS],
      );
    },
    endIdle: (before, now, demosMax) =>
      database.withTransaction(async (client) => {
        const ended: DemoEnd[] = [];
        for (const user of await idlest(client, before, { demosMax }))
          ended.push(await endDemo(client, user, now));
        return ended;
      }),
  };
}
