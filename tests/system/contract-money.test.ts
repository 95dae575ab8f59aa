import type { CallInput, CallResponse } from '@crossbook/contract';
import {
  type Amount,
  amount,
  divDown,
  floorTo,
  formatAmount,
  minus,
  mulDown,
  platformFacts,
  plus,
  ZERO,
} from '@crossbook/domain';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { ledgerBreaches } from '../../apps/server/src/storage/ledger/ledger-check.ts';
import { signedHeaders } from '../../packages/venues/src/bybit/account/sign.ts';
import { FULL } from '../property-runs.ts';
import { priceAt } from './algo-rows.ts';
import {
  ACCOUNT_LABELS,
  type HubProcess,
  type SimulatorProcess,
  startHubProcess,
  startSimulatorProcess,
  until,
} from './hub-process.ts';
import { platformOf } from './venue-money.ts';

// Prices reach a whole market of agents before positions feel them; on a busy machine several times as long.
vi.setConfig({ testTimeout: 900_000 });

const BUY = 1;
const SELL = 2;

/** A venue as the tests of contract money know it. Sizes are in coins, whatever the venue counts. */
interface ContractVenue {
  readonly name: string;
  readonly platformType: 41 | 42 | 43;
  readonly btc: string;
  readonly eth: string;
  /** Coins that make one of what its orders count, and one lot of its books. */
  readonly units: Readonly<Record<string, { readonly coins: Amount; readonly lot: Amount }>>;
  /** Contracts have a wallet of their own. */
  readonly ownPocket: boolean;
  /** Every order says its margin mode, so that a contract may have two positions of one direction. */
  readonly modeByOrder?: true;
  /** The margin mode is the account's, and takes along what is held. */
  readonly modeOfAccount?: true;
}

const COIN = { coins: amount('1'), lot: amount('0.001') };
const VENUES: readonly ContractVenue[] = [
  {
    ...{ name: 'Binance', platformType: 43, btc: 'BTCUSDT', eth: 'ETHUSDT', ownPocket: true },
    units: { BTCUSDT: COIN, ETHUSDT: COIN },
  },
  {
    ...{ name: 'OKX', platformType: 41, btc: 'BTC-USDT-SWAP', eth: 'ETH-USDT-SWAP', ownPocket: false },
    modeByOrder: true,
    units: {
      'BTC-USDT-SWAP': { coins: amount('0.01'), lot: amount('0.0001') },
      'ETH-USDT-SWAP': { coins: amount('0.1'), lot: amount('0.001') },
    },
  },
  {
    ...{ name: 'Bybit', platformType: 42, btc: 'BTCUSDT', eth: 'ETHUSDT', ownPocket: false },
    modeOfAccount: true,
    units: { BTCUSDT: COIN, ETHUSDT: { coins: amount('1'), lot: amount('0.01') } },
  },
];

// Each venue has processes of its own, so that its rows wait beside those of the others.
describe.concurrent.each(VENUES)('contracts at $name', (venue) => {
  describe('as the exchange books them', { concurrent: false }, () => claimMoney(venue));
});

/**
 * What the hub makes of a loss, a liquidation and isolated legs is the same everywhere: `npm test` shows it at the first venue,
 * the full tier at all of them.
 */
const showsAll = ({ name }: ContractVenue): boolean => FULL || name === 'Binance';

function claimMoney(venue: ContractVenue): void {
  const { platformType, btc, eth } = venue;
  const platform = platformOf(venue);
  const slug = platformFacts(platform).slug;
  const contract = { platformType, symbol: btc } as const;
  let simulator: SimulatorProcess;
  let hub: HubProcess;
  // A shock moves a coin everywhere, so that each venue has a world of its own.
  beforeAll(async () => {
    simulator = await startSimulatorProcess();
    hub = await startHubProcess(simulator, { PLATFORM_3: 'live' });
  });
  afterAll(async () => {
    await hub?.stop();
    await simulator?.stop();
  });
  const unitsOf = (symbol: string) => venue.units[symbol] ?? COIN;
  /** A size in coins as the venue's orders count it. */
  const sized = (coins: string, symbol = btc) => formatAmount(divDown(amount(coins), unitsOf(symbol).coins));
  /** So many coins as that much buys now: prices go their own way, what a loss is reckoned at must not. */
  async function worth(usdt: string, symbol = btc): Promise<string> {
    const now = await priceAt(simulator, { platformType, symbol }, { factor: '1', market: 'perps' });
    return formatAmount(floorTo(divDown(amount(usdt), amount(now)), unitsOf(symbol).lot));
  }
  const shock = (symbol: string, factor: number) =>
    simulator.admin('shock', { venue: slug, market: 'perps', symbol, factor });

  /** A member whose money is all behind contracts, at the leverage that the loss of the tests is reckoned at. */
  async function memberWithMargin(usdt: string): Promise<TestBrowser> {
    const member = await hub.memberWithFunds(usdt, platformType);
    if (venue.ownPocket) {
      const move = { platformType, direction: 3, asset: 'USDT', amount: usdt } as const;
      expect(await member.call('connexfunding/UniversalTransfer', move)).toMatchObject({ code: 1 });
      await until(
        async () => (await member.call('connexfunding/UniversalTransferHistory', {})).data?.rows ?? [],
        (rows) => rows.every(({ state }) => state === 'done'),
      );
    }
    for (const symbol of [btc, eth]) {
      const set = await member.call('connextrade/SetLeverage', { platformType, symbol, leverage: 20 });
      expect(set).toMatchObject({ code: 1, data: { leverageLong: 20 } });
    }
    return member;
  }

  /** A market order by a member who has seen how the contract is set; resolves when it has filled. */
  async function trade(
    member: TestBrowser,
    side: 1 | 2,
    coins: string,
    part: Partial<CallInput<'connextrade/PlaceOrder'>> = {},
  ): Promise<void> {
    const mode = part.marginMode === undefined ? {} : { marginMode: part.marginMode };
    const { data: setting } = await member.call('connextrade/GetLeverage', { ...contract, ...mode });
    const seen = { marginMode: setting?.marginMode ?? 'cross', leverage: setting?.leverageLong ?? 1 };
    const quantity = sized(coins, part.symbol);
    const order = { ...contract, tinstType: 2, orderType: 2, side, quantity, ...seen, ...part } as const;
    const { data: placed } = await member.call('connextrade/PlaceOrder', order);
    expect(placed).toMatchObject({ orderId: expect.any(String) });
    // At some venues the answer is a receipt, and the fill is told by the private stream.
    await until(
      async () =>
        (await member.call('connextrade/OrderHistory', { platformType, tinstType: 2 })).data?.rows ?? [],
      (rows) => rows.some(({ orderId, status }) => orderId === placed?.orderId && status === 4),
    );
  }

  /** What the venue has of a member. */
  const atVenue = (member: TestBrowser) => simulator.contractsOf(member.tid ?? 0, platform);

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
    const theirs = await atVenue(member);
    const { data: rows } = await member.call('connexfunding/tradingbalance', { platformType });
    const pocket = venue.ownPocket ? 'futures' : undefined;
    const total = rows?.find((row) => row.asset === 'USDT' && row.pocket === pocket)?.total ?? '0';
    const { data: open } = await member.call('connextrade/CurPositionList', { platformType });
    const runs = await hub.database.owner.query<{ symbol: string; quantity: string; effect: number }>(
      'select symbol, quantity::text, effect from contract_runs where user_id = $1 and quantity <> 0 order by symbol',
      [member.tid ?? 0],
    );
    // A short leg has a size above 0 here and below 0 in the venue's books.
    const inCoins = (symbol: string, quantity: string, effect: number) => {
      const coins = mulDown(amount(quantity), unitsOf(symbol).coins);
      return `${symbol} ${formatAmount(effect === 2 ? minus(ZERO, coins) : coins)}`;
    };
    const lots = theirs.positions.filter((position) => position.lots !== 0);
    return {
      hub: {
        wallet: formatAmount(minus(amount(total), await debtOf(member))),
        positions: (open?.positions ?? [])
          .map(({ symbol, quantity, effect }) => inCoins(symbol, quantity, effect))
          .sort(),
        booked: runs.map(({ symbol, quantity, effect }) => inCoins(symbol, quantity, effect)).sort(),
      },
      venue: {
        wallet: theirs.wallet,
        positions: lots
          .map(
            ({ symbol, lots: count }) =>
              `${symbol} ${formatAmount((BigInt(count) * unitsOf(symbol).lot) as Amount)}`,
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
    // With nothing open it is what the wallets hold.
    const wallets = [
      await member.call('connexfunding/fundingbalance', {}),
      await member.call('connexfunding/tradingbalance', { platformType }),
    ].flatMap(({ data }) => data ?? []);
    expect(new Set(wallets.map(({ asset }) => asset))).toEqual(new Set(['USDT']));
    const equity = formatAmount(sum(wallets.map(({ total }) => total)));
    // What a position stood at last is counted until the exchange has said that it is over.
    const { data: rpnl } = await until(
      () => member.call('connexfunding/GetRpnl', { begin: 0, end: 9_999_999_999_999 }),
      ({ data }) => data?.equity === equity,
    );
    expect(rpnl).toEqual({ totalRpnl: formatAmount(earned), equity });
  }

  test('open, add, partial close, funding, flip, close all', async () => {
    const member = await memberWithMargin('10000');
    await trade(member, BUY, '0.02');
    await expectBooksEqual(member, 'open', [`${btc} 0.02`]);
    await trade(member, BUY, '0.01');
    await expectBooksEqual(member, 'add', [`${btc} 0.03`]);
    await trade(member, SELL, '0.012', { reduceOnly: true });
    await expectBooksEqual(member, 'partial close', [`${btc} 0.018`]);
    await simulator.admin('funding', { venue: slug, symbol: btc });
    await until(
      async () => (await member.call('x/trade/FundingHistory', {})).data?.rows ?? [],
      (rows) => rows.length > 0,
    );
    await expectBooksEqual(member, 'funding', [`${btc} 0.018`]);
    expect(await closedOf(member)).toEqual([]);
    await trade(member, SELL, '0.05');
    await expectBooksEqual(member, 'flip', [`${btc} -0.032`]);
    expect(await closedOf(member)).toMatchObject([
      { direction: 'long', maxQuantity: sized('0.03'), ended: 'closed' },
    ]);
    const all = await member.call('connextrade/ClosePositionAll', {});
    expect(all).toMatchObject({ code: 1, data: [{ outcome: 'sent' }] });
    await expectBooksEqual(member, 'close all', []);
    expect(await closedOf(member)).toMatchObject([
      { direction: 'short', maxQuantity: sized('0.032'), ended: 'closed' },
      { direction: 'long', maxQuantity: sized('0.03'), ended: 'closed' },
    ]);
    await expectHistoryAgrees(member, '10000');
  });

  test.runIf(showsAll(venue))(
    'a loss beyond the wallet, backed by the profit of another position, is a debt until that is taken',
    async () => {
      const member = await memberWithMargin('1000');
      const [long, short] = [await worth('10400'), await worth('7500', eth)];
      await trade(member, BUY, long);
      await trade(member, SELL, short, { symbol: eth });
      await expectBooksEqual(member, 'open', [`${btc} ${long}`, `${eth} -${short}`]);
      // 750 are won and 1,250 lost: of 1,000 about 490 stand behind positions that want 75, and the wallet alone owes.
      await shock(eth, 0.9);
      await shock(btc, 0.88);
      await member.call('connextrade/ClosePosition', { ...contract, effect: 0 });
      const { venue } = await expectBooksEqual(member, 'loss taken', [`${eth} -${short}`]);
      expect(amount(venue.wallet) < 0n).toBe(true);
      expect(formatAmount(minus(ZERO, await debtOf(member)))).toBe(venue.wallet);
      await member.call('connextrade/ClosePositionAll', {});
      await expectBooksEqual(member, 'flat', []);
      expect(await debtOf(member)).toBe(ZERO);
      await expectHistoryAgrees(member, '1000');
    },
  );

  if (venue.modeByOrder)
    test('cross and isolated stand side by side, and legs beside each other, each with its own money', async () => {
      const member = await memberWithMargin('5000');
      const isolated = { marginMode: 'isolated', leverage: 5 } as const;
      const set = await member.call('connextrade/SetLeverage', { ...contract, ...isolated });
      expect(set).toMatchObject({ code: 1, data: { leverageLong: 5, marginMode: 'isolated' } });
      const mode = await member.call('x/trade/MarginMode', { ...contract, marginMode: 'isolated' });
      expect(mode).toMatchObject({ code: 1, data: { leverageLong: 5, marginMode: 'isolated' } });
      const inMode = async (marginMode: 'cross' | 'isolated') =>
        (await member.call('connextrade/GetLeverage', { ...contract, marginMode })).data?.leverageLong;
      expect([await inMode('cross'), await inMode('isolated')]).toEqual([20, 5]);
      const unseen = { ...contract, tinstType: 2, orderType: 2, side: BUY, quantity: '1' } as const;
      const refused = { ...unseen, marginMode: 'isolated', leverage: 20 } as const;
      expect((await member.call('connextrade/PlaceOrder', refused)).msg).toMatch(/5x isolated/);
      await trade(member, BUY, '0.02');
      await trade(member, SELL, '0.01', isolated);
      await expectBooksEqual(member, 'both modes', [`${btc} -0.01`, `${btc} 0.02`]);
      // What is lost meanwhile cannot be taken.
      for (const [direction, margin] of [
        [1, '50'],
        [2, '20'],
      ] as const) {
        const moved = await member.call('x/trade/AdjustMargin', { ...contract, direction, amount: margin });
        expect(moved).toMatchObject({ code: 1 });
      }
      await simulator.admin('funding', { venue: slug, symbol: btc });
      await until(
        async () => (await member.call('x/trade/FundingHistory', {})).data?.rows ?? [],
        (rows) => rows.length >= 2,
      );
      await expectBooksEqual(member, 'funding of both', [`${btc} -0.01`, `${btc} 0.02`]);
      const closed = await member.call('connextrade/ClosePosition', { ...contract, marginMode: 'isolated' });
      expect(closed).toMatchObject({ code: 1, data: { outcome: 'sent' } });
      await expectBooksEqual(member, 'isolated closed', [`${btc} 0.02`]);
      await member.call('connextrade/ClosePositionAll', {});
      await expectBooksEqual(member, 'one-way over', []);
      const hedged = { ...contract, positionMode: 'hedge' } as const;
      expect(await member.call('connextrade/ChangePositionMode', hedged)).toMatchObject({ code: 1 });
      await trade(member, BUY, '0.02', { effect: 1 });
      await trade(member, SELL, '0.03', { effect: 2 });
      await expectBooksEqual(member, 'legs', [`${btc} -0.03`, `${btc} 0.02`]);
      await trade(member, SELL, '0.005', { effect: 1 });
      await expectBooksEqual(member, 'a part of a leg', [`${btc} -0.03`, `${btc} 0.015`]);
      for (const effect of [1, 2] as const) {
        const legSet = await member.call('connextrade/SetLeverage', { ...contract, ...isolated, effect });
        expect(legSet).toMatchObject({ code: 1 });
      }
      await trade(member, BUY, '0.01', { effect: 1, ...isolated });
      await trade(member, SELL, '0.005', { effect: 2, ...isolated });
      const others = [`${btc} -0.005`, `${btc} -0.03`, `${btc} 0.015`];
      await expectBooksEqual(member, 'four at once', [...others.slice(0, 2), `${btc} 0.01`, `${btc} 0.015`]);
      const { data: four } = await member.call('connextrade/CurPositionList', { platformType });
      expect(four?.positions.map((row) => `${row.marginMode} ${row.effect} ${row.quantity}`).sort()).toEqual([
        ...[`cross 1 ${sized('0.015')}`, `cross 2 ${sized('0.03')}`],
        ...[`isolated 1 ${sized('0.01')}`, `isolated 2 ${sized('0.005')}`],
      ]);
      // Five times the margin of the isolated long leg falls short; the three beside it stand.
      await shock(btc, 0.78);
      await expectBooksEqual(member, 'one of four liquidated', others);
      expect(await closedOf(member)).toContainEqual(
        expect.objectContaining({ ended: 'liquidated', marginMode: 'isolated', effect: 1, leverage: 5 }),
      );
      const one = await member.call('connextrade/ClosePosition', {
        ...{ ...contract, marginMode: 'isolated', effect: 2 },
      });
      expect(one).toMatchObject({ code: 1, data: { outcome: 'sent', effect: 2, marginMode: 'isolated' } });
      await expectBooksEqual(member, 'two of four', others.slice(1));
      await member.call('connextrade/ClosePositionAll', {});
      await expectBooksEqual(member, 'all over', []);
      expect(
        (await closedOf(member)).map(({ marginMode, effect }) => `${marginMode} ${effect}`).sort(),
      ).toEqual([...['cross 0', 'cross 1', 'cross 2', 'isolated 0', 'isolated 1', 'isolated 2']]);
      await expectHistoryAgrees(member, '5000');
    });

  if (venue.modeOfAccount)
    test('positions go along with the margin mode, whoever changes it and whether the hub is there or not', async () => {
      const member = await memberWithMargin('5000');
      // However long it takes, the market's walk liquidates nothing that stands alone.
      for (const symbol of [btc, eth])
        await member.call('connextrade/SetLeverage', { platformType, symbol, leverage: 5 });
      await trade(member, BUY, '0.02');
      await trade(member, SELL, '0.4', { symbol: eth });
      const both = [`${btc} 0.02`, `${eth} -0.4`];
      await expectBooksEqual(member, 'open', both);
      await simulator.admin('funding', { venue: slug, symbol: btc });
      await until(
        async () => (await member.call('x/trade/FundingHistory', {})).data?.rows ?? [],
        (rows) => rows.length > 0,
      );
      const held = async () =>
        (await member.call('connextrade/CurPositionList', { platformType })).data?.positions ?? [];
      /** What of a position lasts, whatever its mode. */
      const lasting = async () =>
        (await held()).map((row) => [row.positionId, row.quantity, row.entryPrice, row.fees]).sort();
      const before = await lasting();
      const stand = async (mode: string): Promise<void> => {
        const rows = await until(
          held,
          (found) => found.length === 2 && found.every((row) => row.marginMode === mode),
        );
        for (const { isolatedMargin } of rows) expect(isolatedMargin !== null).toBe(mode === 'isolated');
        await until(lasting, (found) => JSON.stringify(found) === JSON.stringify(before));
        await expectBooksEqual(member, mode, both);
        expect(await closedOf(member)).toEqual([]);
        const opening = await member.call('x/trade/Opening', { platformType, tinstType: 2 });
        expect(opening.data).toEqual({ stopped: 'nothing' });
      };
      /** As its owner does in the exchange's own app: with a key that the hub has not. */
      const inApp = async (setMarginMode: string): Promise<void> => {
        const label = ACCOUNT_LABELS[platform](`crossbook-member-${member.tid}`);
        const { apiKey, secret } = await simulator.admin('keys', { venue: slug, label });
        const payload = JSON.stringify({ setMarginMode });
        const key = { apiKey: String(apiKey), secret: String(secret) };
        const call = { timestamp: Date.now(), receiveWindowMillis: 60_000, payload };
        const headers = { 'content-type': 'application/json', ...signedHeaders(key, call) };
        const url = `${simulator.url}/v5/account/set-margin-mode`;
        const answer = await fetch(url, { method: 'POST', headers, body: payload });
        expect(await answer.json()).toMatchObject({ retCode: 0, result: { reasons: [] } });
      };
      const change = (marginMode: 'cross' | 'isolated') =>
        member.call('x/trade/MarginMode', { ...contract, marginMode });
      expect(await change('isolated')).toMatchObject({ code: 1, data: { marginMode: 'isolated' } });
      await stand('isolated');
      expect(await change('cross')).toMatchObject({ code: 1, data: { marginMode: 'cross' } });
      await stand('cross');
      await inApp('ISOLATED_MARGIN');
      await stand('isolated');
      await hub.kill();
      await inApp('REGULAR_MARGIN');
      await hub.again();
      await stand('cross');
      await hub.kill();
      await inApp('ISOLATED_MARGIN');
      await hub.again();
      await stand('isolated');
      // What is bought and sold in the other mode belongs to the same position.
      await until(
        () =>
          trade(member, BUY, '0.01').then(
            () => true,
            () => false,
          ),
        (done) => done,
      );
      await trade(member, SELL, '0.004', { reduceOnly: true });
      await expectBooksEqual(member, 'traded on', [`${btc} 0.026`, `${eth} -0.4`]);
      await member.call('connextrade/ClosePositionAll', {});
      await expectBooksEqual(member, 'closed', []);
      const closed = await closedOf(member);
      expect(
        closed.map(({ symbol, marginMode, maxQuantity }) => [symbol, marginMode, maxQuantity]).sort(),
      ).toEqual([
        [btc, 'isolated', '0.03'],
        [eth, 'isolated', '0.4'],
      ]);
      expect(closed.map(({ positionId }) => positionId).sort()).toEqual(before.map(([id]) => id));
      await expectHistoryAgrees(member, '5000');
    });

  test.runIf(showsAll(venue))('a liquidation by the exchange, and what the insurance fund pays', async () => {
    const member = await memberWithMargin('1000');
    const long = await worth('10400');
    await trade(member, BUY, long);
    await expectBooksEqual(member, 'open', [`${btc} ${long}`]);
    await shock(btc, 0.85);
    await expectBooksEqual(member, 'liquidated', []);
    expect(await closedOf(member)).toMatchObject([{ ended: 'liquidated', maxQuantity: sized(long) }]);
    expect(await debtOf(member)).toBe(ZERO);
    const { data } = await member.call('connextrade/OrderHistory', { platformType, tinstType: 2 });
    expect(data?.rows.map(({ cause }) => cause)).toEqual(['liquidation', 'order']);
  });

  test.runIf(showsAll(venue))(
    'legs of hedge mode in isolated margin: each its own, margin moves within the wallet',
    async () => {
      const member = await memberWithMargin('10000');
      const mode = { ...contract, positionMode: 'hedge' } as const;
      expect(await member.call('connextrade/ChangePositionMode', mode)).toMatchObject({ code: 1 });
      const margin = { ...contract, marginMode: 'isolated' } as const;
      expect(await member.call('x/trade/MarginMode', margin)).toMatchObject({ code: 1 });
      await trade(member, BUY, '0.02', { effect: 1, marginMode: 'isolated' });
      await trade(member, SELL, '0.01', { effect: 2, marginMode: 'isolated' });
      const legs = async () =>
        ((await member.call('connextrade/CurPositionList', { platformType })).data?.positions ?? [])
          .map(({ effect, quantity, marginMode }) => `${effect} ${quantity} ${marginMode}`)
          .sort();
      const sizes = [`1 ${sized('0.02')} isolated`, `2 ${sized('0.01')} isolated`];
      await until(legs, (rows) => rows.join() === sizes.join());
      for (const [direction, usdt] of [
        [1, '200'],
        [2, '50'],
      ] as const) {
        const moved = { ...contract, effect: 1, direction, amount: usdt } as const;
        const { code, msg } = await member.call('x/trade/AdjustMargin', moved);
        expect([code, msg]).toEqual([1, 'OK']);
      }
      await member.call('connextrade/ClosePosition', { ...contract, effect: 1, marginMode: 'isolated' });
      await until(legs, (rows) => rows.join() === sizes.slice(1).join());
      await member.call('connextrade/ClosePositionAll', {});
      await expectBooksEqual(member, 'flat', []);
      await expectHistoryAgrees(member, '10000');
    },
  );
}
