import {
  type Amount,
  amount,
  floorTo,
  formatAmount,
  mulDown,
  platformFacts,
  platformOfType,
} from '@crossbook/domain';
import { expect } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { type HubProcess, type SimulatorProcess, until } from './hub-process.ts';
import type { TradedVenue } from './venue-money.ts';

/** Orders that wait, as tests of processes see and set them off. */

/** Where each venue tells the last price of a market. */
const PRICE_PATHS = {
  43: { spot: '/api/v3/ticker/price?symbol=', perps: '/fapi/v1/ticker/price?symbol=' },
  41: { spot: '/api/v5/market/ticker?instId=', perps: '/api/v5/market/ticker?instId=' },
  42: {
    spot: '/v5/market/tickers?category=spot&symbol=',
    perps: '/v5/market/tickers?category=linear&symbol=',
  },
} as const;

type Place = Pick<TradedVenue, 'platformType' | 'symbol'>;

/** A price so much of what the market is at now, on its step. */
export async function priceAt(
  simulator: Pick<SimulatorProcess, 'url'>,
  { platformType, symbol }: Place,
  { factor, market }: { readonly factor: string; readonly market: 'spot' | 'perps' },
): Promise<string> {
  const url = `${simulator.url}${PRICE_PATHS[platformType][market]}${symbol}`;
  // A venue that is asked too often says no price.
  const found = await until(
    async () => /"(?:price|last|lastPrice)":"([0-9.]+)"/.exec(await (await fetch(url)).text()),
    (matched) => matched !== null,
  );
  const price = found?.[1] ?? '';
  const whole: Amount = amount(price.includes('.') ? price.replace(/\.?0+$/, '') : price);
  return formatAmount(floorTo(mulDown(whole, amount(factor)), amount('0.1')));
}

/** How near the price of a shock counts as there: the crowd trades around it. */
const NEAR = 0.005;

/**
 * A shock of the price. Triggers between the price of before and that of then are felt on the way there.
 * @returns what waits until the market has come there: what is placed earlier is beside a price that still moves, and fires by itself.
 */
export async function shocked(
  simulator: Pick<SimulatorProcess, 'url' | 'admin'>,
  place: Place,
  { factor, market }: { readonly factor: number; readonly market: 'spot' | 'perps' },
): Promise<() => Promise<void>> {
  const now = async () => Number(await priceAt(simulator, place, { factor: '1', market }));
  const target = (await now()) * factor;
  const slug = platformFacts(platformOfType(place.platformType)?.platform ?? 1).slug;
  await simulator.admin('shock', { venue: slug, market, symbol: place.symbol, factor });
  return async () => void (await until(now, (price) => Math.abs(price / target - 1) < NEAR));
}

/** All algo orders of a member, the newest first. */
export const algosOf = async (member: TestBrowser) =>
  (await member.call('connextrade/AlgoOrderHistory', {})).data?.rows ?? [];

/** Waits until a member's newest algo order is over. */
export const newestEnded = (member: TestBrowser) =>
  until(
    async () => (await algosOf(member))[0],
    (row) => row !== undefined && !['placing', 'waiting', 'firing'].includes(row.state) && !row.unknown,
  );

/** Waits until the hub has killed itself at the point at which it is to; else says what it did meanwhile. */
export async function expectKilled(hub: HubProcess, millisMax = 60_000): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`alive: ${hub.said.slice(-10).join('\n')}`), millisMax);
  });
  const how = await Promise.race([hub.ended(), late]);
  clearTimeout(timer);
  expect(how).toBe('signal SIGKILL');
}
