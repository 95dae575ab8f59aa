import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { amount, type Millis, type PlatformSlug } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { memoryFolder } from '../../../../tests/memory-folder.ts';
import { FULL, runs } from '../../../../tests/property-runs.ts';
import type { AccountNumber } from '../exchange.ts';
import type { PerpConditional } from '../perp-conditionals.ts';
import type { PerpFill, PerpIncome, PerpOrder } from '../perp-exchange.ts';
import { type ContractRig, RIG_START } from '../perps/contract-rig.fixture.ts';
import { FIRST_FUND } from '../perps/state/venue-habits.ts';
import { isOver, NEXT_STATES } from '../triggers/conditional-order.ts';
import {
  CONTRACT_FUNDS,
  CONTRACT_MEMBERS,
  type ContractLine,
  jsonOf,
  openContractTraffic,
  swingingMark,
} from './contract-commands.fixture.ts';
import { dice } from './traffic.fixture.ts';

const SCRIPT = fileURLToPath(new URL('./contract-commands.fixture.ts', import.meta.url));
const HOUSE = 0 as AccountNumber;
const ALL = { limit: 100_000 };
const HOUR_MILLIS = 3_600_000;
const UNIT = 10n ** 18n;
/** One step of eight decimals. */
const MONEY_STEP = 10n ** 10n;

/** Starts the traffic and kills it once it acknowledged so many commands; everything it said before it died. */
async function killedRound(args: readonly string[], acknowledgedBeforeKill: number): Promise<ContractLine[]> {
  const child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('close', (_, signal) => resolve(signal)),
  );
  const lines: ContractLine[] = [];
  let acknowledged = 0;
  for await (const text of createInterface({ input: child.stdout })) {
    const line = parsed(text);
    if (line !== undefined) lines.push(line);
    if (line?.kind === 'done') acknowledged += 1;
    if (acknowledged === acknowledgedBeforeKill) child.kill('SIGKILL');
  }
  expect(await ended, errors.join('')).toBe('SIGKILL');
  return lines;
}

/** The last line may be torn by the kill; a torn line was not an acknowledgement. */
function parsed(text: string): ContractLine | undefined {
  try {
    return JSON.parse(text) as ContractLine;
  } catch {
    return undefined;
  }
}

/** All that is kept of everybody, oldest first. */
interface Kept {
  readonly members: readonly AccountNumber[];
  readonly orders: readonly PerpOrder[];
  readonly fills: readonly PerpFill[];
  readonly incomes: readonly PerpIncome[];
  readonly conditionals: readonly PerpConditional[];
}

async function keptBy(rig: ContractRig): Promise<Kept> {
  const members: AccountNumber[] = [];
  for (const { label } of CONTRACT_MEMBERS) members.push(await rig.exchange.openAccount(label));
  return {
    members,
    orders: members.flatMap((account) => rig.perps.perpOrders(account, ALL)),
    fills: members.flatMap((account) => rig.perps.perpFills(account, ALL)).sort(bySequence),
    incomes: members.flatMap((account) => rig.perps.income(account, ALL)).sort(bySequence),
    conditionals: members.flatMap((account) => rig.perps.conditionals.history(account, ALL)),
  };
}

function bySequence(a: { readonly sequence: number }, b: { readonly sequence: number }): number {
  return a.sequence - b.sequence;
}

function reportedAs(
  lines: readonly ContractLine[],
  kind: 'order' | 'fill' | 'income' | 'conditional',
): string[] {
  return lines.flatMap((line) => (line.kind === kind ? [line.json] : []));
}

/** What was acknowledged and is not kept as it was. */
function lost(lines: readonly ContractLine[], rig: ContractRig, kept: Kept): string[] {
  const known = new Set([...kept.fills, ...kept.incomes].map(jsonOf));
  const missing = [...reportedAs(lines, 'fill'), ...reportedAs(lines, 'income')].filter(
    (json) => !known.has(json),
  );
  const newest = new Map<string, string>();
  for (const json of reportedAs(lines, 'order')) {
    const { symbol, orderId } = JSON.parse(json) as PerpOrder;
    newest.set(`${symbol} ${orderId}`, json);
  }
  const orders = new Map(kept.orders.map((order) => [`${order.symbol} ${order.orderId}`, order]));
  for (const [name, json] of newest) {
    const [last, now] = [JSON.parse(json) as PerpOrder, orders.get(name)];
    const open = last.status === 'NEW' || last.status === 'PARTIALLY_FILLED';
    const same = open ? now !== undefined && now.executed >= last.executed : jsonOf(now) === json;
    if (!same) missing.push(`order ${json}`);
  }
  return [
    ...missing,
    ...lostConditionals(lines, rig),
    ...lostLeverages(lines, rig),
    ...lostModes(lines, rig),
  ];
}

/** A conditional order that is over stays as it was reported; one that is not may have come further. */
function lostConditionals(lines: readonly ContractLine[], rig: ContractRig): string[] {
  const newest = new Map<number, string>();
  for (const json of reportedAs(lines, 'conditional'))
    newest.set((JSON.parse(json) as PerpConditional).algoId, json);
  return [...newest].flatMap(([algoId, json]) => {
    const last = JSON.parse(json) as PerpConditional;
    const now = rig.perps.conditionals.find(last.sends.account, { algoId });
    const kept = isOver(last) ? jsonOf(now) === json : now !== undefined && !isBefore(now, last);
    return kept ? [] : [`conditional order ${json}`];
  });
}

/** Whether an order has gone back. */
function isBefore(now: PerpConditional, last: PerpConditional): boolean {
  return now.state !== last.state && NEXT_STATES[now.state].includes(last.state);
}

/** Of several of which one fires, one at most did, and nothing waits beside it. */
function brokenGroups(conditionals: readonly PerpConditional[]): string[] {
  const groups = Map.groupBy(conditionals, ({ group, algoId }) => group ?? -algoId);
  return [...groups].flatMap(([group, legs]) => {
    const fired = legs.filter((one) => 'firedAt' in one).length;
    const waiting = legs.filter(({ state }) => state === 'WAITING').length;
    return fired > 1 || (fired === 1 && waiting > 0)
      ? [`group ${group}: ${fired} fired, ${waiting} wait`]
      : [];
  });
}

/** What the same account asked for after it had asked for this; two may be asked for at one time of the clock. */
function askedAfter<Line extends ContractLine & { readonly account: number }>(
  done: Line,
  asked: readonly Line[],
): readonly Line[] {
  const own = jsonOf({ ...done, acknowledged: false });
  const at = asked.findIndex((line) => jsonOf(line) === own);
  return asked.slice(at + 1).filter(({ account }) => account === done.account);
}

/** A leverage stands as it was acknowledged last, or as somebody asked for later whom the kill left without an answer. */
function lostLeverages(lines: readonly ContractLine[], rig: ContractRig): string[] {
  const asked = lines.filter((line) => line.kind === 'leverage');
  return asked
    .filter(({ acknowledged }) => acknowledged)
    .flatMap((line) => {
      const { account, symbol, isolated, leverage } = line;
      const mode = rig.slug === 'okx' ? (isolated ? 'ISOLATED' : 'CROSS') : undefined;
      const { leverageLong } = rig.perps.setting(account as AccountNumber, symbol, mode);
      const later = askedAfter(line, asked).filter((one) => one.symbol === symbol);
      const may = [leverage, ...later.map((one) => one.leverage)];
      return may.includes(leverageLong) ? [] : [`leverage ${leverage} of ${account} is ${leverageLong}`];
    });
}

/** The same of the margin mode of a whole account. */
function lostModes(lines: readonly ContractLine[], rig: ContractRig): string[] {
  const asked = lines.filter((line) => line.kind === 'mode');
  return asked
    .filter(({ acknowledged }) => acknowledged)
    .flatMap((line) => {
      const { account } = line;
      const { marginMode } = rig.perps.setting(account as AccountNumber, rig.symbols[0] ?? '');
      const may = [line, ...askedAfter(line, asked)].map(({ isolated }) => isolated);
      return may.includes(marginMode === 'ISOLATED') ? [] : [`the mode of ${account} is ${marginMode}`];
    });
}

/** What the list of fills and the list of incomes say of each other, of positions and of money; nothing where all holds. */
function broken(rig: ContractRig, kept: Kept, rounds: number): string[] {
  const { members, fills, incomes } = kept;
  const found = [
    ...fills.flatMap(({ sequence }, at) =>
      sequence === at + 1 ? [] : [`fill ${sequence} is number ${at + 1}`],
    ),
    ...incomes.flatMap(({ sequence }, at) =>
      sequence === at + 1 ? [] : [`income ${sequence} is number ${at + 1}`],
    ),
  ];
  let sum = rig.perps.insuranceFund() + everything(rig, HOUSE);
  for (const account of members) {
    sum += everything(rig, account);
    const own = incomes.filter((income) => income.account === account);
    let wallet = 0n;
    for (const { amount: moved, walletAfter, sequence } of own) {
      wallet += moved;
      if (wallet !== walletAfter) found.push(`income ${sequence} leads to ${wallet}, not to ${walletAfter}`);
    }
    if (rig.wallet(account) !== wallet) found.push(`${account} has ${rig.wallet(account)}, not ${wallet}`);
    const lots = lotsBefore(fills.filter((fill) => fill.account === account));
    const held = new Map(rig.perps.positions(account).map((one) => [keyOf(one), one.quantity]));
    expect(held).toEqual(new Map([...lots].filter(([, size]) => size !== 0)));
    for (const { symbol, marginMode } of rig.perps.positions(account))
      if (rig.slug !== 'okx' && marginMode !== rig.perps.setting(account, symbol).marginMode)
        found.push(`${symbol} of ${account} stands ${marginMode}, which the account is not`);
    if (rig.perps.pool(account).ratio >= 1) found.push(`${account} is due for liquidation`);
  }
  const brought = BigInt(rounds * CONTRACT_MEMBERS.length) * amount(CONTRACT_FUNDS);
  if (sum !== brought + FIRST_FUND) found.push(`money is not conserved: ${sum}, brought in ${brought}`);
  return [
    ...found,
    ...brokenTrades(fills),
    ...brokenFunding(rig, fills, incomes),
    ...brokenFund(rig, fills, incomes),
    ...brokenGroups(kept.conditionals),
  ];
}

/** USDT of an account in all its wallets. */
function everything(rig: ContractRig, account: AccountNumber): bigint {
  const spot = rig.exchange.balances(account).find(({ asset }) => asset === 'USDT');
  const shared = (spot?.free ?? 0n) + (spot?.locked ?? 0n);
  return rig.slug === 'binance' ? shared + rig.wallet(account) : shared;
}

/** Without the margin mode: each account has one at a time. */
function keyOf(one: {
  readonly account: AccountNumber;
  readonly symbol: string;
  readonly side?: string;
  readonly positionSide?: string;
}): string {
  return `${one.account} ${one.symbol} ${one.positionSide ?? one.side}`;
}

/** Signed lots by position, of fills before a time. */
function lotsBefore(fills: readonly PerpFill[], time = Number.POSITIVE_INFINITY): Map<string, number> {
  const lots = new Map<string, number>();
  for (const fill of fills) {
    if (fill.time >= time) break;
    const signed = fill.side === 'BUY' ? fill.quantity : -fill.quantity;
    lots.set(keyOf(fill), (lots.get(keyOf(fill)) ?? 0) + signed);
  }
  return lots;
}

/** A trade has one side of a member, the other being the house's, or two that mirror each other. */
function brokenTrades(fills: readonly PerpFill[]): string[] {
  const trades = Map.groupBy(fills, ({ symbol, tradeId }) => `${symbol} ${tradeId}`);
  return [...trades].flatMap(([name, [one, other, ...more]]) => {
    if (one === undefined || other === undefined) return [];
    const mirrored = one.side !== other.side && one.quantity === other.quantity && one.price === other.price;
    return more.length === 0 && mirrored && one.maker !== other.maker ? [] : [`trade ${name}`];
  });
}

/** Funding fell once on every position that was open at its contract's funding time, and on nothing else. */
function brokenFunding(
  rig: ContractRig,
  fills: readonly PerpFill[],
  incomes: readonly PerpIncome[],
): string[] {
  const due = new Map<string, number>();
  for (const symbol of rig.symbols) {
    const every = symbol.startsWith('ETH') ? 4 * HOUR_MILLIS : 8 * HOUR_MILLIS;
    const own = fills.filter((fill) => fill.symbol === symbol);
    for (let time = (Math.floor(RIG_START / every) + 1) * every; time <= rig.now; time += every) {
      for (const [key, lots] of lotsBefore(own, time)) if (lots !== 0) due.set(`${key} at ${time}`, lots);
    }
  }
  const paid = incomes.filter(({ kind }) => kind === 'FUNDING');
  const found: string[] = [];
  for (const { account, symbol = '', positionSide = '', quantity, time } of paid) {
    const name = `${keyOf({ account, symbol, positionSide })} at ${time}`;
    if (due.get(name) !== quantity)
      found.push(`funding ${name} fell on ${quantity}, not on ${due.get(name)}`);
    due.delete(name);
  }
  return [...found, ...[...due.keys()].map((name) => `no funding ${name}`)];
}

/** The fund is what it began with, what accounts paid to it or got from it, and what takeovers were worth at the mark. */
function brokenFund(rig: ContractRig, fills: readonly PerpFill[], incomes: readonly PerpIncome[]): string[] {
  let fund: bigint = FIRST_FUND;
  for (const { kind, amount: moved } of incomes)
    if (kind === 'LIQUIDATION_FEE' || kind === 'INSURANCE') fund -= moved;
  const lotCoins = amount(rig.slug === 'okx' ? '0.0001' : '0.001');
  for (const { origin, symbol, time, exactPrice, quantity, side } of fills) {
    if (origin !== 'TAKEOVER') continue;
    const mark = BigInt(Math.round(swingingMark(symbol, time) * 100)) * 10n ** 16n;
    const coins = BigInt(side === 'SELL' ? quantity : -quantity) * lotCoins;
    fund += rounded(coins * (mark - exactPrice), UNIT * MONEY_STEP) * MONEY_STEP;
  }
  const kept = rig.perps.insuranceFund();
  return kept === fund ? [] : [`the fund holds ${kept}, not ${fund}`];
}

/** To the nearest whole, halves to the even one. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const rest = ((numerator % denominator) + denominator) % denominator;
  const below = (numerator - rest) / denominator;
  if (2n * rest === denominator) return below % 2n === 0n ? below : below + 1n;
  return 2n * rest > denominator ? below + 1n : below;
}

/** Orders, fills, incomes, positions and settings of everybody. */
async function readable(rig: ContractRig): Promise<string> {
  const kept = await keptBy(rig);
  return jsonOf({
    ...kept,
    held: kept.members.map((one) => [rig.perps.positions(one), rig.perps.pool(one)]),
  });
}

// The journal is the same at all of them.
test.each<PlatformSlug>(FULL ? ['binance', 'okx', 'bybit'] : ['okx'])(
  'kill -9 in the middle of contract traffic of %s loses and doubles no trade, income or insurance, and every sum holds',
  async (slug) => {
    const directory = await mkdtemp(join(memoryFolder(), 'killed-contracts-'));
    const roll = dice(slug.length);
    const lines: ContractLine[] = [];
    const kinds = new Set<string>();
    const rounds = runs(2, 2);
    let now = RIG_START as number;
    try {
      for (let round = 0; round < rounds; round += 1) {
        const reported = await killedRound([slug, directory, `${round}`, `${now}`], 120 + roll(300));
        lines.push(...reported);
        for (const line of reported) if (line.kind === 'clock') now = Math.max(now, line.time);
        // Nobody looks for a while: what happens in it happens when the next process begins.
        now += roll(10) * HOUR_MILLIS;
        const rig = await openContractTraffic(slug, directory, now as Millis);
        const kept = await keptBy(rig);
        expect(lost(lines, rig, kept)).toEqual([]);
        expect(broken(rig, kept, round + 1)).toEqual([]);
        const before = await readable(rig);
        await rig.exchange.close();
        if (round % 2 === 0) continue;
        const again = await openContractTraffic(slug, directory, now as Millis);
        expect(await readable(again)).toBe(before);
        await again.exchange.close();
        for (const { kind } of kept.incomes) kinds.add(kind);
        for (const { origin } of kept.fills) kinds.add(origin);
        for (const { state } of kept.conditionals) kinds.add(state);
      }
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
    // Without commands in flight at the kill, without funding or liquidations, the test would have shown nothing.
    const answered = new Set(
      lines.flatMap((line) => (line.kind === 'done' || line.kind === 'refused' ? [line.id] : [])),
    );
    const unknown = lines.filter((line) => line.kind === 'sent' && !answered.has(line.id)).length;
    expect(unknown).toBeGreaterThanOrEqual(rounds);
    expect([...kinds]).toEqual(
      expect.arrayContaining([
        'FUNDING',
        'REALIZED_PNL',
        'COMMISSION',
        'TRANSFER',
        'TAKEOVER',
        'FINISHED',
        'CANCELLED',
      ]),
    );
    expect(lines.filter((line) => line.kind === 'leverage' && line.acknowledged).length).toBeGreaterThan(
      rounds,
    );
    const moved = lines.some((line) => line.kind === 'mode' && line.acknowledged && line.held > 0);
    expect(moved).toBe(slug === 'bybit');
  },
  900_000,
);
