import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { PostgresLedgerStore } from '../apps/server/src/storage/ledger/ledger-store.ts';
import { migrate, readMigrations } from '../apps/server/src/storage/migrations/migrations.ts';
import { APP_ROLE } from '../apps/server/src/storage/open-storage.ts';
import { type Database, openDatabase } from '../apps/server/src/storage/postgres/database.ts';
import { startEmbeddedPostgres } from '../apps/server/src/storage/postgres/embedded-postgres.ts';
import { type Amount, amount, type UserId } from '../packages/domain/src/index.ts';
import { type AccountRef, holdId, type LedgerUnit, transferId } from '../packages/ledger/src/index.ts';
import {
  type Bench,
  type Contender,
  compared,
  type Figure,
  interleave,
  median,
  quantile,
  type Reporter,
} from './harness.ts';

const CALLERS = 200;
const MEMBERS = 10_000;
const ROUNDS = 5;
const ROUND_SECONDS = 4;
const ONE = amount('0.01');
const PGBENCH_SCALE = 10;

const funding = (user: number): AccountRef => ({ class: 'FUNDING', user: user as UserId, asset: 'USDT' });
const fees: AccountRef = { class: 'HOUSE_FEE', asset: 'USDT' };
const outside: AccountRef = { class: 'EXTERNAL', counterparty: 'venue:1', asset: 'USDT' };
const member = (): number => 1 + Math.floor(Math.random() * MEMBERS);
let made = 0;
const fresh = (): number => {
  made += 1;
  return made;
};

function post(from: AccountRef, to: AccountRef, sum: Amount = ONE): LedgerUnit {
  return {
    commands: [
      { do: 'post', id: transferId('bench', fresh()), from, to, amount: sum, kind: 'universal-transfer' },
    ],
  };
}

/** Workloads by name; each makes the next unit of one caller. */
const WORKLOADS: Readonly<Record<string, () => LedgerUnit>> = {
  'transfers between members': () => post(funding(member()), funding(member())),
  'transfers into one hot account': () => post(funding(member()), fees),
  'transfers, 1 % refused': () =>
    Math.random() < 0.01
      ? post(funding(member()), fees, amount('1000000000'))
      : post(funding(member()), fees),
  'order lives (hold, fill, release)': () => {
    const hold = holdId('bench', fresh());
    return {
      commands: [
        { do: 'hold', id: hold, account: funding(member()), amount: ONE, kind: 'order-hold' },
        {
          do: 'post-held',
          id: transferId('bench', fresh()),
          hold,
          to: outside,
          amount: amount('0.004'),
          kind: 'fill',
        },
        { do: 'release', hold },
      ],
    };
  },
};

async function fund(ledger: PostgresLedgerStore): Promise<void> {
  const units = Array.from({ length: MEMBERS }, (_, index) =>
    post(outside, funding(index + 1), amount('1000000')),
  );
  await Promise.all(units.map((unit) => ledger.commit(unit)));
}

/** Closed loop: every caller sends its next unit when the last one is durable. */
async function callers(
  ledger: PostgresLedgerStore,
  next: () => LedgerUnit,
): Promise<{ rate: number; waits: number[] }> {
  const waits: number[] = [];
  const begin = performance.now();
  const end = begin + ROUND_SECONDS * 1000;
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const sent = performance.now();
      await ledger.commit(next());
      waits.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, one));
  return { rate: (waits.length * 1000) / (performance.now() - begin), waits };
}

/** Hundredths of a second the server has used so far: the postmaster, what its ended children used, and the living. */
function serverTicks(postmaster: number): number {
  const fields = (pid: number): readonly string[] => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  };
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ');
  const own = fields(postmaster).slice(11, 15);
  const living = children.flatMap((child) => {
    try {
      return fields(Number(child)).slice(11, 13);
    } catch {
      return [];
    }
  });
  return [...own, ...living].reduce((sum, ticks) => sum + Number(ticks), 0);
}

/** Adds to each contender what its rounds cost the server: the figure that holds on a busy machine, too. */
function metered(contender: Contender, postmaster: number, costs: Map<string, number[]>): Contender {
  return {
    ...contender,
    round: async () => {
      const before = serverTicks(postmaster);
      const rate = await contender.round();
      const micros = ((serverTicks(postmaster) - before) * 10_000) / (rate * ROUND_SECONDS);
      costs.set(contender.name, [...(costs.get(contender.name) ?? []), micros]);
      return rate;
    },
  };
}

function pgbenchProgram(): string | undefined {
  return [
    '/usr/lib/postgresql/18/bin/pgbench',
    '/usr/lib/postgresql/15/bin/pgbench',
    '/usr/bin/pgbench',
  ].find(existsSync);
}

function runProgram(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.stderr.on('data', (chunk) => {
      text += chunk;
    });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve(text) : reject(new Error(text))));
  });
}

function pgbenchContender(program: string, where: readonly string[], clients: number): Contender {
  return {
    name: `pgbench -N, ${clients} clients`,
    unit: 'tx/s',
    round: async () => {
      const load = ['-N', '-n', '-c', String(clients), '-j', '2', '-T', String(ROUND_SECONDS)];
      const text = await runProgram(program, [...load, ...where]);
      return Number(/tps = ([0-9.]+)/.exec(text)?.[1] ?? Number.NaN);
    },
  };
}

/** Without pgbench: our own loop of single commits (one update and one insert), the same work as pgbench -N does. */
function singleCommits(database: Database): Contender {
  const text = `with moved as (update bench_single set balance = balance + 1 where id = $1 returning id)
    insert into bench_single_history (account) select id from moved`;
  return {
    name: 'single commits from Node, 32 connections',
    unit: 'tx/s',
    round: async () => {
      let count = 0;
      const begin = performance.now();
      const end = begin + ROUND_SECONDS * 1000;
      const one = async (): Promise<void> => {
        while (performance.now() < end) {
          await database.query({ name: 'bench_single', text }, [member()]);
          count += 1;
        }
      };
      await Promise.all(Array.from({ length: 32 }, one));
      return (count * 1000) / (performance.now() - begin);
    },
  };
}

async function floors(
  owner: Database,
  where: readonly string[],
  report: Reporter,
): Promise<readonly Contender[]> {
  const program = pgbenchProgram();
  if (program !== undefined) {
    await runProgram(program, ['-i', '-q', '-s', String(PGBENCH_SCALE), ...where]);
    return [pgbenchContender(program, where, 8), pgbenchContender(program, where, 32)];
  }
  report('no pgbench on this machine: comparing with single commits from Node instead');
  await owner.query(`create table bench_single (id int primary key, balance bigint not null default 0)`);
  await owner.query(`create table bench_single_history (account int, at timestamptz default now())`);
  await owner.query(`insert into bench_single select generate_series(1, ${MEMBERS})`);
  return [singleCommits(owner)];
}

async function measure(
  ledger: PostgresLedgerStore,
  floor: readonly Contender[],
  postmaster: number,
  report: Reporter,
): Promise<Figure[]> {
  const costs = new Map<string, number[]>();
  const waits = new Map<string, number[]>();
  const ours = Object.entries(WORKLOADS).map(([name, next]) => ({
    name,
    unit: 'units/s',
    round: async () => {
      const measured = await callers(ledger, next);
      waits.set(name, [...(waits.get(name) ?? []), ...measured.waits]);
      return measured.rate;
    },
  }));
  const cpu = process.cpuUsage();
  const before = ledger.stats();
  const contenders = [...floor, ...ours].map((one) => metered(one, postmaster, costs));
  const medians = await interleave(contenders, ROUNDS, report);
  const used = process.cpuUsage(cpu);
  const after = ledger.stats();
  const best = floor.reduce((left, right) =>
    (medians.get(left.name) ?? 0) >= (medians.get(right.name) ?? 0) ? left : right,
  );
  const reference = medians.get(best.name) ?? Number.NaN;
  const figures: Figure[] = floor.map(({ name, unit }) => ({
    figure: name,
    value: medians.get(name) ?? 0,
    unit,
  }));
  for (const { name, unit } of ours) {
    const sample = Float64Array.from(waits.get(name) ?? []);
    figures.push(
      compared({ figure: name, value: medians.get(name) ?? 0, unit }, best.name, reference),
      { figure: `${name}: p50`, value: quantile(sample, 0.5), unit: 'ms' },
      { figure: `${name}: p99`, value: quantile(sample, 0.99), unit: 'ms' },
    );
  }
  const cost = (name: string): number => median(costs.get(name) ?? []);
  for (const { name } of floor) {
    figures.push({ figure: `${name}: PostgreSQL CPU`, value: cost(name), unit: 'us/tx' });
  }
  for (const { name } of ours) {
    const figure = { figure: `${name}: PostgreSQL CPU`, value: cost(name), unit: 'us/unit' };
    figures.push(compared(figure, `${best.name}: PostgreSQL CPU`, cost(best.name)));
  }
  const units = after.units - before.units;
  figures.push(
    { figure: 'units per batch', value: units / (after.batches - before.batches), unit: 'units' },
    { figure: 'Node CPU per unit', value: (used.user + used.system) / units, unit: 'us' },
  );
  return figures;
}

/** After the load the books must still be right to the last digit. */
async function sumsToZero(owner: Database): Promise<void> {
  const [row] = await owner.query<{ wrong: string }>(
    `select count(*) as wrong from (
       select x.id from ledger_accounts x
       left join (select a, sum(m) as moved from (
         select from_account as a, -amount as m from ledger_transfers
         union all select to_account, amount from ledger_transfers) legs group by a) f on f.a = x.id
       where x.posted <> coalesce(f.moved, 0)
       union all select -1 from ledger_accounts group by asset having sum(posted) <> 0) breaches`,
  );
  if (row?.wrong !== '0') throw new Error(`the ledger is wrong after the load: ${row?.wrong} breaches`);
}

/** Transfers per second at 200 callers through the batcher, against pgbench -N on the same server. */
export const bench: Bench = {
  about: `ledger: ${CALLERS} callers through the batcher against pgbench -N on the same PostgreSQL, fsync on`,
  run: async (report) => {
    const folder = mkdtempSync(join(tmpdir(), 'crossbook-bench-'));
    const server = await startEmbeddedPostgres({ directory: folder });
    try {
      const admin = new pg.Client({ ...server.connection('postgres') });
      await admin.connect();
      await admin.query('create database bench');
      await admin.end();
      const address = server.connection('bench');
      await migrate(address, readMigrations().slice(0, 1));
      const owner = openDatabase({ address, connectionsMax: 32 });
      const database = openDatabase({ address: server.connection('bench', APP_ROLE) });
      const ledger = new PostgresLedgerStore(database);
      await fund(ledger);
      const where = ['-h', address.host, '-p', String(address.port), '-U', address.user, address.database];
      const figures = await measure(ledger, await floors(owner, where, report), server.pid, report);
      await sumsToZero(owner);
      report('checked: every balance equals the fold of its movements, every asset sums to zero');
      await ledger.close();
      await database.close();
      await owner.close();
      return figures;
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
