import { randomUUID } from 'node:crypto';
import type { AdminCaller, CallAnswer } from '@crossbook/contract';
import { amount, type Millis, type OrderId } from '@crossbook/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sha256Hex } from '../accounts/keyed-hash.ts';
import { approvalStore } from '../storage/stores/office/approval-store.ts';
import { orderDesk } from '../storage/stores/office/order-desk.ts';
import { type AdminBrowser, OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';
import { orderCalls } from './order-calls.ts';
import type { Act } from './ports.ts';

const [FIELD_INVALID, UNKNOWN, DECIDED] = [1001, 6004, 6005];
const CALL = 'x/admin/OrderResolve';
let world: OfficeWorld;
let maker: AdminBrowser;
let order: string;
beforeAll(async () => {
  world = await OfficeWorld.start();
  maker = (await world.admin(['treasury-maker'])).browser;
});
afterAll(() => world.hub.close());
beforeEach(async () => {
  order = await newOrder(false);
});

/** An order as far as the back office looks at one, with an incident; nobody trades it. */
async function newOrder(settled: boolean): Promise<string> {
  const id = randomUUID();
  const { owner } = world.hub.database;
  await owner.query(
    `insert into orders (id, user_id, platform, symbol_type, symbol, base, quote, side, order_type, time_in_force, price,
       quantity, send_type, send_time_in_force, send_price, payload_hash, hold_id, hold_asset, hold_amount, status, settled,
       created_at, updated_at)
     values ($1, 100001, 1, 'SPOT', 'BTCUSDT', 'BTC', 'USDT', 1, 1, 1, 10, 2, 1, 1, 10, '', $1, 'USDT', 20, 0, $2, 1, 1)`,
    [id, settled],
  );
  await owner.query(
    `insert into incidents (subject, subject_id, what, evidence, opened_at) values ('order', $1, 'open', '{}', 1)`,
    [id],
  );
  return id;
}

function asked() {
  return world.hub.database.owner.query<Record<string, unknown>>(
    `select resolution, quantity, quote_quantity, operator, reason, approval, seen_quantity::text, seen_quote::text
     from operator_requests where order_id = $1`,
    [order],
  );
}

describe('an order is put to the hub', () => {
  test('by an admin, once at a time, with his reason in the log; the page shows what was asked and answered', async () => {
    const fields = { order, resolution: 'filled', reason: REASON } as const;
    const filled = { ...fields, quantity: '1.5', quoteQuantity: '14.9' };
    expect(await maker.must(CALL, filled)).toEqual({ approval: null });
    expect(await asked()).toMatchObject([
      {
        resolution: 'filled',
        reason: REASON,
        approval: null,
        operator: expect.stringMatching(/^admin \d+$/),
      },
    ]);
    expect((await maker.call(CALL, filled)).code).toBe(DECIDED);
    const incident = async () =>
      (await maker.must('x/admin/Incidents', {})).rows.find(({ subjectId }) => subjectId === order)?.request;
    expect(await incident()).toMatchObject({ resolution: 'filled', outcome: null, answer: '' });
    const { owner } = world.hub.database;
    const [audit] = await owner.query<{ reason: string; details: object }>(
      `select reason, details from audit_log where subject = $1 and call = $2 and outcome = 'ok'`,
      [`order ${order}`, CALL],
    );
    expect(audit).toMatchObject({ reason: REASON, details: { quantity: '1.5', quoteQuantity: '14.9' } });
    await owner.query(
      `with r as (update operator_requests set answer = 'its outcome is not in doubt', answered_at = 2
         where order_id = $1 returning *)
       insert into operator_audit (request_id, order_id, operator, resolution, reason, outcome, answer, evidence, at)
       select id, order_id, operator, resolution, reason, 'refused', answer, '{"seen": "it"}', 2 from r`,
      [order],
    );
    expect(await incident()).toMatchObject({
      ...{ outcome: 'refused', answer: 'its outcome is not in doubt', evidence: '{"seen": "it"}' },
    });
    expect((await maker.call(CALL, { ...fields, resolution: 'absent' })).code).toBe(SUCCESS);
  });

  test.each([
    ['filled without what it came to', { resolution: 'filled', quantity: '1' }, 'quoteQuantity'],
    ['filled with nothing', { resolution: 'filled' }, 'quantity'],
    [
      'filled with less than nothing',
      { resolution: 'filled', quantity: '-1', quoteQuantity: '1' },
      'quantity',
    ],
    ['absent with a figure', { resolution: 'absent', quantity: '1' }, 'quantity'],
    ['another end', { resolution: 'lost' }, 'resolution'],
    ['no reason', { resolution: 'absent', reason: 'short' }, 'reason'],
    ['an id that is none', { resolution: 'absent', order: '1' }, 'order'],
  ])('but not as %s', async (_name, fields, field) => {
    const { code, msg } = await maker.send(CALL, { order, reason: REASON, ...fields });
    expect([code, msg]).toEqual([FIELD_INVALID, expect.stringContaining(`"${field}"`)]);
    expect(await asked()).toEqual([]);
  });

  test('but not when it is not there, or has ended', async () => {
    const absent = { resolution: 'absent', reason: REASON } as const;
    expect((await maker.call(CALL, { ...absent, order: randomUUID() })).code).toBe(UNKNOWN);
    order = await newOrder(true);
    expect((await maker.call(CALL, { ...absent, order })).code).toBe(DECIDED);
    expect(await asked()).toEqual([]);
    const tries = await world.hub.database.owner.query(
      'select outcome from audit_log where call = $1 order by id desc limit 2',
      [CALL],
    );
    expect(tries).toEqual([{ outcome: 'already-decided' }, { outcome: 'subject-unknown' }]);
  });
});

describe('with real money two sign', () => {
  /** The call as a hub with real money has it, on the same database. */
  async function signedBy(act: Act) {
    const { database } = world.hub.database;
    const approvals = approvalStore(database, {
      putMail: async () => undefined,
      mailsWritten: () => undefined,
    });
    const calls = orderCalls({
      ...{ orders: orderDesk(database), realMoney: true, actOf: () => act },
      async ask(by, { kind, subject, what }): Promise<CallAnswer<{ approval: string }>> {
        const payload = JSON.stringify(what);
        const payloadHash = sha256Hex(payload);
        const expiresAt = (by.now + 1_000) as Millis;
        const approval = await approvals.ask(by, {
          ...{ kind, subject, payload, payloadHash, expiresAt, audited: payload },
        });
        return { ok: true, value: { approval } };
      },
    });
    const answer = await calls[CALL]({} as AdminCaller, {
      ...{ order: order as OrderId, resolution: 'filled', reason: REASON },
      ...{ quantity: amount('1.5'), quoteQuantity: amount('14.9') },
    });
    return answer.ok ? (answer.value.approval ?? '') : '';
  }

  async function makerAct(): Promise<Act> {
    const [row] = await world.hub.database.owner.query<{ admin: number; session: string }>(
      `select a.id as admin, s.id as session from admins a join admin_sessions s on s.admin = a.id
       where 'treasury-maker' = any(a.roles) order by s.created_at desc limit 1`,
    );
    if (row === undefined) throw new Error('no maker');
    return { ...row, address: '', now: world.hub.now(), call: CALL, reason: REASON };
  }

  test('one asks, another approves, and the request names both and what was booked; nothing is asked before', async () => {
    const booked = 'update orders set cum_quantity = 0.25, cum_quote = 2.5 where id = $1';
    await world.hub.database.owner.query(booked, [order]);
    const act = await makerAct();
    const approval = await signedBy(act);
    expect(await asked()).toEqual([]);
    const { browser: checker } = await world.admin(['treasury-checker']);
    const { rows } = await checker.must('x/admin/Approvals', {});
    const row = rows.find(({ id }) => id === approval);
    expect(row).toMatchObject({ kind: 'resolve-order', subject: `order ${order}`, mayDecide: true });
    const { browser: support } = await world.admin(['kyc']);
    const decide = { approval, payloadHash: row?.payloadHash ?? '', reason: REASON };
    expect((await support.call('x/admin/Approve', decide)).code).toBe(6001);
    await checker.must('x/admin/Approve', decide);
    expect(await asked()).toMatchObject([
      {
        ...{ resolution: 'filled', approval, seen_quantity: '0.25', seen_quote: '2.5' },
        operator: expect.stringMatching(`^admins ${act.admin} and \\d+$`),
      },
    ]);
    expect((await checker.call('x/admin/Approve', decide)).code).toBe(DECIDED);
  });

  test('and the database takes nothing else in the name of two', async () => {
    const approval = await signedBy(await makerAct());
    const insert = (part: object) => {
      const row = { order, resolution: 'filled', quantity: '1.5', quote: '14.9', ...part };
      return world.hub.database.database.query(
        `insert into operator_requests
           (id, order_id, resolution, quantity, quote_quantity, operator, reason, requested_at, approval, seen_quantity, seen_quote)
         values ($1, $2, $3, $4, $5, 'admins 1 and 2', 'long enough a reason', 1, $6, 0, 0)`,
        [randomUUID(), row.order, row.resolution, row.quantity, row.quote, approval],
      );
    };
    // Nobody has approved it yet.
    await expect(insert({})).rejects.toThrow('does not end order');
    const { browser: checker } = await world.admin(['treasury-checker']);
    const { rows } = await checker.must('x/admin/Approvals', {});
    const payloadHash = rows.find(({ id }) => id === approval)?.payloadHash ?? '';
    await checker.must('x/admin/Approve', { approval, payloadHash, reason: REASON });
    const { database } = world.hub.database;
    const seen = ['seen_quantity = 1', 'seen_quote = 1', 'seen_quantity = null, seen_quote = null'];
    for (const change of [...seen, 'quantity = 2', 'quote_quantity = 99', `order_id = '${randomUUID()}'`]) {
      const changed = database.query(`update operator_requests set ${change} where approval = $1`, [
        approval,
      ]);
      await expect(changed).rejects.toThrow('does not end order');
    }
  });
});
