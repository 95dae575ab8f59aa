import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Millis } from '@crossbook/domain';
import { type OpenedExchange, openExchange } from './core.ts';
import { parseFlags, type SimulatorFlags, USAGE } from './flags.ts';
import { marketDirectory, volatileFiles } from './market/market-files.ts';
import { openMarketSide, type RunningMarketSide } from './market/market-side.ts';
import { type SimulatorServer, serveSimulator } from './server.ts';

/** The composition root of the simulator process: the only reader of its arguments, clock, random and sockets. */

const SHUTDOWN_MILLIS_MAX = 10_000;
const LIMITS_OFF = {
  requestWeightPerMinuteMax: 1e12,
  ordersPer10SecondsMax: 1e12,
  ordersPerDayMax: 1e12,
  rawRequestsPer5MinutesMax: 1e12,
  connectionsPer5MinutesMax: 1e12,
  streamMessagesPerSecondMax: 1e12,
};

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Ends the process with one clear sentence. */
function fail(sentence: string, code: number): never {
  say(`simulator: ${sentence}`);
  process.exit(code);
}

function clock(): Millis {
  return Date.now() as Millis;
}

function every(millis: number, work: () => void): () => void {
  const timer = setInterval(work, millis);
  return () => clearInterval(timer);
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Letters and digits; bytes that would favour some letters are thrown away. */
function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += LETTERS[byte % LETTERS.length];
    }
  }
  return text;
}

async function openMarket(flags: SimulatorFlags): Promise<RunningMarketSide> {
  const directory = flags.data === undefined ? undefined : join(flags.data, 'market');
  if (directory !== undefined) mkdirSync(directory, { recursive: true });
  const market = await openMarketSide({
    seed: flags.seed,
    clock,
    every,
    files: directory === undefined ? volatileFiles() : marketDirectory(directory),
    ...(flags.replay === undefined ? {} : { replay: flags.replay }),
  });
  if (!market.ok) fail(market.code, 1);
  return market.value;
}

async function openCore(flags: SimulatorFlags, market: RunningMarketSide): Promise<OpenedExchange> {
  const directory = flags.data === undefined ? undefined : join(flags.data, 'exchange');
  if (directory !== undefined) mkdirSync(directory, { recursive: true, mode: 0o700 });
  return await openExchange({
    market,
    clock,
    randomBytes: (size) => randomBytes(size),
    onFault: (fault, fatal) => {
      if (fatal) fail(`the journal cannot be written: ${String(fault)}`, 70);
      say(`simulator: ${String(fault)}`);
    },
    ...(directory === undefined ? {} : { dataDirectory: directory }),
  });
}

async function serve(
  flags: SimulatorFlags,
  exchange: OpenedExchange,
  market: RunningMarketSide,
): Promise<SimulatorServer> {
  return await serveSimulator({
    exchange,
    port: flags.port,
    // Whoever starts us again after a crash keeps the address he knows.
    adminToken: process.env.SIM_ADMIN_TOKEN ?? randomText(32),
    randomText,
    watch: (symbol) => market.watch(symbol),
    onFault: (fault) => say(`simulator: ${String(fault)}`),
    ...(flags.limits ? {} : { limits: LIMITS_OFF }),
  });
}

/** Ends in order on a signal, or when the starter is gone; a second signal ends at once. */
function endOn(flags: SimulatorFlags, close: () => Promise<void>): void {
  let ending = false;
  const end = (why: string): void => {
    if (ending) process.exit(130);
    ending = true;
    say(`simulator: ending (${why})`);
    setTimeout(() => fail('could not end in time', 1), SHUTDOWN_MILLIS_MAX).unref();
    close().then(
      () => process.exit(0),
      (fault: unknown) => fail(String(fault), 1),
    );
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  if (!flags.supervised) return;
  process.once('disconnect', () => end('the starter is gone'));
  process.stdin.once('end', () => end('the starter is gone'));
  process.stdin.once('error', () => end('the starter is gone'));
  process.stdin.resume();
}

function portRefusal(fault: unknown, port: number): string {
  const code = (fault as { code?: string }).code;
  if (code === 'EADDRINUSE') return `port ${port} is taken; choose another with --port`;
  if (code === 'EACCES') return `port ${port} may not be used by this user; choose another with --port`;
  return String(fault);
}

async function main(): Promise<void> {
  const flags = parseFlags(process.argv.slice(2), process.env);
  if (!flags.ok) fail(`${flags.code}\n${USAGE}`, 2);
  const startedAt = performance.now();
  say('simulator: opening the markets');
  const market = await openMarket(flags.value);
  say(`simulator: ${market.markets.length} markets; recovering accounts and orders`);
  const exchange = await openCore(flags.value, market).catch((fault: unknown) => fail(String(fault), 1));
  const server = await serve(flags.value, exchange, market).catch(async (fault: unknown) => {
    await exchange.close();
    return fail(portRefusal(fault, flags.value.port), 1);
  });
  endOn(flags.value, async () => {
    await server.close();
    await exchange.close();
  });
  say(`simulator: ready after ${Math.round(performance.now() - startedAt)} ms`);
  process.stdout.write(`${JSON.stringify({ url: server.url, admin: server.admin })}\n`);
}

await main();
