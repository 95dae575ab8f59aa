import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Database } from '../../storage/postgres/database.ts';
import { createGateOperator, type GateEvent } from '../../storage/stores/money-gate-store.ts';
import { notAsked, onDatabase, say } from './installation.ts';

/**
 * `npm run money-gate -- status | close --reason "..." | open --reason "..."`: the operator's hand on the gate before
 * money. Opening is asked of the running hub, which verifies the whole ledger first. Answers 0 when the gate stands as
 * asked, 1 when the hub refused, 2 when nothing could be asked.
 */

const USAGE = 'usage: npm run money-gate -- status | close --reason "..." | open --reason "..."';
const HISTORY_ROWS_MAX = 10;
const ASK_EVERY_MILLIS = 250;
const ANSWER_MILLIS_MAX = 600_000;

function line({ at, event, actor, reason }: GateEvent): string {
  return `${at.toISOString()}  ${event.padEnd(14)}  ${actor}: ${reason}`;
}

async function status(database: Database): Promise<number> {
  const gate = createGateOperator(database);
  say((await gate.isClosed()) ? 'The money gate is closed.' : 'The money gate is open.');
  for (const event of await gate.history(HISTORY_ROWS_MAX)) say(line(event));
  return 0;
}

async function open(database: Database, reason: string, actor: string): Promise<number> {
  const gate = createGateOperator(database);
  if (!(await gate.isClosed())) {
    say('The money gate is open already.');
    return 0;
  }
  const request = await gate.requestOpening(reason, actor);
  say('Asked. The hub verifies every movement and balance now ...');
  for (let waited = 0; waited < ANSWER_MILLIS_MAX; waited += ASK_EVERY_MILLIS) {
    const answer = await gate.answerTo(request);
    if (answer !== undefined) {
      say(line(answer));
      for (const breach of answer.evidence) say(`  ${JSON.stringify(breach)}`);
      return answer.event === 'opened' ? 0 : 1;
    }
    await delay(ASK_EVERY_MILLIS);
  }
  say('No hub has answered. The request stands: the next one that runs answers it.');
  return 2;
}

async function run(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { reason: { type: 'string' } },
  });
  const [verb] = positionals;
  const reason = values.reason?.trim();
  if (verb === undefined || !['status', 'close', 'open'].includes(verb) || (verb !== 'status' && !reason))
    return notAsked(USAGE);
  return onDatabase(async (database, { actor }) => {
    if (verb === 'open') return await open(database, reason ?? '', actor);
    if (verb === 'close') await createGateOperator(database).close(reason ?? '', actor);
    return await status(database);
  });
}

process.exitCode = await run();
