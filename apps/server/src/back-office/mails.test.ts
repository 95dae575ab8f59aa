import { randomBytes } from 'node:crypto';
import type { Millis } from '@crossbook/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Mail } from '../accounts/ports.ts';
import { mailWorker } from '../main/mail/mail-worker.ts';
import { mailQueue } from '../storage/stores/mail-queue.ts';
import { mailDesk } from '../storage/stores/office/mail-desk.ts';
import { createSeal } from '../storage/stores/seal.ts';
import { mailCalls } from './mail-calls.ts';
import { type AdminBrowser, OfficeWorld, REASON } from './office-world.fixture.ts';
import { actingOf } from './ports.ts';

const [ROLE_MISSING, FIELD_INVALID, PROOF_MISSING, UNKNOWN] = [6001, 1001, 2029, 6004];
const NOW = 1_760_000_000_000 as Millis;
const CODE: Mail = { to: 'hanako@example.org', subject: 'Your code is 4711', body: 'https://hub/#secret' };
const NOTICE: Mail = { to: 'taro@example.org', subject: 'Password changed', body: 'this was not me' };

let world: OfficeWorld;
let support: AdminBrowser;
beforeAll(async () => {
  world = await OfficeWorld.start();
  support = (await world.admin(['support'])).browser;
});
afterAll(() => world.hub.close());
beforeEach(() => world.hub.database.owner.query('delete from mail_queue'));

/** A queue whose mails were given up, beside what reads it; the hub's own key is its own. */
async function givenUp(mails: readonly Mail[]) {
  const { database } = world.hub.database;
  const seal = createSeal(randomBytes(32));
  const queue = mailQueue(database, seal);
  const sent: Mail[] = [];
  let accepts = false;
  const sender = {
    async send(mail: Mail) {
      if (!accepts) throw new Error('421');
      sent.push(mail);
    },
  };
  const log = { warn: () => undefined, error: () => undefined };
  const worker = mailWorker({ queue, sender, clock: () => NOW, log });
  for (const mail of mails) {
    await database.withTransaction((client) => queue.put(client, mail, NOW));
    const [row] = await database.query<{ id: string }>('select max(id) as id from mail_queue');
    for (let tries = 0; tries < 8; tries += 1) await queue.failed({ id: row?.id ?? '', tries, mail }, NOW);
  }
  const calls = mailCalls({
    mails: mailDesk(database, seal, worker.wake),
    actOf: (caller, call, reason) => ({ ...actingOf(caller), call, reason }),
  });
  const [admin] = await database.query<{ id: number }>('select id from admins limit 1');
  const caller = { admin: admin?.id ?? 0, sessionId: 's', address: '192.0.2.1', now: NOW } as Parameters<
    (typeof calls)['x/admin/MailRetry']
  >[0];
  const list = async (page: { limit: number; cursor?: string } = { limit: 50 }) => {
    const answer = await calls['x/admin/Mails'](caller, { cursor: undefined, ...page });
    return answer.ok ? answer.value : expect.fail('the list is answered');
  };
  const retry = (mail?: string) => calls['x/admin/MailRetry'](caller, { mail, reason: REASON });
  const mend = () => {
    accepts = true;
  };
  return { list, retry, mend, sent, stop: worker.stop };
}

test('mails that nobody accepted are listed newest first, masked, without their words and without digits of the subject', async () => {
  const { list } = await givenUp([CODE, NOTICE]);
  const { rows, next } = await list();
  expect(rows.map(({ id: _id, ...row }) => row)).toEqual([
    { to: 't***@e***.org', subject: 'Password changed', tries: 8, failedAt: NOW },
    { to: 'h***@e***.org', subject: 'Your code is ****', tries: 8, failedAt: NOW },
  ]);
  expect(next).toBeNull();
  const first = await list({ limit: 1 });
  const second = await list({ limit: 1, cursor: first.next ?? '' });
  expect([...first.rows, ...second.rows]).toEqual(rows);
  expect(second.next).toBeNull();
});

test('one is tried again with a reason, which stands in the log without whom it is for; the same again is told so', async () => {
  const { list, retry, mend, sent, stop } = await givenUp([CODE, NOTICE]);
  const [newest] = (await list()).rows;
  mend();
  expect(await retry(newest?.id)).toEqual({ ok: true, value: { mails: 1 } });
  await expect.poll(() => sent).toEqual([NOTICE]);
  expect((await list()).rows.map(({ subject }) => subject)).toEqual(['Your code is ****']);
  expect(await retry(newest?.id)).toEqual({ ok: false, code: { error: 'subject-unknown' } });
  await stop();
  const logged = await world.hub.database.owner.query(
    `select subject, outcome, reason, details->>'mails' as mails from audit_log where call = 'x/admin/MailRetry'`,
  );
  expect(logged).toEqual([{ subject: `mail ${newest?.id}`, outcome: 'ok', reason: REASON, mails: '1' }]);
});

test('all are tried again at once, and none that still waits by itself', async () => {
  const { list, retry, mend, sent, stop } = await givenUp([CODE, NOTICE]);
  const { database } = world.hub.database;
  await database.query(`insert into mail_queue (mail, next_at) values ('v1.waits', $1)`, [NOW + 1]);
  mend();
  expect(await retry()).toEqual({ ok: true, value: { mails: 2 } });
  await expect.poll(() => sent.length).toBe(2);
  await stop();
  expect((await list()).rows).toEqual([]);
  expect(await database.query('select next_at from mail_queue')).toEqual([{ next_at: String(NOW + 1) }]);
});

test('the call itself: who may, with a fresh proof and a reason, about what is there', async () => {
  expect((await support.must('x/admin/Mails', {})).rows).toEqual([]);
  const retry = (browser: AdminBrowser, input: object) =>
    browser.call('x/admin/MailRetry', { reason: REASON, ...input });
  expect((await retry(support, {})).code).toBe(UNKNOWN);
  expect((await retry(support, { mail: '7' })).code).toBe(UNKNOWN);
  for (const input of [{ mail: 'x' }, { mail: '0' }, { mail: '9'.repeat(19) }, { reason: 'short' }])
    expect((await retry(support, input)).code).toBe(FIELD_INVALID);
  const unproved = (await world.admin(['support'], false)).browser;
  expect((await retry(unproved, {})).code).toBe(PROOF_MISSING);
  const auditor = (await world.admin(['auditor'])).browser;
  expect((await auditor.must('x/admin/Mails', {})).next).toBeNull();
  expect((await retry(auditor, {})).code).toBe(ROLE_MISSING);
  const health = await support.must('x/admin/Health', {});
  expect([health.mailsWaiting, health.mailsFailed]).toEqual([0, 0]);
});
