import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryFolder } from '../../../../tests/memory-folder.ts';
import { brokenLists, brokenSums } from '../accounts/exchange-sums.fixture.ts';
import type { OpenedExchange } from '../core.ts';
import type { AccountNumber, SimOrderId } from '../exchange.ts';
import { DirectoryInUse } from './directory-lock.ts';
import {
  dice,
  openTraffic,
  TRAFFIC_CREDIT,
  TRAFFIC_MARKETS,
  TRAFFIC_MEMBERS,
  type TrafficLine,
} from './traffic.fixture.ts';

const ROUNDS = 8;
const SCRIPT = fileURLToPath(new URL('./traffic.fixture.ts', import.meta.url));

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(memoryFolder(), 'killed-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Starts the traffic and kills it once it acknowledged so many commands; everything it said before it died. */
async function killedRound(round: number, acknowledgedBeforeKill: number): Promise<TrafficLine[]> {
  const child = spawn(process.execPath, [SCRIPT, directory, `${round}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('close', (_, signal) => resolve(signal)),
  );
  const lines: TrafficLine[] = [];
  let acknowledged = 0;
  let inUse: Promise<unknown> | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    // The last line may be torn by the kill; a torn line was not an acknowledgement.
    const read = parsed(line);
    if (read === undefined) continue;
    lines.push(read);
    if (read.kind === 'ready' && round === 0) inUse = openTraffic(directory).catch((error) => error);
    if (read.kind === 'report') acknowledged += 1;
    if (acknowledged === acknowledgedBeforeKill) await killed(child, inUse);
  }
  expect(await ended, errors.join('')).toBe('SIGKILL');
  return lines;
}

async function killed(child: ChildProcess, inUse: Promise<unknown> | undefined): Promise<void> {
  if (inUse !== undefined) expect(await inUse).toBeInstanceOf(DirectoryInUse);
  child.kill('SIGKILL');
}

function parsed(line: string): TrafficLine | undefined {
  try {
    return JSON.parse(line) as TrafficLine;
  } catch {
    return undefined;
  }
}

/** Every acknowledgement must be found again; returns those that are not. */
function lost(exchange: OpenedExchange, lines: readonly TrafficLine[]): string[] {
  const missing: string[] = [];
  const last = new Map<string, Extract<TrafficLine, { kind: 'report' }>>();
  const trades = new Set<string>();
  for (const account of TRAFFIC_MEMBERS) {
    for (const { symbol } of TRAFFIC_MARKETS) {
      for (const fill of exchange.fills(account, symbol, { limit: 100_000 })) {
        trades.add(`${account} ${symbol} ${fill.tradeId}`);
      }
    }
  }
  for (const line of lines) {
    if (line.kind === 'report') {
      last.set(`${line.symbol} ${line.orderId}`, line);
      for (const tradeId of line.tradeIds) {
        if (!trades.has(`${line.account} ${line.symbol} ${tradeId}`))
          missing.push(`fill ${tradeId} of ${line.id}`);
      }
    }
    if (line.kind === 'filled' && !trades.has(`${line.account} ${line.symbol} ${line.tradeId}`)) {
      missing.push(`told fill ${line.tradeId}`);
    }
    if (line.kind === 'transferred' && exchange.findTransfer(line.id)?.sequence !== line.sequence) {
      missing.push(`transfer ${line.id}`);
    }
  }
  for (const line of last.values()) {
    const orderId = line.orderId as SimOrderId;
    const order = exchange.order(line.account as AccountNumber, line.symbol, { orderId });
    const kept = order !== undefined && order.clientId === line.clientId && order.executed >= line.executed;
    const final = !['NEW', 'PARTIALLY_FILLED', 'PENDING_NEW'].includes(line.status);
    if (!kept || (final && order.status !== line.status)) missing.push(`order ${line.id} ${line.status}`);
  }
  return missing;
}

/**
 * Sends every credit again, so that each has happened exactly once whatever the kill left of it.
 * @returns what they brought in per asset.
 */
async function broughtIn(
  exchange: OpenedExchange,
  lines: readonly TrafficLine[],
): Promise<Map<string, bigint>> {
  const brought = new Map<string, bigint>();
  const acknowledged = new Set(lines.flatMap((line) => (line.kind === 'credited' ? [line.id] : [])));
  for (const line of lines) {
    if (line.kind !== 'sent' || line.what !== 'credit') continue;
    const [, account, asset = ''] = line.id.split(':');
    const member = TRAFFIC_MEMBERS[Number(account) - 1] as AccountNumber;
    await exchange.openAccount(`member ${account}`);
    const again = await exchange.credit(member, asset, TRAFFIC_CREDIT, line.id);
    if (acknowledged.has(line.id)) expect(again, `acknowledged credit ${line.id} was lost`).toBe(false);
    brought.set(asset, (brought.get(asset) ?? 0n) + TRAFFIC_CREDIT);
  }
  return brought;
}

/** Ids of a round must lie beyond every id that an earlier round told; `newest` then takes them in. */
function expectFreshIds(lines: readonly TrafficLine[], newest: Map<string, number>): void {
  const before = new Map(newest);
  const fresh = (key: string, id: number) => {
    expect(id).toBeGreaterThan(before.get(key) ?? 0);
    newest.set(key, Math.max(id, newest.get(key) ?? 0));
  };
  const placed = new Set(
    lines.flatMap((line) => (line.kind === 'sent' && line.what === 'place' ? [line.id] : [])),
  );
  for (const line of lines) {
    if (line.kind === 'report' && placed.has(line.id)) fresh(`order ${line.symbol}`, line.orderId);
    if (line.kind === 'filled') fresh(`trade ${line.symbol}`, line.tradeId);
  }
}

/** Commands that were sent and never answered: their outcome is unknown, and may be either. */
function unanswered(lines: readonly TrafficLine[]): number {
  const answered = new Set(lines.flatMap((line) => ('id' in line && line.kind !== 'sent' ? [line.id] : [])));
  return lines.filter((line) => line.kind === 'sent' && !answered.has(line.id)).length;
}

test('kill -9 in the middle of traffic loses nothing acknowledged, repeats no id, and every sum holds', async () => {
  const roll = dice(42);
  const lines: TrafficLine[] = [];
  const newest = new Map<string, number>();
  const seen = new Set<string>();
  let unknown = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const reported = await killedRound(round, 40 + roll(700));
    lines.push(...reported);
    expectFreshIds(reported, newest);
    unknown += unanswered(reported);
    // In every other round the next traffic takes over what the killed process left, without a clean end in between.
    if (round % 2 === 0) continue;
    const exchange = await openTraffic(directory);
    expect(lost(exchange, lines)).toEqual([]);
    const brought = await broughtIn(exchange, lines);
    expect(brokenSums(exchange, TRAFFIC_MEMBERS, brought, TRAFFIC_MARKETS)).toEqual([]);
    for (const account of TRAFFIC_MEMBERS) {
      const lists = exchange.orderLists(account);
      expect(brokenLists(lists)).toEqual([]);
      for (const { open, contingency } of lists) seen.add(`${contingency} ${open}`);
    }
    await exchange.close();
  }
  expect([...seen].sort()).toEqual(['OCO false', 'OCO true', 'OTO false', 'OTO true']);
  // Without commands in flight at the kill, and without fills, the test would have shown nothing.
  expect(unknown).toBeGreaterThanOrEqual(ROUNDS);
  expect(lines.filter((line) => line.kind === 'filled').length).toBeGreaterThan(500);
}, 240_000);
