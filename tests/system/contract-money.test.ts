import type { CallInput, CallResponse } from '@crossbook/contract';
import { type Amount, amount, formatAmount, minus, plus, ZERO } from '@crossbook/domain';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { ledgerBreaches } from '../../apps/server/src/storage/ledger/ledger-check.ts';
import {
  type HubProcess,
  type SimulatorProcess,
  startHubProcess,
  startSimulatorProcess,
  until,
} from './hub-process.ts';

// Prices reach a whole market of agents before positions feel them; on a busy machine several times as long.
vi.setConfig({ testTimeout: 240_000 });

const LOTS: Readonly<Record<string, Amount>> = { BTCUSDT: amount('0.001'), ETHUSDT: amount('0.001') };
const CONTRACT = { platformType: 43, symbol: 'BTCUSDT' } as const;
const BUY = 1;
const SELL = 2;

let simulator: SimulatorProcess;
let hub: HubProcess;
beforeAll(async () => {
  simulator = await startSimulatorProcess();
  hub = await startHubProcess(simulator);
});
afterAll(async () => {
  await hub?.stop();
  await simulator?.stop();
});

/** A member whose money is all behind contracts. */
async function memberWithMargin(usdt: string): Promise<TestBrowser> {
  const member = await hub.memberWithFunds(usdt);
  const move = { platformType: 43, direction: 3, asset: 'USDT', amount: usdt } as const;
  expect(await member.call('connexfunding/UniversalTransfer', move)).toMatchObject({ code: 1 });
  await until(
    async () => (await member.call('connexfunding/UniversalTransferHistory', {})).data?.rows ?? [],
    (rows) => rows.every(({ state }) => state === 'done'),
  );
  return member;
}

/** A market order by a member who has seen how the contract is set; resolves when it has filled. */
async function trade(
  member: TestBrowser,
  side: 1 | 2,
  quantity: string,
  part: Partial<CallInput<'connextrade/PlaceOrder'>> = {},
): Promise<void> {
  const { data: setting } = await member.call('connextrade/GetLeverage', CONTRACT);
  const seen = { marginMode: setting?.marginMode ?? 'cross', leverage: setting?.leverageLong ?? 1 };
  const order = { ...CONTRACT, tinstType: 2, orderType: 2, side, quantity, ...seen, ...part } as const;
  expect(await member.call('connextrade/PlaceOrder', order)).toMatchObject({ code: 1, data: { status: 4 } });
}

interface VenueStats {
  readonly wallet: string;
  readonly positions: readonly {
    readonly symbol: string;
    readonly lots: number;
    readonly unrealisedPnl: string;
  }[];
}

/** What the venue has of a member. */
async function atVenue(member: TestBrowser): Promise<VenueStats> {
  const answer = await simulator.admin('positions', { label: `sub:crossbook-member-${member.tid}` });
  return answer as unknown as VenueStats;
}

/** What the platform paid for a member and has not got back. */
async function debtOf(member: TestBrowser): Promise<Amount> {
  const [row] = await hub.database.owner.query<{ owed: string }>(
    'select coalesce(sum(amount), 0)::text as owed from contract_debts where user_id = $1',
    [member.tid ?? 0],
  );
  return amount(row?.owed ?? '0');
}

/** Wallet less debt and positions: by the hub's books, and by the venue's. */
async function bothSides(member: TestBrowser) {
  const venue = await atVenue(member);
  const { data: rows } = await member.call('connexfunding/tradingbalance', { platformType: 43 });
  const total = rows?.find(({ asset, pocket }) => asset === 'USDT' && pocket === 'futures')?.total ?? '0';
  const { data: open } = await member.call('connextrade/CurPositionList', { platformType: 43 });
  const runs = await hub.database.owner.query<{ symbol: string; quantity: string }>(
    'select symbol, quantity::text from contract_runs where user_id = $1 and quantity <> 0 order by symbol',
    [member.tid ?? 0],
  );
  const text = (symbol: string, quantity: string) => `${symbol} ${formatAmount(amount(quantity))}`;
  const lots = venue.positions.filter((position) => position.lots !== 0);
  return {
    hub: {
      wallet: formatAmount(minus(amount(total), await debtOf(member))),
      positions: (open?.positions ?? []).map(({ symbol, quantity }) => text(symbol, quantity)).sort(),
      booked: runs.map(({ symbol, quantity }) => text(symbol, quantity)),
    },
    venue: {
      wallet: venue.wallet,
      positions: lots
        .map(
          ({ symbol, lots: count }) =>
            `${symbol} ${formatAmount((BigInt(count) * (LOTS[symbol] ?? ZERO)) as Amount)}`,
        )
        .sort(),
    },
  };
}

/** Hub and venue agree to the last unit, and nobody's wallet is below zero. */
async function expectBooksEqual(member: TestBrowser, what: string, positions?: readonly string[]) {
  const last = await until(
    () => bothSides(member),
    (both) =>
      both.hub.wallet === both.venue.wallet &&
      both.hub.positions.join() === both.venue.positions.join() &&
      both.hub.booked.join() === both.venue.positions.join() &&
      (positions === undefined || both.venue.positions.join() === positions.join()),
  ).catch((error: unknown) => {
    throw new Error(`${what}: ${String(error)}\n${hub.said.slice(-5).join('\n')}`);
  });
  expect(await ledgerBreaches(hub.database.database, 'fold')).toEqual([]);
  return last;
}

type Closed = CallResponse<'connextrade/PositionHistory'>['rows'];
async function closedOf(member: TestBrowser): Promise<Closed> {
  return (await member.call('connextrade/PositionHistory', {})).data?.rows ?? [];
}

const sum = (texts: readonly string[]) => texts.reduce((all, text) => plus(all, amount(text)), ZERO);

/** What all closed positions earned is what the wallet changed by, and GetRpnl and the history of funding say the same. */
async function expectHistoryAgrees(member: TestBrowser, began: string): Promise<void> {
  const closed = await closedOf(member);
  const earned = minus(amount((await atVenue(member)).wallet), amount(began));
  expect(formatAmount(sum(closed.map(({ net }) => net)))).toBe(formatAmount(earned));
  const { data: funding } = await member.call('x/trade/FundingHistory', {});
  expect(formatAmount(sum((funding?.rows ?? []).map((row) => row.amount)))).toBe(
    formatAmount(sum(closed.map((row) => row.funding))),
  );
  const { data: rpnl } = await member.call('connexfunding/GetRpnl', { begin: 0, end: 9_999_999_999_999 });
  expect(rpnl).toEqual({ totalRpnl: formatAmount(earned), equity: expect.stringMatching(/^[0-9.]+$/) });
}

describe('contracts at Binance, as the exchange books them', () => {
  test('open, add, partial close, funding, flip, close all', async () => {
    const member = await memberWithMargin('10000');
    await trade(member, BUY, '0.02');
    await expectBooksEqual(member, 'open', ['BTCUSDT 0.02']);
    await trade(member, BUY, '0.01');
    await expectBooksEqual(member, 'add', ['BTCUSDT 0.03']);
    await trade(member, SELL, '0.012', { reduceOnly: true });
    await expectBooksEqual(member, 'partial close', ['BTCUSDT 0.018']);
    await simulator.admin('funding', { symbol: 'BTCUSDT' });
    await until(
      async () => (await member.call('x/trade/FundingHistory', {})).data?.rows ?? [],
      (rows) => rows.length === 1,
    );
    await expectBooksEqual(member, 'funding', ['BTCUSDT 0.018']);
    expect(await closedOf(member)).toEqual([]);
    await trade(member, SELL, '0.05');
    await expectBooksEqual(member, 'flip', ['BTCUSDT -0.032']);
    expect(await closedOf(member)).toMatchObject([
      { direction: 'long', maxQuantity: '0.03', ended: 'closed' },
    ]);
    const all = await member.call('connextrade/ClosePositionAll', {});
    expect(all).toMatchObject({ code: 1, data: [{ outcome: 'sent' }] });
    await expectBooksEqual(member, 'close all', []);
    expect(await closedOf(member)).toMatchObject([
      { direction: 'short', maxQuantity: '0.032', ended: 'closed' },
      { direction: 'long', maxQuantity: '0.03', ended: 'closed' },
    ]);
    await expectHistoryAgrees(member, '10000');
  });

  test('a loss beyond the wallet, backed by the profit of another position, is a debt until that is taken', async () => {
    const member = await memberWithMargin('1000');
    await trade(member, BUY, '0.15');
    await trade(member, SELL, '4', { symbol: 'ETHUSDT' });
    await expectBooksEqual(member, 'open');
    await simulator.admin('shock', { market: 'perps', symbol: 'ETHUSDT', factor: 0.9 });
    await simulator.admin('shock', { market: 'perps', symbol: 'BTCUSDT', factor: 0.88 });
    await until(
      () => atVenue(member),
      ({ positions }) =>
        positions.some(
          ({ symbol, unrealisedPnl }) => symbol === 'BTCUSDT' && amount(unrealisedPnl) < amount('-1200'),
        ),
    );
    await member.call('connextrade/ClosePosition', { ...CONTRACT, effect: 0 });
    const { venue } = await expectBooksEqual(member, 'loss taken', ['ETHUSDT -4']);
    expect(amount(venue.wallet) < 0n).toBe(true);
    expect(formatAmount(minus(ZERO, await debtOf(member)))).toBe(venue.wallet);
    await member.call('connextrade/ClosePositionAll', {});
    await expectBooksEqual(member, 'flat', []);
    expect(await debtOf(member)).toBe(ZERO);
    await expectHistoryAgrees(member, '1000');
  });

  test('a liquidation by the exchange, and what the insurance fund pays', async () => {
    const member = await memberWithMargin('1000');
    await trade(member, BUY, '0.15');
    await expectBooksEqual(member, 'open', ['BTCUSDT 0.15']);
    await simulator.admin('shock', { market: 'perps', symbol: 'BTCUSDT', factor: 0.85 });
    await expectBooksEqual(member, 'liquidated', []);
    expect(await closedOf(member)).toMatchObject([{ ended: 'liquidated', maxQuantity: '0.15' }]);
    expect(await debtOf(member)).toBe(ZERO);
    const { data } = await member.call('connextrade/OrderHistory', { platformType: 43, tinstType: 2 });
    expect(data?.rows.map(({ cause }) => cause)).toEqual(['liquidation', 'order']);
  });
});
