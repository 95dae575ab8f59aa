import { type ExecFileException, execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ORDER_STATUS } from '@crossbook/domain';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ledgerBreaches } from '../../apps/server/src/storage/ledger/ledger-check.ts';
import { ownerAddressOf } from '../../apps/server/src/storage/open-storage.ts';
import { type Database, openDatabase } from '../../apps/server/src/storage/postgres/database.ts';
import { auditFile } from '../../apps/server/src/storage/stores/audit-file.ts';
import { memoryFolder } from '../memory-folder.ts';
import {
  type HubProcess,
  ordersOf,
  type SimulatorProcess,
  startHubProcess,
  startSimulatorProcess,
  until,
} from './hub-process.ts';
import { lockedOf } from './venue-money.ts';

/** The operator's commands as `npm run` starts them, beside a hub on its own PostgreSQL. */

const root = join(import.meta.dirname, '../..');
const OPERATOR = 'operator@example.org';
const BINANCE = { platformType: 43 } as const;
const RESTING = {
  ...BINANCE,
  ...{ tinstType: 1, symbol: 'BTCUSDT', side: 1, orderType: 1, price: '50000', quantity: '0.0004' },
} as const;
const REASON = 'the exchange confirmed it in writing';
/** Older than the age at which an open outcome is told to the operator. */
const LONG_AGO_MILLIS = 660_000;

vi.setConfig({ testTimeout: 240_000 });

let folder: string;
let simulator: SimulatorProcess;
let hub: HubProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(memoryFolder(), 'crossbook operator '));
  simulator = await startSimulatorProcess();
  // No rule ever proves that an order is absent: that is the operator's to decide.
  const own = { DATABASE_URL: '', DATA_DIR: join(folder, 'paper') };
  hub = await startHubProcess(simulator, {
    ...own,
    ABSENCE_SPAN_MILLIS: '86400000',
    OPERATOR_MAIL: OPERATOR,
  });
});
afterAll(async () => {
  await hub?.stop();
  await simulator?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Ran {
  readonly code: number;
  readonly said: string;
}

/** A demo admin's calls; the first begins the session. */
async function demoAdmin(): Promise<(name: string, fields?: object) => Promise<AdminAnswer>> {
  let [cookie, stoken] = ['', ''];
  const call = async (name: string, fields: object = {}): Promise<AdminAnswer> => {
    const body = new URLSearchParams({ sosflag: '3', stoken, ...fields });
    const answer = await fetch(`${hub.url}/api/x/admin/${name}`, {
      method: 'POST',
      body,
      headers: { cookie },
    });
    cookie = /^[^;]*/.exec(answer.headers.getSetCookie()[0] ?? '')?.[0] || cookie;
    return (await answer.json()) as AdminAnswer;
  };
  stoken = (await call('Demo', { as: 'maker' })).data?.token ?? '';
  return call;
}

interface AdminAnswer {
  readonly code: number;
  readonly data: {
    readonly token?: string;
    readonly rows?: readonly { readonly subjectId: string; readonly request: object | null }[];
  } | null;
}

/** Runs a command of package.json. */
function run(
  name: 'audit' | 'content' | 'incidents' | 'resolve',
  dataDir: string,
  words: readonly string[] = [],
): Promise<Ran> {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const [, ...args] = (scripts[name] ?? '').split(' ');
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: join(folder, dataDir) };
  return new Promise((resolve) => {
    const ended = (error: ExecFileException | null, out: string, err: string) =>
      resolve({ code: Number(error?.code ?? 0), said: out + err });
    execFile(process.execPath, [...args, ...words], { cwd: root, env }, ended);
  });
}

async function withDatabase<Value>(work: (database: Database) => Promise<Value>): Promise<Value> {
  const address = ownerAddressOf({ directory: join(folder, 'paper', 'postgres') });
  if (address === undefined) throw new Error('no database');
  const database = openDatabase({ address, connectionsMax: 1 });
  return work(database).finally(() => database.close());
}

test('an order of which nothing can be proved is told, shown, and ended by the operator, and its money is free', async () => {
  const member = await hub.memberWithFunds('1000');
  const orderId = crypto.randomUUID();
  const onScreen = crypto.randomUUID();
  await simulator.admin('faults', { kind: 'timeout-before', match: 'order.place', count: 2 });
  const placed = await member.call('connextrade/PlaceOrder', { ...RESTING, clientId: orderId });
  expect(placed).toMatchObject({ code: 1, data: { status: ORDER_STATUS.UNKNOWN } });
  // At once: a few seconds later it can arrive no more.
  const early = await run('resolve', 'paper', [orderId, 'absent', REASON]);
  expect(early).toMatchObject({ code: 1, said: expect.stringMatching(/refused: .* may still arrive/) });
  const other = await hub.memberWithFunds('1000');
  await other.call('connextrade/PlaceOrder', { ...RESTING, clientId: onScreen });
  expect(await run('resolve', 'paper', [orderId, 'absent', 'short'])).toMatchObject({ code: 2 });
  expect(await run('incidents', 'paper')).toMatchObject({ code: 0, said: 'no incident is open\n' });

  // The hub dies, and comes back long after.
  const aged = () =>
    withDatabase((database) =>
      database.query(
        `update orders set first_look_at = first_look_at - $2, fence_closes_at = fence_closes_at - $2
         where id = any($1) and first_look_at > extract(epoch from now()) * 1000 - $2 returning id`,
        [[orderId, onScreen], LONG_AGO_MILLIS],
      ),
    );
  let made = 0;
  await until(aged, (rows) => {
    made += rows.length;
    return made === 2;
  });
  await hub.kill();
  await hub.again();
  // A command is a process: the mails say when it is worth asking one.
  const mails = await until(
    async () =>
      (await (await fetch(`${hub.url}/dev/outbox.json?to=${OPERATOR}`)).json()) as readonly {
        readonly subject: string;
      }[],
    (rows) => rows.length > 1,
  );
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual(
    [orderId, onScreen].map((id) => `Incident: order ${id}`).toSorted(),
  );
  const reported = await run('incidents', 'paper');
  for (const id of [orderId, onScreen]) expect(reported.said).toContain(id);
  expect(reported.said).toMatch(/the outcome is still open {2}\(open\)/);
  expect(await lockedOf(member, BINANCE)).toEqual(['20 USDT']);

  const resolved = await run('resolve', 'paper', [orderId, 'absent', REASON]);
  expect(resolved).toMatchObject({ code: 0, said: expect.stringMatching(/done: the order has ended\n$/) });
  expect(resolved.said).toContain('"venue"');
  expect(await ordersOf(member)).toMatchObject([
    { orderId, status: ORDER_STATUS.FAIL, settled: true, reason: expect.stringContaining(REASON) },
  ]);
  expect(await lockedOf(member, BINANCE)).toEqual([]);

  // The same on the page of incidents: the hub is asked, and its answer is read there.
  const admin = await demoAdmin();
  const asked = { order: onScreen, resolution: 'absent', reason: REASON };
  expect(await admin('OrderResolve', asked)).toMatchObject({ code: 1, data: { approval: null } });
  const answered = await until(
    async () => {
      const { data } = await admin('Incidents', { all: 'true' });
      return data?.rows?.find(({ subjectId }) => subjectId === onScreen)?.request as { outcome?: string };
    },
    (request) => (request?.outcome ?? null) !== null,
  );
  expect(answered).toMatchObject({ outcome: 'done', answer: 'the order has ended', resolution: 'absent' });
  expect(await ordersOf(other)).toMatchObject([{ orderId: onScreen, settled: true }]);
  expect(await lockedOf(other, BINANCE)).toEqual([]);
  const open = async () => (await admin('Incidents', {})).data?.rows ?? [];
  await until(open, (rows) => rows.length === 0);
  expect(await run('incidents', 'paper')).toMatchObject({ code: 0, said: 'no incident is open\n' });
  expect((await run('incidents', 'paper', ['--all'])).said).toMatch(/still open {2}\(over /);
  const again = await run('resolve', 'paper', [orderId, 'absent', REASON]);
  expect(again).toMatchObject({ code: 1, said: expect.stringMatching(/refused: .* ended already/) });
  expect(await withDatabase((database) => ledgerBreaches(database, 'fold'))).toEqual([]);
});

test('what the operator publishes is read by everybody, and in the audit log like all he did; a changed row shows', async () => {
  const words = { title: 'Maintenance on Sunday', body: 'Trading pauses for **an hour**.' };
  const sound = { kind: 'announcement', slug: 'maintenance', texts: { en: words, ja: words, ko: words } };
  const file = join(folder, 'announcement.json');
  const publish = (content: object) => {
    writeFileSync(file, JSON.stringify(content));
    return run('content', 'paper', ['publish', file]);
  };
  expect(await publish({ ...sound, texts: { en: words } })).toMatchObject({ code: 1 });
  expect(await publish(sound)).toMatchObject({
    code: 0,
    said: expect.stringMatching(/maintenance version 1 holds/),
  });
  const read = await fetch(`${hub.url}/api/x/content/Get?kind=announcement&slug=maintenance`);
  expect(await read.json()).toMatchObject({ code: 1, data: { ...words, version: 1 } });

  const unsealed = () => withDatabase((database) => database.query('select entry from audit_unsealed'));
  await until(unsealed, (rows) => rows.length === 0);
  expect(await run('audit', 'paper', ['verify'])).toMatchObject({
    code: 0,
    said: expect.stringMatching(
      /^The audit log is intact: \d+ rows, 0 wait.*\nThe journals of money are as sealed: decisions up to [1-9]\d*, movements up to [1-9]/,
    ),
  });
  const spoil = (set: string) =>
    withDatabase((database) =>
      database.query(`begin; set local session_replication_role = replica;
        update money_decisions set ${set} where id = 1; commit`),
    );
  await spoil('member = member + 1');
  expect(await run('audit', 'paper', ['verify'])).toMatchObject({
    code: 1,
    said: expect.stringMatching(
      /\nBROKEN {2}changed: row 1 of the journal of decisions\n {8}\["1", .*test-funds/,
    ),
  });
  await spoil('member = member - 1');
  const log = join(folder, 'audit-log.jsonl');
  await withDatabase(async ({ pool }) => writeFileSync(log, (await auditFile(pool, 0)).bytes));
  expect(await run('audit', 'paper', ['verify-file', log])).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^The file is intact: places 1 to \d+\./),
  });
  writeFileSync(log, readFileSync(log, 'utf8').replace('content/publish', 'content/nothing'));
  expect(await run('audit', 'paper', ['verify-file', log])).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^BROKEN {2}line \d+: changed or swapped\n$/),
  });
  await withDatabase(async (database) => {
    const calls = await database.query<{ call: string }>(
      `select call from audit_log where actor_kind = 'operator' order by id`,
    );
    expect(calls.map(({ call }) => call)).toEqual([
      ...['resolve/absent', 'resolve/absent', 'x/admin/Demo', 'x/admin/OrderResolve'],
      ...['resolve/absent', 'resolve/absent', 'content/publish'],
    ]);
    await database.query(`begin; set local session_replication_role = replica;
      update audit_log set reason = 'nobody asked' where call = 'content/publish' and actor_kind = 'operator'; commit`);
  });
  const changed = await run('audit', 'paper', ['verify']);
  expect(changed).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^BROKEN {2}changed or swapped: place \d+, row \d+\n$/),
  });
});

test('with real money nothing is resolved', async () => {
  const http = simulator.url;
  const socket = http.replace(/^http/, 'ws');
  const live = await startHubProcess(simulator, {
    ...{ DATABASE_URL: '', DATA_DIR: join(folder, 'live'), MONEY: 'live', SMTP_URL: 'smtp://127.0.0.1:9' },
    LOG_SINK_URL: 'stderr',
    ...{ PLATFORM_1: 'coming-soon', PLATFORM_2: 'coming-soon', PLATFORM_3: 'coming-soon' },
    ...{ VENUE_1_REST_BASE: http, VENUE_1_FUTURES_REST_BASE: http, VENUE_1_STREAM_BASE: socket },
    ...{ VENUE_1_FUTURES_STREAM_BASE: socket, VENUE_1_WSAPI_URL: `${socket}/ws-api/v3` },
    ...{ VENUE_2_REST_BASE: http, VENUE_2_STREAM_BASE: socket },
    ...{ VENUE_3_REST_BASE: http, VENUE_3_STREAM_BASE: socket },
  });
  const refused = await run('resolve', 'live', [crypto.randomUUID(), 'absent', REASON]);
  expect(refused).toMatchObject({ code: 1, said: expect.stringMatching(/refused: .* two people must sign/) });
  expect(await run('incidents', 'live')).toMatchObject({ code: 0, said: 'no incident is open\n' });
  await live.stop();
});
