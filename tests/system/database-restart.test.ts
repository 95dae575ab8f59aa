import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '@crossbook/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { ledgerBreaches } from '../../apps/server/src/storage/ledger/ledger-check.ts';
import { ownerAddressOf } from '../../apps/server/src/storage/open-storage.ts';
import { openDatabase } from '../../apps/server/src/storage/postgres/database.ts';
import { memoryFolder } from '../memory-folder.ts';
import {
  type HubProcess,
  type SimulatorProcess,
  startHubProcess,
  startSimulatorProcess,
  until,
} from './hub-process.ts';

const BUY = { platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side: 1 } as const;
const RESTING = { ...BUY, orderType: 1, price: '50000', quantity: '0.0004' } as const;
const MEMBERS = 3;
/** Members with room for resting orders: a member may have 200 open in one market. */
const ORDERS_EACH_MAX = 150;

let folder: string;
let simulator: SimulatorProcess;
let hub: HubProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(memoryFolder(), 'crossbook restart '));
  simulator = await startSimulatorProcess();
  // On its own PostgreSQL, as `npm start` has it.
  hub = await startHubProcess(simulator, { DATABASE_URL: '', DATA_DIR: folder });
});
afterAll(async () => {
  await hub?.stop();
  await simulator?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Process id of the postmaster; `NaN` while there is none. */
function postmaster(): number {
  const file = join(folder, 'postgres/data/postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : Number.NaN;
}

/** What callers saw: how each answer looked, and what was acknowledged. */
interface Seen {
  readonly answers: { readonly status: number; readonly code: number; readonly at: number }[];
  readonly placed: Map<TestBrowser, string[]>;
}

/** Places orders one after the other until told to end; every answer is kept as it came. */
async function keepPlacing(member: TestBrowser, seen: Seen, ended: () => boolean): Promise<void> {
  const placed: string[] = [];
  seen.placed.set(member, placed);
  while (placed.length < ORDERS_EACH_MAX && !ended()) {
    const clientId = crypto.randomUUID();
    const fields = Object.entries({ ...RESTING, clientId, sosflag: 3, stoken: member.stoken ?? '' });
    const form = Object.fromEntries(fields.map(([name, value]) => [name, String(value)]));
    const { status, envelope } = await member.form('/api/connextrade/PlaceOrder', form);
    seen.answers.push({ status, code: envelope.code, at: performance.now() });
    if (envelope.code === 1) placed.push(clientId);
    // Answers that say no come at once: whoever is told to try later does not hammer.
    else await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('PostgreSQL killed under load: enveloped answers, nothing acknowledged is lost, and the same hub serves again', async () => {
  const members: TestBrowser[] = [];
  for (let count = 0; count < MEMBERS; count += 1) members.push(await hub.memberWithFunds('10000'));
  const seen: Seen = { answers: [], placed: new Map() };
  const good = (after: number) => seen.answers.filter(({ code, at }) => code === 1 && at > after);
  // Old backends go on for a moment without their postmaster, so only what the new one serves counts.
  let servedAt = Number.POSITIVE_INFINITY;
  const back = () => good(servedAt);
  const load = members.map((member) => keepPlacing(member, seen, () => back().length >= MEMBERS));
  await until(
    async () => good(0).length,
    (count) => count >= 10,
  );
  const before = postmaster();
  const killedAt = performance.now();
  process.kill(before, 'SIGKILL');
  await until(
    async () => postmaster(),
    (now) => now > 0 && now !== before,
  );
  servedAt = performance.now();
  await Promise.all(load);

  expect(new Set(seen.answers.map(({ status }) => status))).toEqual(new Set([200]));
  const known = new Set([1, ...ERRORS.map(({ code }) => code)]);
  expect(seen.answers.filter(({ code }) => !known.has(code))).toEqual([]);
  expect(back().length).toBeGreaterThan(0);
  expect(postmaster()).not.toBe(before);
  // The process has not ended: it would have listened on the same port again.
  expect(hub.said.filter((line) => line.includes('ending:'))).toEqual([]);

  for (const [member, placed] of seen.placed) {
    const listed = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const page = { platformType: 43, limit: 100, ...(cursor === undefined ? {} : { cursor }) } as const;
      // A reader may find its connection dead once more, and is told to ask again.
      const { data } = await until(
        () => member.call('connextrade/OrderHistory', page),
        ({ code }) => code === 1,
      );
      for (const row of data?.rows ?? []) listed.add(row.orderId);
      cursor = data?.next ?? undefined;
      if (cursor === undefined) break;
    }
    expect(placed.filter((id) => !listed.has(id))).toEqual([]);
  }
  const address = ownerAddressOf({ directory: join(folder, 'postgres') });
  expect(address).toBeDefined();
  if (address === undefined) return;
  const database = openDatabase({ address, connectionsMax: 1 });
  expect(await ledgerBreaches(database, 'fold')).toEqual([]);
  await database.close();
  console.log(
    `PostgreSQL killed under load: the next order was taken after ${Math.round((back()[0]?.at ?? 0) - killedAt)} ms`,
  );
}, 240_000);
