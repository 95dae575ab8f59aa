import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallResponse } from '@crossbook/contract';
import { type Platform, type PlatformType, platformFacts } from '@crossbook/domain';
import { TEST_PASSWORD, TestBrowser } from '../../apps/server/src/main/testing.ts';
import { openTestDatabase, type TestDatabase } from '../../apps/server/src/storage/testing.ts';
import { accountName as bybitAccountName } from '../../packages/venues/src/bybit/account/sub-accounts.ts';
import { accountName as okxAccountName } from '../../packages/venues/src/okx/account/sub-accounts.ts';
import { type RunningChild, startChild } from '../../scripts/child.ts';
import { memoryFolder } from '../memory-folder.ts';
import { worldSeed } from '../world.ts';

/** The real processes, started as `npm start` starts them, on a fresh database of the test run. */

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const ADMIN_TOKEN = 'system-test-admin-token';

/** Free and locked of an account at a venue, by asset. */
export type VenueFunds = ReadonlyMap<string, { readonly free: string; readonly locked: string }>;

/** A member's contracts at a venue; sizes count lots. */
export interface VenueContractStats {
  readonly wallet: string;
  /** What is not behind a position or an order. */
  readonly available: string;
  readonly positions: readonly {
    readonly symbol: string;
    readonly side: 'BOTH' | 'LONG' | 'SHORT';
    readonly lots: number;
    readonly unrealisedPnl: string;
  }[];
}

/** How each simulated venue labels a member's account: after the name that the connector gives it there. */
export const ACCOUNT_LABELS: Readonly<Record<Platform, (label: string) => string>> = {
  1: (label) => `sub:${label}`,
  2: (label) => `sub:${okxAccountName(label)}`,
  3: (label) => `sub:${bybitAccountName(label)}:${label}`,
};

/** A running simulator and its admin API. */
export interface SimulatorProcess {
  readonly url: string;
  admin(call: string, body?: object): Promise<Record<string, unknown>>;
  /** How many fault plans still wait for a call. */
  armedFaults(): Promise<number>;
  /** Free and locked by asset of a member's account at a venue, the first where none is named. */
  balancesOf(tid: number, platform?: Platform): Promise<VenueFunds>;
  /** What a venue's books have of a member's contracts. */
  contractsOf(tid: number, platform: Platform): Promise<VenueContractStats>;
  /** The same of the operator's own account at a venue. */
  masterFunds(platform: Platform): Promise<VenueFunds>;
  kill(): Promise<void>;
  /** Starts it again on the same port and data after `kill`. */
  again(): Promise<void>;
  stop(): Promise<void>;
}

interface SimulatorReady {
  readonly url: string;
  readonly admin: string;
}

/** Starts the simulated venues with data of their own. */
export async function startSimulatorProcess(): Promise<SimulatorProcess> {
  const data = mkdtempSync(join(memoryFolder(), 'crossbook venues '));
  const start = (port: string) =>
    startChild<SimulatorReady>({
      name: 'simulator',
      script: join(root, 'packages/simulator/src/main.ts'),
      args: ['--port', port, '--seed', worldSeed(7), '--data', data, '--supervised'],
      cwd: root,
      env: { ...process.env, SIM_ADMIN_TOKEN: ADMIN_TOKEN },
      say: () => undefined,
    });
  let child: RunningChild<SimulatorReady> = await start('0');
  const { url, admin } = child.ready;
  const ask = async (call: string, body: object = {}) => {
    const response = await fetch(`${admin}/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${call}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const fundsOf = async (platform: Platform, label: string): Promise<VenueFunds> => {
    const answer = await ask('balances', { venue: platformFacts(platform).slug, label });
    const rows = answer.balances as readonly { asset: string; free: string; locked: string }[];
    return new Map(rows.map(({ asset, free, locked }) => [asset, { free, locked }]));
  };
  return {
    url,
    admin: ask,
    async armedFaults() {
      const answer = (await (await fetch(`${admin}/faults`)).json()) as {
        readonly faults: readonly unknown[];
      };
      return answer.faults.length;
    },
    balancesOf: (tid, platform = 1) => fundsOf(platform, ACCOUNT_LABELS[platform](`crossbook-member-${tid}`)),
    async contractsOf(tid, platform) {
      const label = ACCOUNT_LABELS[platform](`crossbook-member-${tid}`);
      const answer = await ask('positions', { venue: platformFacts(platform).slug, label });
      return answer as unknown as VenueContractStats;
    },
    masterFunds: (platform) => fundsOf(platform, 'master'),
    async kill() {
      child.process.kill('SIGKILL');
      await child.ended;
    },
    async again() {
      child = await start(new URL(url).port);
    },
    async stop() {
      await child.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** A hub on its own database; it may be killed and started again. */
export interface HubProcess {
  readonly url: string;
  readonly database: TestDatabase;
  /** Lines the server wrote, of all its lives. */
  readonly said: readonly string[];
  visitor(): TestBrowser;
  /** Signs up a member who has nothing yet. */
  newMember(): Promise<TestBrowser>;
  /** Test funds, some of them in the trading wallet of a platform (the first by default). */
  fund(member: TestBrowser, tradingAmount: string, platformType?: PlatformType): Promise<void>;
  /** Signs up a member with such funds. */
  memberWithFunds(tradingAmount: string, platformType?: PlatformType): Promise<TestBrowser>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Resolves with how the process ended. */
  ended(): Promise<string>;
  again(environment?: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
}

function addressOf(database: TestDatabase): string {
  const { host, user, database: name, port } = database.ownerAddress;
  const query = `host=${encodeURIComponent(host)}${port === undefined ? '' : `&port=${port}`}`;
  return `postgresql://${user}@localhost/${name}?${query}`;
}

/** Starts the server against a simulator. */
export async function startHubProcess(
  simulator: SimulatorProcess,
  environment: Readonly<Record<string, string>> = {},
): Promise<HubProcess> {
  const database = await openTestDatabase();
  const data = mkdtempSync(join(memoryFolder(), 'crossbook hub '));
  const said: string[] = [];
  const start = (port: string, extra: Readonly<Record<string, string>>) =>
    startChild<{ readonly url: string }>({
      name: 'server',
      script: join(root, 'apps/server/src/main.ts'),
      args: ['--supervised'],
      cwd: root,
      env: {
        ...process.env,
        ...{ APP_ENV: 'test', DATA_DIR: data, DATABASE_URL: addressOf(database), PORT: port },
        ...{ SIMULATOR_URL: simulator.url, SIMULATOR_ADMIN: `${simulator.url}/sim/${ADMIN_TOKEN}` },
        ...{ CAPTCHA_WORK_MAX: '100', ADDRESS_LIMIT_FACTOR: '1000', ABSENCE_SPAN_MILLIS: '3000' },
        // A busy machine may hold an order back for longer than a member would want.
        ORDER_AGE_MILLIS: '60000',
        ...environment,
        ...extra,
      },
      say: (text) => said.push(text),
    });
  let child = await start('0', {});
  const { url } = child.ready;
  let members = 0;
  const newMember = async (): Promise<TestBrowser> => {
    members += 1;
    const email = `member${members}@example.org`;
    const browser = new TestBrowser(url);
    const flow = await browser.flowFor(email);
    const made = await browser.call('user/usernew', { email, flow, password: TEST_PASSWORD, agree: 'true' });
    if (made.data === null) throw new Error(made.msg);
    browser.stoken = made.data.token;
    browser.tid = made.data.tid;
    return browser;
  };
  const fund = async (
    member: TestBrowser,
    tradingAmount: string,
    platformType: PlatformType = 43,
  ): Promise<void> => {
    const funded = await member.call('x/paper/TestFunds', { platformType, tradingAmount });
    if (funded.data?.transfer === undefined) throw new Error(`no funds: ${JSON.stringify(funded)}`);
    // Venues make few accounts in a second: the transfer may wait for its turn.
    await until(
      async () => (await member.call('connexfunding/UniversalTransferHistory', {})).data?.rows ?? [],
      (rows) => rows.length === 1 && rows[0]?.state === 'done',
    );
  };
  return {
    url,
    database,
    said,
    visitor: () => new TestBrowser(url),
    newMember,
    fund,
    async memberWithFunds(tradingAmount, platformType = 43) {
      const member = await newMember();
      await fund(member, tradingAmount, platformType);
      return member;
    },
    async kill() {
      child.process.kill('SIGKILL');
      await child.ended;
    },
    ended: () => child.ended,
    async again(extra = {}) {
      child = await start(new URL(url).port, extra);
    },
    async stop() {
      await child.stop();
      await database.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** One order of a member, from the history. */
export type OrderRow = CallResponse<'connextrade/PlaceOrder'>;

/** A member's orders at a platform, the first by default, newest first. */
export async function ordersOf(
  member: TestBrowser,
  platformType: PlatformType = 43,
): Promise<readonly OrderRow[]> {
  const answer = await member.call('connextrade/OrderHistory', { platformType });
  if (answer.data === null) throw new Error(answer.msg);
  return answer.data.rows;
}

/** Waits until a condition holds, asking again and again; fails with the last thing seen. */
export async function until<Value>(
  ask: () => Promise<Value>,
  holds: (value: Value) => boolean,
  millisMax = 90_000,
): Promise<Value> {
  const deadline = performance.now() + millisMax;
  for (;;) {
    const value = await ask();
    if (holds(value)) return value;
    if (performance.now() > deadline) throw new Error(`still ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
