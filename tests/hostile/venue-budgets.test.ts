import type { CallInput } from '@crossbook/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { FULL } from '../property-runs.ts';
import { memberWithMargin, trade } from '../system/contract-books.ts';
import { CONTRACT_VENUES } from '../system/contract-venues.ts';
import {
  type HubProcess,
  type SimulatorProcess,
  startHubProcess,
  startSimulatorProcess,
  until,
} from '../system/hub-process.ts';

/** What one member or stranger does to the budgets of a venue, against real processes, told by what the others keep. */

let simulator: SimulatorProcess;
let hub: HubProcess;
/** Rests a little below the market. */
let resting: CallInput<'connextrade/PlaceOrder'>;
beforeAll(async () => {
  simulator = await startSimulatorProcess();
  // One address signs up all members here, and asks as ten visitors of the relay may.
  hub = await startHubProcess(simulator, { ADDRESS_LIMIT_FACTOR: '10' });
  const answer = await fetch(`${simulator.url}/api/v3/ticker/bookTicker?symbol=BTCUSDT`);
  const { bidPrice } = (await answer.json()) as { readonly bidPrice: string };
  resting = {
    ...{ platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side: 1, orderType: 1, timeInForce: 1 },
    ...{ price: String(Math.floor(Number(bidPrice) * 0.9)), quantity: '0.0002' },
  };
});
afterAll(async () => {
  await hub.stop();
  await simulator.stop();
});

/** Places and cancels one order; the codes of both answers. */
async function placeAndCancel(member: TestBrowser): Promise<readonly [number, number | undefined]> {
  const placed = await member.call('connextrade/PlaceOrder', resting);
  if (placed.data === null) return [placed.code, undefined];
  const cancelled = await member.call('connextrade/CancelOrder', {
    platformType: 43,
    orderId: placed.data.orderId,
  });
  return [placed.code, cancelled.code];
}

async function inARow<Value>(times: number, run: () => Promise<Value>): Promise<readonly Value[]> {
  const values: Value[] = [];
  for (let at = 0; at < times; at += 1) values.push(await run());
  return values;
}

/** Figures of the arbiter of a venue. */
async function arbiterStat(venue: string, value: string): Promise<number> {
  const text = await (await fetch(`${hub.url}/metrics`)).text();
  const line = text
    .split('\n')
    .find((row) => row.startsWith(`crossbook_venue_requests{venue="${venue}",stat="${value}"}`));
  return Number(line?.split(' ').at(-1) ?? Number.NaN);
}

describe('Binance', () => {
  test('a member places and cancels while a stranger asks for snapshots of every size', async () => {
    const member = await hub.memberWithFunds('1000');
    const asked = FULL ? 2_000 : 240;
    const answers = await Promise.all(
      Array.from({ length: asked }, async (_none, at) => {
        const wanted = `symbol=BTCUSDT&limit=${5_000 - at}`;
        const bars = `symbol=BTCUSDT&interval=1m&limit=${(at % 900) + 1}`;
        const path = at % 2 === 0 ? `/api/v3/depth?${wanted}` : `/api/v3/klines?${bars}`;
        return (await fetch(`${hub.url}/md/binance${path}`)).status;
      }),
    );
    expect(new Set(answers).size).toBeLessThanOrEqual(2);
    expect(answers.every((status) => status === 200 || status === 503)).toBe(true);
    expect(await inARow(5, () => placeAndCancel(member))).toEqual(Array.from({ length: 5 }, () => [1, 1]));
  });

  test('a member places and cancels while another uses up all that one member may in twelve loops', async () => {
    const [greedy, other] = [await hub.memberWithFunds('2000'), await hub.memberWithFunds('1000')];
    // On a slow machine it takes longer until all is used up.
    let usedUp = false;
    const greedily = async (): Promise<readonly (readonly [number, number | undefined])[]> => {
      const pairs = [];
      for (let at = 0; at < (FULL ? 100 : 30) || (!usedUp && at < 300); at += 1) {
        const pair = await placeAndCancel(greedy);
        usedUp ||= pair[0] === 3018;
        pairs.push(pair);
      }
      return pairs;
    };
    const loops = Array.from({ length: 12 }, greedily);
    expect(await inARow(15, () => placeAndCancel(other))).toEqual(Array.from({ length: 15 }, () => [1, 1]));
    // An account may place 100 orders in ten seconds. What lies above is refused by us, told as ours and never as a word
    // of the exchange: its budget, or that we are busy, or that the order became too old in our queue.
    const pairs = (await Promise.all(loops)).flat();
    const placed = pairs.map(([code]) => code);
    expect(placed).toContain(3018);
    expect(placed.filter((code) => ![1, 1010, 3019, 3018].includes(code))).toEqual([]);
    const cancelled = pairs.flatMap(([, code]) => (code === undefined ? [] : [code]));
    expect(cancelled.filter((code) => ![1, 3018].includes(code))).toEqual([]);
  });

  test('a member opens and closes a position while another asks about contracts in twelve loops', async () => {
    const [venue] = CONTRACT_VENUES;
    if (venue === undefined) throw new Error('no venue');
    const { platformType, symbol } = venue;
    const [greedy, other] = [
      await memberWithMargin({ hub }, venue, '1000'),
      await memberWithMargin({ hub }, venue, '1000'),
    ];
    const { data: listed } = await greedy.call('connexbasicdata/QuerySymInfo', {
      ...{ platformType, tstate: 1, tinstType: 2 },
    });
    // Each contract has a setting and a table of its own, so that each question is a new one.
    const symbols = (listed ?? []).map(({ tinstId }) => tinstId);
    const askAll = async (at: number): Promise<readonly number[]> => {
      const about = { platformType, symbol: symbols[at % symbols.length] ?? symbol } as const;
      const answers = [
        await greedy.call('connextrade/GetLeverage', about),
        await greedy.call('connextrade/AvailableOpen', { ...about, side: 1, effect: 0 }),
        await greedy.call('connextrade/AvailableClose', { ...about, effect: 0 }),
      ];
      return answers.map(({ code }) => code);
    };
    let asked = 0;
    const loops = Array.from({ length: 12 }, () => inARow(FULL ? 60 : 10, () => askAll(asked++)));
    const round = async (): Promise<readonly number[]> => {
      await trade(other, venue);
      const closed = await other.call('connextrade/ClosePosition', { platformType, symbol, effect: 0 });
      await until(
        () => other.call('connextrade/AvailableClose', { platformType, symbol, effect: 0 }),
        ({ data }) => data?.quantity === '0',
      );
      return [closed.code];
    };
    expect(await inARow(3, round)).toEqual([[1], [1], [1]]);
    // What is refused is refused as ours: never as if contracts were out of reach (3020).
    const codes = (await Promise.all(loops)).flat(2);
    expect(codes.filter((code) => ![1, 1010, 3010, 3018].includes(code))).toEqual([]);
    expect(codes).toContain(1);
  });
});

describe('OKX', () => {
  test('members who come together all get their account and their funds, and few requests are refused on the way', async () => {
    const members = FULL ? 20 : 6;
    const made = await Promise.all(Array.from({ length: members }, () => hub.memberWithFunds('100', 41)));
    expect(made.every(({ tid }) => tid !== undefined)).toBe(true);
    const refused = await arbiterStat('okx', 'refused');
    console.info(`okx: ${members} members at once, ${refused} requests refused by us`);
    expect(refused).toBeLessThan(members * 5);
  });
});
