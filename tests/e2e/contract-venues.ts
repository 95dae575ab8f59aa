import { expect } from '@playwright/test';
import type { HubClient } from './hub-client.ts';
import type { Installation } from './installation.ts';

/** The exchanges whose contracts the flows trade, and members with money for them. */

/** An exchange's contract as the flows need it. */
export interface Venue {
  readonly slug: string;
  readonly platformType: string;
  readonly symbol: string;
  /** Decimals of a size in coins, and coins of what the exchange counts. */
  readonly decimals: number;
  readonly contract: number;
  /** Money for contracts lies in a pocket of its own. */
  readonly pocket: boolean;
}

/** The first exchange. */
export const BINANCE: Venue = {
  ...{ slug: 'binance', platformType: '43', symbol: 'BTCUSDT', decimals: 3, contract: 1, pocket: true },
};
/** The one that has icebergs of contracts. */
export const OKX: Venue = {
  ...{ slug: 'okx', platformType: '41', symbol: 'BTC-USDT-SWAP', decimals: 4, contract: 0.01, pocket: false },
};
/** The one whose trailing stops hang on positions. */
export const BYBIT: Venue = {
  ...{ slug: 'bybit', platformType: '42', symbol: 'BTCUSDT', decimals: 3, contract: 1, pocket: false },
};
/** All of them. */
export const CONTRACT_VENUES: readonly Venue[] = [BINANCE, OKX, BYBIT];
const MARGIN = '1000';

interface Standing {
  readonly positions: readonly { readonly quantity: string }[];
  readonly margin: readonly { readonly wallet: string }[];
}

/** The position in coins as the exchange states it, and whether the ledger's money is its wallet to the unit. */
async function standing(client: HubClient, { platformType, pocket, contract }: Venue) {
  const said = await client.must<Standing>('connextrade/CurPositionList', { platformType });
  const rows = await client.must<readonly { readonly pocket?: string; readonly total: string }[]>(
    'connexfunding/tradingbalance',
    { platformType, asset: 'USDT' },
  );
  const booked = rows.find((row) => !pocket || row.pocket === 'futures')?.total;
  const coins = Number((Number(said.positions[0]?.quantity ?? '0') * contract).toFixed(6));
  return { coins, equal: booked !== undefined && booked === said.margin[0]?.wallet };
}

/** Waits until the exchange states this many coins and both sides have the same money. */
export async function stands(client: HubClient, venue: Venue, coins: number): Promise<void> {
  await expect.poll(() => standing(client, venue)).toEqual({ coins, equal: true });
}

/** A member with money for contracts, at 20 times. */
export async function withMargin(installation: Installation, venue: Venue): Promise<HubClient> {
  const { client } = await installation.member();
  const { platformType, pocket } = venue;
  await client.must('x/paper/TestFunds', { platformType, tradingAmount: MARGIN });
  const move = { platformType, direction: '3', asset: 'USDT', amount: MARGIN };
  if (pocket) await client.must('connexfunding/UniversalTransfer', move);
  await leveraged(client, venue);
  return client;
}

/** Money of the funding wallet for contracts of another exchange, without a pocket of their own, at 20 times. */
export async function addMargin(client: HubClient, venue: Venue): Promise<void> {
  const { platformType } = venue;
  const move = { platformType, direction: '1', asset: 'USDT', amount: MARGIN };
  await client.must('connexfunding/UniversalTransfer', move);
  await leveraged(client, venue);
}

/** At 20 times, once the exchange and the ledger have the same. */
async function leveraged(client: HubClient, venue: Venue): Promise<void> {
  const { platformType, symbol } = venue;
  await stands(client, venue, 0);
  await client.must('connextrade/SetLeverage', { platformType, symbol, leverage: '20' });
}

/** A size in coins as the page writes it. */
export const sized = ({ decimals }: Venue, coins: number): string => coins.toFixed(decimals);
