import { createStore } from 'zustand/vanilla';
import { call } from '../member/own-service.ts';

/** Names of coins in English by ticker: `BTC` is `Bitcoin`. Empty until they are read; lists work without. */
export const coinNamesStore = createStore<ReadonlyMap<string, string>>(() => new Map());

let asked = false;

/** Reads the coins once per page life; after a failure the next screen asks again. */
export async function loadCoinNames(): Promise<void> {
  if (asked) return;
  asked = true;
  const answer = await call('connexbasicdata/GetCurrencies', {}, { quiet: true });
  if (answer.ok) coinNamesStore.setState(new Map(answer.data.map(({ asset, name }) => [asset, name])), true);
  else asked = false;
}
