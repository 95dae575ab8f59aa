import type { CallInput } from '@crossbook/contract';
import { ORDER_STATUS, type Platform, platformFacts } from '@crossbook/domain';
import { describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { playedHub } from '../played-hub.ts';
import { algosOf, priceAt } from './algo-rows.ts';
import { expectBooksEqual, moveToFutures, orderAsSeen, setLeverage } from './contract-books.ts';
import { CONTRACT_VENUES, type ContractVenue } from './contract-venues.ts';
import { type OrderRow, ordersOf, until } from './hub-process.ts';
import { expectEveryUnitInItsPlace, lockedOf, platformOf } from './venue-money.ts';

/** Resting orders that exchanges cancel because the hub is not heard of: at each exchange, on pairs and contracts. */

// The exchanges count seconds; on a busy machine all else takes several times as long.
vi.setConfig({ testTimeout: 300_000 });

const { simulator, hub } = playedHub({ PLATFORM_3: 'live' });
const parts = { hub, simulator };

/** Less than members may choose, so that nobody waits for minutes: kept in the row, which a start takes up. */
const SECONDS = 20;
const PAIRS = { 43: 'BTCUSDT', 41: 'BTC-USDT', 42: 'BTCUSDT' } as const;
/** What the exchanges say of why an order ended. */
const SAYS_WHY: Readonly<Record<Platform, boolean>> = { 1: false, 2: true, 3: true };

type Which = 'pair' | 'contract';

interface Member {
  readonly venue: ContractVenue;
  readonly browser: TestBrowser;
  readonly orders: Readonly<Record<Which, string>>;
}

async function place(member: TestBrowser, order: CallInput<'connextrade/PlaceOrder'>): Promise<string> {
  const placed = await member.call('connextrade/PlaceOrder', { ...order, clientId: crypto.randomUUID() });
  expect(placed, placed.msg).toMatchObject({ code: 1, data: { status: ORDER_STATUS.OPEN } });
  return placed.data?.orderId ?? '';
}

/** A member with a bid on a pair, one on a contract, and a stop that waits there. */
async function trader(venue: ContractVenue): Promise<Member> {
  const { platformType, symbol, size, ownPocket } = venue;
  const browser = await hub.memberWithFunds('6000', platformType);
  if (ownPocket) await moveToFutures(browser, platformType, '3000');
  await setLeverage(browser, { platformType, symbol, leverage: 20, effect: 0 });
  const pair = PAIRS[platformType];
  const at = (factor: string, market: 'spot' | 'perps') =>
    priceAt(simulator, { platformType, symbol: market === 'spot' ? pair : symbol }, { factor, market });
  const bid = { side: 1, orderType: 1, timeInForce: 1 } as const;
  const orders = {
    pair: await place(browser, {
      ...{ ...bid, platformType, tinstType: 1, symbol: pair, quantity: '0.01' },
      price: await at('0.95', 'spot'),
    }),
    contract: await place(
      browser,
      await orderAsSeen(browser, venue, { ...bid, price: await at('0.95', 'perps') }),
    ),
  };
  const { marginMode, leverage } = await orderAsSeen(browser, venue, {});
  // A breakout above the market: nothing of it is in the book.
  const stop = await browser.call('connextrade/PlaceAlgoOrder', {
    ...{
      platformType,
      tinstType: 2,
      symbol,
      side: 1,
      algoType: 'stop',
      quantity: size,
      marginMode,
      leverage,
    },
    ...{ triggerPrice: await at('1.2', 'perps'), triggerBy: 'last', clientId: crypto.randomUUID() },
  });
  expect(stop, stop.msg).toMatchObject({ code: 1, data: { state: 'waiting' } });
  return { venue, browser, orders };
}

const countdownOf = async ({ browser, venue }: Pick<Member, 'browser' | 'venue'>) =>
  (await browser.call('x/trade/Countdowns', {})).data?.find(({ exchange }) => exchange === platformOf(venue));
const counting = (member: Member) =>
  until(
    () => countdownOf(member),
    (row) => row?.state === 'counting',
  );
const set = ({ browser, venue }: Pick<Member, 'browser' | 'venue'>, seconds: number) =>
  browser.call('x/trade/SetCountdown', { platformType: venue.platformType, seconds });

async function orderOf({ browser, venue, orders }: Member, which: Which): Promise<OrderRow | undefined> {
  const tinstType = which === 'pair' ? 1 : 2;
  const rows =
    tinstType === 1
      ? await ordersOf(browser, venue.platformType)
      : ((await browser.call('connextrade/OrderHistory', { platformType: venue.platformType, tinstType }))
          .data?.rows ?? []);
  return rows.find(({ orderId }) => orderId === orders[which]);
}

/** What the exchange still holds back for a member's orders: of pairs, and of contracts. */
async function restingAtVenue({ browser, venue }: Member): Promise<Readonly<Record<Which, boolean>>> {
  const platform = platformOf(venue);
  const { wallet, available } = await simulator.contractsOf(browser.tid ?? 0, platform);
  const funds = await simulator.balancesOf(browser.tid ?? 0, platform);
  const locked = [...funds.values()].some((row) => Number(row.locked) > 0);
  return { pair: locked, contract: wallet !== available };
}

test('each exchange offers what it takes, refuses the rest by name, and remembers what was set', async () => {
  const [venue] = CONTRACT_VENUES;
  if (venue === undefined) throw new Error('no venue');
  const browser = await hub.newMember();
  const { data } = await browser.call('x/trade/Countdowns', {});
  expect(data).toEqual([
    { exchange: 1, seconds: 0, offered: [120, 300], pairs: false, contracts: true, state: 'off' },
    { exchange: 2, seconds: 0, offered: [60, 120], pairs: true, contracts: true, state: 'off' },
    { exchange: 3, seconds: 0, offered: [60, 120, 300], pairs: true, contracts: true, state: 'off' },
  ]);
  const wrong: readonly (readonly [object, string])[] = [
    [{ platformType: 41, seconds: 300 }, 'seconds'],
    [{ platformType: 43, seconds: 60 }, 'seconds'],
    [{ platformType: 41, seconds: -1 }, 'seconds'],
    [{ platformType: 41, seconds: '6e1' }, 'seconds'],
    [{ platformType: 41, seconds: 1e9 }, 'seconds'],
    [{ platformType: 41, seconds: null }, 'seconds'],
    [{ platformType: 41 }, 'seconds'],
    [{ platformType: 44, seconds: 60 }, 'platformType'],
    [{ seconds: 60 }, 'platformType'],
    [{ platformType: 41, seconds: 60, user: 1 }, 'user'],
  ];
  for (const [request, field] of wrong) {
    const answer = await browser.call('x/trade/SetCountdown', request as CallInput<'x/trade/SetCountdown'>);
    expect(answer, JSON.stringify(request)).toMatchObject({ code: 1001 });
    expect(answer.msg).toContain(field);
  }
  expect(await set({ browser, venue }, 300)).toMatchObject({
    code: 1,
    data: { seconds: 300, state: 'idle' },
  });
  expect(await set({ browser, venue }, 120)).toMatchObject({
    code: 1,
    data: { seconds: 120, state: 'idle' },
  });
  const other = await hub.newMember();
  expect(await countdownOf({ browser: other, venue })).toMatchObject({ seconds: 0 });
  expect(await hub.visitor().call('x/trade/Countdowns', {})).toMatchObject({ code: -2 });
  // With no account there nothing counts that would have to end.
  expect(await set({ browser, venue }, 0)).toMatchObject({ code: 1, data: { seconds: 0, state: 'off' } });
  expect(await set({ browser, venue }, 0)).toMatchObject({ code: 1, data: { state: 'off' } });
});

describe('a hub that goes away', () => {
  test('has the orders of who wants it cancelled by each exchange, and books them when it is back; other orders and stops stay', async () => {
    const venues = CONTRACT_VENUES;
    const wanting = await Promise.all(venues.map(trader));
    const unwilling = await Promise.all(venues.map(trader));
    const never = await Promise.all(venues.map(trader));
    for (const member of [...wanting, ...unwilling]) {
      const { offered = [] } = (await countdownOf(member)) ?? {};
      expect(await set(member, Math.max(...offered))).toMatchObject({ code: 1 });
      await counting(member);
    }
    // Back in time: the counts begin anew, and nothing has happened.
    await hub.kill();
    await hub.database.owner.query('update countdowns set seconds = $1', [SECONDS]);
    await hub.again();
    for (const member of [...wanting, ...unwilling]) {
      expect(await counting(member)).toMatchObject({ seconds: SECONDS });
      expect((await orderOf(member, 'contract'))?.status).toBe(ORDER_STATUS.OPEN);
    }
    for (const member of unwilling)
      expect(await set(member, 0)).toMatchObject({ code: 1, data: { seconds: 0, state: 'off' } });

    await hub.kill();
    for (const member of wanting)
      await until(
        () => restingAtVenue(member),
        ({ pair, contract }) => !contract && (platformOf(member.venue) === 1 || !pair),
      );
    await hub.again();

    for (const member of wanting) {
      const { venue, browser } = member;
      const platform = platformOf(venue);
      const covered: readonly Which[] = platform === 1 ? ['contract'] : ['pair', 'contract'];
      for (const which of covered) {
        const row = await until(
          () => orderOf(member, which),
          (found) => found?.settled === true,
        );
        expect([platformFacts(platform).name, which, row?.status]).toEqual([
          platformFacts(platform).name,
          which,
          ORDER_STATUS.CANCELLED,
        ]);
        expect(row?.refusal).toEqual(SAYS_WHY[platform] ? { cause: 'countdown', venueCode: null } : null);
      }
      // Of Binance no pair is covered.
      if (platform === 1) expect((await orderOf(member, 'pair'))?.status).toBe(ORDER_STATUS.OPEN);
      else expect(await lockedOf(browser, venue)).toEqual([]);
      const [stop] = await algosOf(browser);
      expect(stop).toMatchObject({ state: 'waiting' });
      expect((await countdownOf(member))?.state).toBe('idle');
    }
    for (const member of [...unwilling, ...never]) {
      expect((await countdownOf(member))?.state).toBe('off');
      for (const which of ['pair', 'contract'] as const)
        expect((await orderOf(member, which))?.status, `${member.venue.name} ${which}`).toBe(
          ORDER_STATUS.OPEN,
        );
      expect(await restingAtVenue(member)).toEqual({ pair: true, contract: true });
    }

    for (const { venue, browser } of wanting) {
      const { platformType } = venue;
      await browser.call('connextrade/CancelAll', { platformType });
      const [stop] = await algosOf(browser);
      await browser.call('connextrade/CancelAlgoOrder', { platformType, algoId: stop?.algoId ?? '' });
      await until(
        () => lockedOf(browser, venue),
        (locked) => locked.length === 0,
      );
      if (platformType !== 43) await expectEveryUnitInItsPlace(parts, browser, venue);
      expect(await expectBooksEqual(parts, browser, venue)).toEqual([]);
    }
  });
});

test('an exchange that does not say that its count has ended: it is still on, and can be turned off again', async () => {
  const venue = CONTRACT_VENUES.find(({ platformType }) => platformType === 41);
  if (venue === undefined) throw new Error('no venue');
  const member = await trader(venue);
  expect(await set(member, 60)).toMatchObject({ code: 1 });
  await counting(member);
  await simulator.admin('faults', { kind: 'reset-after', match: 'countdown', count: 1 });
  expect(await set(member, 0)).toMatchObject({ code: 3042 });
  expect(await countdownOf(member)).toMatchObject({ seconds: 60 });
  await counting(member);
  expect(await set(member, 0)).toMatchObject({ code: 1, data: { state: 'off' } });
  expect((await orderOf(member, 'pair'))?.status).toBe(ORDER_STATUS.OPEN);
});
