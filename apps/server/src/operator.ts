import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseAmount } from '@crossbook/domain';
import { readConfig } from './config.ts';
import { type Database, openDatabase } from './storage/postgres/database.ts';
import { runningDatabase } from './storage/postgres/running-database.ts';

/**
 * `npm run incidents [-- --all]` shows what needs a person. `npm run resolve -- <order> absent "<reason>"` or
 * `npm run resolve -- <order> filled <quantity> <quote amount> "<reason>"` asks the running hub to end an order of which
 * nothing can be proved; the hub decides in the order's lane and writes an audit that nobody can change.
 */

const ROOT = resolve(import.meta.dirname, '../../..');
const USAGE = 'usage: npm run resolve -- <order> absent|filled [<quantity> <quote amount>] "<reason>"';
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);
/** The hub looks for requests every two seconds. */
const ANSWER_LOOKS_MAX = 60;
const ANSWER_LOOK_EVERY_MILLIS = 500;

async function incidents(database: Database, all: boolean): Promise<number> {
  const rows = await database.query<{
    subject: string;
    subject_id: string;
    what: string;
    evidence: Record<string, unknown>;
    opened_at: string;
    closed_at: string | null;
  }>(
    `select * from incidents where $1 or closed_at is null order by opened_at desc, sequence desc limit 200`,
    [all],
  );
  const time = (millis: string) => new Date(Number(millis)).toISOString();
  for (const { subject, subject_id, what, evidence, opened_at, closed_at } of rows) {
    const until = closed_at === null ? 'open' : `over ${time(closed_at)}`;
    say(`${time(opened_at)}  ${subject} ${subject_id}  ${what}  (${until})`);
    for (const [name, value] of Object.entries(evidence)) say(`    ${name}: ${String(value)}`);
  }
  say(rows.length === 0 ? 'no incident is open' : `${rows.length} incidents`);
  return 0;
}

async function resolveOrder(database: Database, words: readonly string[]): Promise<number> {
  const [orderId = '', resolution = '', ...rest] = words;
  const stats = resolution === 'filled' ? rest.slice(0, 2) : [];
  const reason = rest.slice(stats.length).join(' ');
  const sound =
    /^[0-9a-f-]{36}$/.test(orderId) &&
    (resolution === 'absent' || resolution === 'filled') &&
    stats.every((text) => parseAmount(text) !== undefined) &&
    (resolution === 'absent' || stats.length === 2) &&
    reason.length >= 10;
  if (!sound) {
    complain(`${USAGE}\nThe reason has ten letters at least.`);
    return 2;
  }
  const id = randomUUID();
  await database.query(
    `insert into operator_requests
       (id, order_id, resolution, quantity, quote_quantity, operator, reason, requested_at)
     values ($1, $2, $3, $4, $5, $6, $7, (extract(epoch from clock_timestamp()) * 1000)::bigint)`,
    [id, orderId, resolution, stats[0] ?? null, stats[1] ?? null, userInfo().username, reason],
  );
  for (let looks = 0; looks < ANSWER_LOOKS_MAX; looks += 1) {
    const [row] = await database.query<{ outcome: string; answer: string; evidence: unknown }>(
      'select outcome, answer, evidence from operator_audit where request_id = $1',
      [id],
    );
    if (row !== undefined) {
      say(JSON.stringify(row.evidence, undefined, 2));
      say(`${row.outcome}: ${row.answer}`);
      return row.outcome === 'done' ? 0 : 1;
    }
    await delay(ANSWER_LOOK_EVERY_MILLIS);
  }
  complain('no hub has answered yet; the request waits until one does');
  return 1;
}

const [command, ...words] = process.argv.slice(2);
const envFile = join(ROOT, '.env');
// The start hands the simulator's address over to the hub; nothing here asks it.
const environment = { SIMULATOR_URL: 'http://127.0.0.1:1', ...process.env };
const config = readConfig(environment, existsSync(envFile) ? readFileSync(envFile, 'utf8') : '');
const address = runningDatabase(config.databaseUrl, join(resolve(ROOT, config.dataDir), 'postgres'));
if (address === undefined) {
  complain('no running database: start the hub, or set DATABASE_URL');
  process.exit(1);
}
const database = openDatabase({ address, connectionsMax: 1 });
const work =
  command === 'resolve' ? resolveOrder(database, words) : incidents(database, words.includes('--all'));
const code = await work.finally(() => database.close());
process.exit(code);
