import { randomBytes } from 'node:crypto';
import type { Millis } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { openedForEach } from '../../../../../tests/opened.ts';
import type { Mail } from '../../accounts/ports.ts';
import { mailQueue } from '../../storage/stores/mail-queue.ts';
import { createSeal } from '../../storage/stores/seal.ts';
import { openTestDatabase } from '../../storage/testing.ts';
import { mailWorker } from './mail-worker.ts';

const db = openedForEach(openTestDatabase);

const MAIL: Mail = { to: 'a@example.org', subject: 'subject', body: 'https://example.org/freeze#secret' };

/** A queue with a server behind it that takes mails when it is told to. */
function worker() {
  let now = 1_760_000_000_000 as Millis;
  let accepts = true;
  const sent: Mail[] = [];
  const logged: string[] = [];
  const queue = mailQueue(db.database, createSeal(randomBytes(32)));
  const parts = {
    queue,
    clock: () => now,
    log: { warn: (_facts: object, event: string) => logged.push(event), error: () => undefined },
    sender: {
      async send(mail: Mail) {
        if (!accepts) throw new Error('421');
        sent.push(mail);
      },
    },
  };
  return {
    ...{ queue, sent, logged },
    sweep: () => queue.sweep(now),
    put: () => db.database.withTransaction((client) => queue.put(client, MAIL, now)),
    refuse: (yes: boolean) => {
      accepts = !yes;
    },
    pass: (millis: number) => {
      now = (now + millis) as Millis;
    },
    /** Works off what is due. */
    async run() {
      const one = mailWorker(parts);
      one.wake();
      // Stopping lets the mail under way end, and takes no further one.
      while ((await queued()) > 0 && (await due(now)) > 0) await new Promise((next) => setImmediate(next));
      await one.stop();
    },
  };
}

async function queued(): Promise<number> {
  const rows = await db.owner.query<{ n: string }>('select count(*) as n from mail_queue');
  return Number(rows[0]?.n);
}

async function due(now: Millis): Promise<number> {
  const rows = await db.owner.query<{ n: string }>(
    'select count(*) as n from mail_queue where next_at <= $1',
    [now],
  );
  return Number(rows[0]?.n);
}

test('a mail is sent once and leaves nothing behind; its text is not readable in the queue', async () => {
  const { put, run, sent } = worker();
  await put();
  expect(JSON.stringify(await db.owner.query('select * from mail_queue'))).not.toContain('secret');
  await run();
  await run();
  expect(sent).toEqual([MAIL]);
  expect(await queued()).toBe(0);
});

test('one whose transaction is undone is never sent', async () => {
  const { queue, run, sent } = worker();
  const undone = db.database.withTransaction(async (client) => {
    await queue.put(client, MAIL, 0 as Millis);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await run();
  expect(sent).toEqual([]);
});

test('one that was not accepted is tried again after a wait, and given up after eight tries', async () => {
  const { put, run, sent, refuse, pass, logged, sweep } = worker();
  await put();
  refuse(true);
  await run();
  expect(await queued()).toBe(1);
  refuse(false);
  await run();
  expect(sent).toEqual([]);
  pass(120_000);
  await run();
  expect(sent).toEqual([MAIL]);
  await put();
  refuse(true);
  for (let count = 0; count < 8; count += 1) {
    pass(2 * 3_600_000);
    await run();
  }
  expect(logged).toHaveLength(9);
  // Given up: nobody sends it by himself any more, and a week later it is gone.
  const given = await db.owner.query<{ tries: number; failed_at: string }>(
    'select tries, failed_at from mail_queue',
  );
  expect(given).toEqual([{ tries: 8, failed_at: expect.stringMatching(/^17/) }]);
  refuse(false);
  pass(6 * 86_400_000);
  await run();
  expect(sent).toHaveLength(1);
  await sweep();
  expect(await queued()).toBe(1);
  pass(2 * 86_400_000);
  await sweep();
  expect(await queued()).toBe(0);
});

test('of those given up the newest thousand are kept', async () => {
  const { queue } = worker();
  await db.owner.query(
    `insert into mail_queue (mail, tries, next_at, failed_at)
     select 'm1.' || n, 8, 9007199254740991, 1 from generate_series(1, 1000) n`,
  );
  const [last] = await db.owner.query<{ id: string }>(
    `insert into mail_queue (mail, tries, next_at) values ('m1.last', 7, 0) returning id`,
  );
  await queue.failed({ id: last?.id ?? '', tries: 7, mail: MAIL }, 2 as Millis);
  expect(await queued()).toBe(1_000);
  const kept = await db.owner.query<{ mail: string }>(
    `select mail from mail_queue where mail in ('m1.1', 'm1.2', 'm1.last') order by id`,
  );
  expect(kept.map(({ mail }) => mail)).toEqual(['m1.2', 'm1.last']);
});
