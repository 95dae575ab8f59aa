import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Millis, UserId } from '@crossbook/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KycFields } from '../../../accounts/kyc/kyc-ports.ts';
import { SecurityWorld, SUCCESS } from '../../../accounts/security-world.fixture.ts';
import { SoftwareAuthenticator } from '../../../accounts/software-authenticator.fixture.ts';
import { ADMIN_PASSWORD, OfficeWorld } from '../../../back-office/office-world.fixture.ts';
import { type Secrets, secretsOf } from '../../../main/secrets.ts';
import { startTestHub, TestBrowser } from '../../../main/testing.ts';
import { openTestDatabase, type TestDatabase } from '../../testing.ts';
import { createAuditChain } from '../audit-chain.ts';
import { mailQueue } from '../mail-queue.ts';
import { kycStore } from '../members/kyc/kyc-store.ts';
import { statementContext } from '../members/recovery-store.ts';
import { createSeal, masterKeyName, sealedBy } from '../seal.ts';
import { createVenueAccountStore } from '../venue-account-store.ts';
import { changeMasterKey } from './key-rotation.ts';
import { auditKeysOf, claimMasterKey, holdMasterKey, knownKeys } from './master-keys.ts';
import { SEALED_TABLES, type TextRow } from './sealed-columns.ts';

const NOW = 1_760_000_000_000 as Millis;
const EMAIL = 'changes@example.org';
const WORD = 'kingfisher';
const REASON = 'the yearly change of the key';
const VENUE_KEY = { apiKey: 'k', secret: 'venue secret', passphrase: 'venue passphrase' };
const FIELDS: KycFields = {
  ...{ fullName: 'Hanako Yamada', birthDate: '1990-02-03', country: 'JP', documentKind: 'id-card' },
  documentNumber: 'AB-12 34',
};
/** More than two batches. */
const MAILS = 230;
const [first, second, third] = [1, 2, 3].map(() => secretsOf(randomBytes(32))) as [Secrets, Secrets, Secrets];

let db: TestDatabase;
let totp: string;
let admin: { email: string; secret: string };
let passkey: SoftwareAuthenticator;
let user: UserId;

const sealOf = ({ masterKey }: Secrets) => createSeal(masterKey);
const nameOf = ({ masterKey }: Secrets) => masterKeyName(masterKey);

/** A page of the hub by its name, as passkeys need it. */
function byName(url: string, browser?: TestBrowser): TestBrowser {
  const origin = url.replace('127.0.0.1', 'localhost');
  const page = Object.assign(new TestBrowser(origin), { ...browser, headers: { origin } });
  return Object.assign(page, { url: origin });
}

function stores(secrets: Secrets) {
  const deps = { seal: sealOf(secrets), putMail: async () => undefined, mailsWritten: () => undefined };
  return {
    kyc: kycStore(db.owner, { ...deps, documentKey: secrets.documentKey, validYears: 5, productName: 'Hub' }),
    mails: mailQueue(db.owner, deps.seal),
    venues: createVenueAccountStore(db.owner, deps.seal),
  };
}

async function submitCase(secrets: Secrets, of: UserId): Promise<string> {
  const { kyc } = stores(secrets);
  const pictures = { front: randomUUID(), face: randomUUID() };
  for (const kind of ['front', 'face'] as const)
    await kyc.keepPicture({
      ...{ id: pictures[kind], user: of, kind, address: '', now: NOW },
      picture: { jpeg: Buffer.from(`pixels of ${kind}`), width: 700, height: 600 },
    });
  const id = randomUUID();
  const submission = { user: of, id, fields: FIELDS, pictures, address: '', now: NOW, mail: undefined };
  expect(await kyc.submit(submission)).toMatchObject({ ok: true });
  return id;
}

/** Something in every sealed column, by the ways of a hub that is used. */
async function use(secrets: Secrets): Promise<void> {
  await claimMasterKey(db.owner, secrets.masterKey, NOW);
  const hub = await startTestHub({ database: db, secrets });
  const world = new SecurityWorld(hub);
  const browser = await hub.member(EMAIL);
  user = browser.tid as UserId;
  totp = (await world.authenticator(browser)).secret;
  const grant = await world.grant(browser, totp);
  expect((await browser.call('security/modifyuserinfo', { antiPhishing: WORD, grant })).code).toBe(SUCCESS);
  hub.advance(30_000);
  const visitor = hub.visitor();
  const { ticket } = await world.ticket(visitor, EMAIL);
  expect((await visitor.call('user/loginstep2', { ticket, totp: world.shows(totp) })).code).toBe(SUCCESS);
  const page = byName(hub.url, await hub.member('passkey@example.org'));
  passkey = new SoftwareAuthenticator(page.headers.origin ?? '', { counts: true });
  const asked = await page.call('x/passkey/RegisterOptions', { grant: await world.grant(page) });
  const credential = passkey.make(asked.data?.options ?? '');
  expect((await page.call('x/passkey/Register', { credential, name: 'Key' })).code).toBe(SUCCESS);
  const office = new OfficeWorld(hub);
  admin = await office.admin(['admin', 'auditor']);
  await hub.hub.stop();
  const { mails, venues } = stores(secrets);
  await submitCase(secrets, user);
  await db.owner.query(
    `insert into access_recoveries (member, contact, statement, asked_at, address) values ($1, 'new@example.org', $2, 1, '')`,
    [user, createSeal(secrets.masterKey).seal('{}', statementContext(user, 'new@example.org'))],
  );
  await venues.begin(user, 2);
  await venues.complete(user, 2, { accountId: 'sub', credentials: VENUE_KEY });
  const far = (NOW + 1e12) as Millis;
  await db.owner.withTransaction(async (client) => {
    for (let at = 0; at < MAILS; at += 1)
      await mails.put(client, { to: 'a@example.org', subject: `mail ${at}`, body: '' }, far);
  });
  // As they lay there before seals named their key.
  const v1 = `update mail_queue set mail = 'v1.' || split_part(mail, '.', 3) where id % 3 = 0`;
  await db.owner.query(v1);
}

/** How many seals there are of each column, all of which must open. */
async function opened(masterKey: Uint8Array, former?: Uint8Array): Promise<Readonly<Record<string, number>>> {
  const seal = createSeal(masterKey, former);
  const counts: Record<string, number> = {};
  for (const { table, key, needs, columns } of SEALED_TABLES)
    for (const [column, context] of Object.entries(columns)) {
      const selected = [...new Set([...key, ...needs, column])].map((name) => `${name}::text`).join(', ');
      const rows = await db.owner.query<TextRow>(
        `select ${selected} from ${table} where ${column} is not null`,
      );
      for (const row of rows) expect(seal.open(row[column] ?? '', context(row))).not.toBe('');
      counts[`${table}.${column}`] = rows.length;
    }
  return counts;
}

class Killed extends Error {}

/** Changes the key and is killed at every step once, until nothing is left to do. */
async function changeThroughKills(from: Secrets, to: Secrets): Promise<readonly string[]> {
  const steps: string[] = [];
  while (true) {
    const seen: string[] = [];
    const step = (what: string): void => {
      seen.push(what);
      const count = (list: readonly string[]) => list.filter((one) => one === what).length;
      if (count(seen) <= count(steps)) return;
      steps.push(what);
      throw new Killed(what);
    };
    const change = { from, to, actor: 'operator@test', reason: REASON, now: NOW, step };
    const died = await changeMasterKey(db.owner, change).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Killed) return true;
        throw error;
      },
    );
    if (!died) return steps;
    await opened(to.masterKey, from.masterKey);
    const whole = steps.at(-1) === 'ended';
    await expect(claimMasterKey(db.owner, from.masterKey, NOW)).rejects.toThrow(
      whole ? /is sealed under the master key/ : /has begun and not ended/,
    );
  }
}

beforeAll(async () => {
  db = await openTestDatabase();
  await use(first);
}, 120_000);
afterAll(() => db?.close());

describe('what lies under the master key', () => {
  test('is every column that docs/data-classes.md calls sealed, each with the fence of the database', async () => {
    const page = readFileSync(new URL('../../../../../../docs/data-classes.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| ([a-z_]+) \| \w+ \| ([^|]*) \|/gm)];
    const listed = rows.flatMap(([, table, columns = '']) =>
      [...columns.matchAll(/(\w+): \w+ sealed/g)].map(([, column]) => `${table}.${column}`),
    );
    const known = SEALED_TABLES.flatMap(({ table, columns }) =>
      Object.keys(columns).map((column) => `${table}.${column}`),
    );
    // The bytes of pictures lie under keys of their own.
    expect(listed.filter((name) => name !== 'kyc_pictures.body').sort()).toEqual([...known].sort());
    const fences = await db.owner.query<{ name: string }>(
      `select t.tgrelid::regclass || '.' || trim(trailing '\\000' from encode(t.tgargs, 'escape')) as name
       from pg_trigger t join pg_proc p on p.oid = t.tgfoid where p.proname = 'seal_under_valid_key'`,
    );
    expect(fences.map(({ name }) => name).sort()).toEqual([...known].sort());
    for (const { table, key } of SEALED_TABLES) {
      const [row] = await db.owner.query<{ n: string }>(
        `select count(*) filter (where k.unique_key) as n from (
           select i.indisunique as unique_key, array(select a.attname::text from pg_attribute a
             where a.attrelid = i.indrelid and a.attnum = any(i.indkey) order by 1) as columns
           from pg_index i where i.indrelid = $1::regclass and i.indpred is null) k where k.columns = $2`,
        [table, [...key].sort()],
      );
      expect(Number(row?.n), `${table} by ${key}`).toBeGreaterThan(0);
    }
  });
});

describe('a change of the master key', () => {
  test('is killed at every step and ends whole: all opens under the new key, nothing under the old one', async () => {
    const before = await opened(first.masterKey);
    const { 'master_keys.kept': none, ...filled } = before;
    expect(none).toBe(0);
    expect(Object.entries(filled).filter(([, count]) => count === 0)).toEqual([]);
    const steps = await changeThroughKills(first, second);
    expect(steps.filter((what) => what === 'mail_queue').length).toBeGreaterThanOrEqual(3);
    expect(steps[0]).toBe('begun');
    expect(steps.at(-1)).toBe('ended');
    expect(await opened(second.masterKey)).toEqual({ ...before, 'master_keys.kept': 1 });
    await expect(opened(first.masterKey)).rejects.toThrow(/another master key/);
    expect(await knownKeys(db.owner)).toEqual([
      { name: nameOf(first), state: 'retired' },
      { name: nameOf(second), state: 'current' },
    ]);
    const rows = await db.owner.query<{ call: string; reason: string; details: object }>(
      `select call, reason, details from audit_log where call like 'master-key/%' order by id`,
    );
    const details = { from: nameOf(first), to: nameOf(second) };
    expect(rows).toEqual([
      { call: 'master-key/change-begun', reason: REASON, details },
      { call: 'master-key/changed', reason: REASON, details },
    ]);
  });

  test('refuses a hub that still runs under the old key every secret that it would seal', async () => {
    const { mails } = stores(first);
    const late = db.owner.withTransaction((client) =>
      mails.put(client, { to: 'late@example.org', subject: 'late', body: '' }, NOW),
    );
    await expect(late).rejects.toThrow(/sealed under another key/);
    await expect(
      db.owner.query(`insert into mail_queue (mail, next_at) values ('v1.AAAA', 0)`),
    ).rejects.toThrow(/sealed under another key/);
  });

  test('is kept from beginning by hubs that run, and keeps them from starting', async () => {
    const hubs = await Promise.all([
      holdMasterKey(db.ownerAddress, 'shared'),
      holdMasterKey(db.ownerAddress, 'shared'),
    ]);
    expect(await holdMasterKey(db.ownerAddress, 'alone')).toBeUndefined();
    for (const hub of hubs) await hub?.release();
    const alone = await holdMasterKey(db.ownerAddress, 'alone');
    expect(await holdMasterKey(db.ownerAddress, 'shared')).toBeUndefined();
    await alone?.release();
  });

  test.each<[string, Secrets, Secrets, RegExp]>([
    ['to the one in use', second, second, /is the one in use/],
    ['back to a retired one', second, first, /was used before and retired/],
    ['from another than the current one', third, secretsOf(randomBytes(32)), /is not the master key/],
  ])('%s is refused, and nothing is written', async (_, from, to, why) => {
    const step = () => expect.unreachable();
    await expect(
      changeMasterKey(db.owner, { from, to, actor: 'o', reason: REASON, now: NOW, step }),
    ).rejects.toThrow(why);
  });

  test('leaves members and admins what they have: authenticator, word, passkey, papers, keys of exchanges', async () => {
    const hub = await startTestHub({ database: db, secrets: second });
    hub.advance(3_600_000);
    const world = new SecurityWorld(hub);
    const browser = hub.visitor();
    const { ticket } = await world.ticket(browser, EMAIL);
    const step2 = await browser.call('user/loginstep2', { ticket, totp: world.shows(totp) });
    expect(step2.code).toBe(SUCCESS);
    browser.stoken = (step2.data as { token: string }).token;
    expect((await browser.call('security/userinfonew', {})).data).toMatchObject({ antiPhishing: 'k***' });
    const page = byName(hub.url);
    const { data } = await page.call('x/passkey/LoginOptions', {});
    const answer = passkey.answer(data?.options ?? '', { origin: page.headers.origin ?? '' });
    expect((await page.call('x/passkey/Login', { passkey: answer })).code).toBe(SUCCESS);
    const desk = new OfficeWorld(hub);
    const login = { email: admin.email, password: ADMIN_PASSWORD, totp: desk.shows(admin.secret) };
    expect(await desk.stranger().begin('x/admin/LogIn', login)).toBe(SUCCESS);
    const other = await hub.member('other@example.org');
    await hub.hub.stop();
    const { kyc, venues } = stores(second);
    expect(await venues.find(user, 2)).toMatchObject({ state: 'ready', credentials: VENUE_KEY });
    // The same papers of somebody else are found by a hash of the new key.
    await submitCase(second, other.tid as UserId);
    const cases = await kyc.list({ state: 'pending', limit: 10 });
    expect(cases.map(({ duplicates }) => duplicates)).toEqual([1, 1]);
  });

  test('is done again a year later; the audit log verifies over all its keys, and not without one', async () => {
    await changeThroughKills(second, third);
    const keys = await auditKeysOf(db.owner.pool, third);
    expect(keys.former).toHaveLength(2);
    const chain = createAuditChain(db.owner, keys);
    while ((await chain.seal()) !== undefined);
    const whole = await chain.verify();
    expect(whole).toMatchObject({ waiting: 0 });
    expect(whole.broken).toBeUndefined();
    const without = createAuditChain(db.owner, { current: third.auditKey });
    expect((await without.verify()).broken).toMatchObject({ seq: 1, what: 'changed or swapped' });
    // Where one key ends and the next begins is sealed: it cannot be moved in the database.
    await db.owner.query(
      `update master_keys set kept = (select kept from master_keys where name = $1) where name = $2`,
      [...[nameOf(first), nameOf(second)]],
    );
    await expect(auditKeysOf(db.owner.pool, third)).rejects.toThrow();
  });
});

test('a database whose secrets another key sealed takes none at its first start', async () => {
  const fresh = await openTestDatabase();
  try {
    const old = mailQueue(fresh.owner, sealOf(first));
    await fresh.owner.withTransaction((client) =>
      old.put(client, { to: 'a@example.org', subject: 's', body: '' }, NOW),
    );
    await expect(claimMasterKey(fresh.owner, second.masterKey, NOW)).rejects.toThrow(/mail of mail_queue/);
    await claimMasterKey(fresh.owner, first.masterKey, NOW);
    await claimMasterKey(fresh.owner, first.masterKey, NOW);
    expect(await knownKeys(fresh.owner)).toEqual([{ name: nameOf(first), state: 'current' }]);
    await expect(claimMasterKey(fresh.owner, second.masterKey, NOW)).rejects.toThrow(
      new RegExp(`under the master key ${nameOf(first)}, and the one given is ${nameOf(second)}`),
    );
    expect(sealedBy(nameOf(first))).toBe(`v2.${nameOf(first)}.`);
  } finally {
    await fresh.close();
  }
});
