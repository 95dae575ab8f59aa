import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import type { Millis } from '@crossbook/domain';
import { multistream, pino } from 'pino';
import { type Config, ConfigError, readConfig } from './config.ts';
import { headFile } from './main/audit.ts';
import { createHub, type Hub } from './main/hub.ts';
import { guardMasterKey, MasterKeyRefused } from './main/master-key.ts';
import { clockFaults } from './main/outside/clock-check.ts';
import { frontFaults } from './main/outside/front-check.ts';
import { lifetime } from './main/outside/lifetime.ts';
import { ListenRefused, listen } from './main/outside/listen.ts';
import { type LogSink, logSink } from './main/outside/log-sink.ts';
import { steadyClock, timers } from './main/outside/outside.ts';
import type { Look } from './main/outside/surroundings.ts';
import { KeyFileRefused, loadSecrets } from './main/secrets.ts';
import { MigrationRefused, MoneyModeRefused } from './storage/migrations/migrations.ts';
import { openStorage, type Storage } from './storage/open-storage.ts';
import { ABSENCE_PROOF, type AbsenceProof } from './trading/orders/order-intent.ts';

/**
 * The server process, role `all`: the only reader of environment, clock, random and sockets. Progress goes to standard
 * error; standard output carries one line for whoever started it: `{"ready":true,"url":"http://127.0.0.1:3000"}`.
 * `--supervised` ends the process when standard input ends; `--no-env-file` leaves `.env` alone.
 */

const ROOT = resolve(import.meta.dirname, '../../..');
const SECRET_FIELDS = ['stoken', 'password', 'code', 'captcha', 'secret', 'cookie', 'token'];

function say(text: string): void {
  process.stderr.write(`server: ${text}\n`);
}

function clock(): Millis {
  return Date.now() as Millis;
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function version(): string {
  const parsed: { version?: string } = JSON.parse(textOf(join(ROOT, 'package.json')) || '{}');
  return parsed.version ?? '0.0.0';
}

/**
 * `CRASH_AT=<point>` kills this process with SIGKILL when an order reaches the point: the crash tests' way to stand
 * between any two steps. Works in the test environment only.
 */
function crashAt(): { readonly crash?: (point: string) => void } {
  const point = process.env.CRASH_AT;
  if (point === undefined || process.env.APP_ENV !== 'test') return {};
  return {
    crash(reached) {
      if (reached === point) process.kill(process.pid, 'SIGKILL');
    },
  };
}

/** `ABSENCE_SPAN_MILLIS` shortens the minute that an order must be missing before it counts as never sent; tests only. */
function absenceProof(): { readonly proof?: AbsenceProof } {
  const span = Number(process.env.ABSENCE_SPAN_MILLIS);
  return process.env.APP_ENV === 'test' && span > 0
    ? { proof: { lookupsMin: ABSENCE_PROOF.lookupsMin, spanMillisMin: span } }
    : {};
}

const EXPLAINED = [
  ConfigError,
  ListenRefused,
  KeyFileRefused,
  MasterKeyRefused,
  MigrationRefused,
  MoneyModeRefused,
];

/** Connecting to a database of one's own failed: refused, unknown host, wrong password, unknown database. */
const NOT_REACHED = ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', '28P01', '28000', '3D000'];

/** Why the start failed: expected reasons are one sentence, the rest carries its stack for a report. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && NOT_REACHED.includes(code)) {
    return `DATABASE_URL does not lead to a database (${error.message}, ${code})`;
  }
  return EXPLAINED.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message);
}

/** Lines go to standard error, and to another machine where one is named. */
function logger(config: Config, sink: LogSink | undefined) {
  const nested = SECRET_FIELDS.map((field) => `*.${field}`);
  return pino(
    {
      level: config.logLevel,
      redact: [...SECRET_FIELDS, ...nested],
      serializers: { error: pino.stdSerializers.err },
    },
    multistream(
      [pino.destination({ dest: 2, sync: false }), ...(sink === undefined ? [] : [sink])].map((stream) => ({
        stream,
        level: 'trace',
      })),
    ),
  );
}

/** What the hub depends on and cannot mend itself. */
function looksOf(config: Config, storage: Storage, sink: LogSink | undefined): readonly Look[] {
  const origins = [config.proxy?.publicUrl, config.proxy?.adminUrl].filter((url) => url !== undefined);
  const front = async (): Promise<readonly string[]> => {
    const faults = await Promise.all(
      origins.map(async (origin) => {
        const found = await frontFaults({ origin, now: clock() });
        return found.map((fault) => `${origin.origin}: ${fault}`);
      }),
    );
    return faults.flat();
  };
  return [
    ...(origins.length === 0 ? [] : [{ what: 'front', faults: front } as const]),
    { what: 'clock', faults: () => clockFaults(clock, () => databaseTime(storage)) },
    ...(sink === undefined ? [] : [{ what: 'log', faults: sink.faults } as const]),
  ];
}

async function databaseTime({ database }: Storage): Promise<Millis> {
  const [row] = await database.query<{ now: string }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now',
  );
  return Number(row?.now) as Millis;
}

/** Opens everything in order; what was opened before a failure is closed again. */
async function run(config: Config): Promise<void> {
  const sink =
    config.logSink === undefined
      ? undefined
      : logSink({ address: config.logSink, steady: steadyClock, every: timers.every });
  const log = logger(config, sink);
  const dataDir = resolve(ROOT, config.dataDir);
  let storage: Storage | undefined;
  let guard: { stop(): Promise<void> } | undefined;
  let hub: Hub | undefined;
  const life = lifetime({
    supervised: process.argv.includes('--supervised'),
    say,
    stop: async () => {
      await hub?.stop();
      await guard?.stop();
      await storage?.close();
      await sink?.stop();
    },
  });
  try {
    const secrets = loadSecrets(config.masterKey, dataDir, randomBytes);
    storage = await openStorage({
      directory: join(dataDir, 'postgres'),
      money: config.money,
      progress: say,
      ...(config.databaseUrl === undefined ? {} : { databaseUrl: config.databaseUrl }),
    });
    void storage.embedded?.lost.then((why) => life.end(why, 1));
    guard = await guardMasterKey({
      ...{ address: storage.ownerAddress, masterKey: secrets.masterKey, clock },
      end: (why) => life.end(why, 1),
    });
    hub = await createHub({
      config,
      version: version(),
      database: storage.database,
      secrets,
      auditHead: headFile(dataDir),
      clock,
      steady: steadyClock,
      random: randomBytes,
      chance: Math.random,
      ...crashAt(),
      ...absenceProof(),
      log,
      webRoot: join(ROOT, 'apps/web/dist/current'),
      processMetrics: true,
      looks: looksOf(config, storage, sink),
    });
    await hub.start();
    const url = await listen(hub.server, config);
    process.stdout.write(`${JSON.stringify({ ready: true, url })}\n`);
    // Now rather than at the end: a killed process would leave the next one to compile everything again.
    flushCompileCache();
  } catch (error) {
    life.end(reasonOf(error), 1);
  }
}

try {
  const file = process.argv.includes('--no-env-file') ? '' : textOf(join(ROOT, '.env'));
  await run(readConfig(process.env, file));
} catch (error) {
  say(reasonOf(error));
  process.exit(1);
}
