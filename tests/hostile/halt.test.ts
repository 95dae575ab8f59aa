import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import {
  type HubProcess,
  type SimulatorProcess,
  startHubProcess,
  startSimulatorProcess,
  until,
} from '../system/hub-process.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const BINANCE = { platformType: 43 } as const;
const RESTING = {
  ...{ platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side: 1, orderType: 1 },
  ...{ price: '50000', quantity: '0.0004' },
} as const;
const HALTED = 1011;

let simulator: SimulatorProcess;
let hub: HubProcess;
let member: TestBrowser;

beforeAll(async () => {
  simulator = await startSimulatorProcess();
  hub = await startHubProcess(simulator);
  member = await hub.memberWithFunds('1000');
});
afterAll(async () => {
  await hub?.stop();
  await simulator?.stop();
});

/** One unit too many or taken back in somebody's wallet, as a fault of ours would leave it. */
async function plant(units: 1 | -1): Promise<void> {
  await hub.database.owner.query(
    `update ledger_accounts set posted = posted + ${units} * 0.000000000000000001
     where key = (select min(key) from ledger_accounts where class = 'FUNDING')`,
  );
}

async function rest(): Promise<string> {
  const placed = await member.call('connextrade/PlaceOrder', RESTING);
  expect(placed.code).toBe(1);
  return placed.data?.orderId ?? '';
}

const place = async () => (await member.call('connextrade/PlaceOrder', RESTING)).code;
const cancel = async (orderId: string) =>
  (await member.call('connextrade/CancelOrder', { ...BINANCE, orderId })).code;
const move = async (direction: 1 | 2) =>
  (
    await member.call('connexfunding/UniversalTransfer', {
      ...BINANCE,
      direction,
      asset: 'USDT',
      amount: '1',
    })
  ).code;

async function gateMetric(): Promise<string | undefined> {
  const text = await (await fetch(`${hub.url}/metrics`)).text();
  return /^crossbook_money_gate_open (\S+)$/m.exec(text)?.[1];
}

/** The operator's command, as he types it. */
async function moneyGate(
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly said: string }> {
  const { host, port, user, database } = hub.database.ownerAddress;
  const url = `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
  const child = spawn(
    process.execPath,
    [join(root, 'apps/server/src/main/commands/money-gate-command.ts'), ...words],
    {
      cwd: root,
      env: { ...process.env, DATABASE_URL: url },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  const [code] = await once(child, 'exit');
  return { code: Number(code), said };
}

describe('one unit that does not add up', () => {
  test('stops everything that moves money, over a restart too; members still cancel and read; it opens by command', async () => {
    const orders = [await rest(), await rest()];
    await plant(1);
    // Asked of the metric: orders that are taken meanwhile would use up the money.
    await until(gateMetric, (open) => open === '0');
    expect(await place()).toBe(HALTED);
    expect([await move(1), await move(2)]).toEqual([HALTED, HALTED]);
    expect((await member.call('x/paper/TestFunds', {})).code).toBe(HALTED);
    expect(await gateMetric()).toBe('0');
    expect(await cancel(orders[0] ?? '')).toBe(1);

    await hub.kill();
    await hub.again();
    expect([await place(), await move(1), await move(2)]).toEqual([HALTED, HALTED, HALTED]);
    expect(await cancel(orders[1] ?? '')).toBe(1);
    for (const call of [
      'connextrade/CurOrderList',
      'connextrade/OrderHistory',
      'connexfunding/tradingbalance',
    ] as const) {
      expect((await member.call(call, BINANCE)).code, call).toBe(1);
    }

    const early = await moneyGate('open', '--reason', 'it will be fine');
    expect(early.code).toBe(1);
    expect(early.said).toContain('I1');
    expect(await place()).toBe(HALTED);
    await plant(-1);
    const opened = await moneyGate('open', '--reason', 'the planted unit is taken back');
    expect(opened.code).toBe(0);
    expect(await place()).toBe(1);
    expect([await move(1), await gateMetric()]).toEqual([1, '1']);
    const { said } = await moneyGate('status');
    expect(said).toContain('The money gate is open.');
    expect(said).toContain('the planted unit is taken back');
    expect(said).toContain('open-refused');
  }, 240_000);

  test('the operator closes the gate by hand, and a reason is asked for', async () => {
    expect((await moneyGate('close')).code).toBe(2);
    expect((await moneyGate('close', '--reason', 'a venue acts up')).code).toBe(0);
    // Asked of the metric: orders that are taken meanwhile would use up the money.
    await until(gateMetric, (open) => open === '0');
    expect(await place()).toBe(HALTED);
    expect((await moneyGate('open', '--reason', 'it has stopped')).code).toBe(0);
    expect(await place()).toBe(1);
  }, 240_000);
});
