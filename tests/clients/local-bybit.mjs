import bybit from 'bybit-api';
import { localCcxt } from './local-ccxt.mjs';

/** ccxt for Bybit; `type` is `spot`, or `swap` for perpetuals. */
export async function localCcxtBybit(base, credentials = {}, type = 'spot') {
  const options = { defaultType: type, fetchMarkets: { types: ['spot', 'linear'] } };
  return await localCcxt('bybit', base, { ...credentials, options });
}

/**
 * The SDK `bybit-api`, unmodified: its addresses are a table that it exports, and a base that its REST client takes.
 * `said` takes what it would write to the console.
 */
export function localBybitSdk(base, { apiKey, secret } = {}, said = []) {
  const sockets = `${base.replace(/^http/, 'ws')}/v5`;
  const table = bybit.WS_BASE_URL_MAP;
  table.v5SpotPublic.public.livenet = `${sockets}/public/spot`;
  table.v5LinearPublic.public.livenet = `${sockets}/public/linear`;
  table.v5.private.livenet = `${sockets}/private`;
  table.v5PrivateTrade.private.livenet = `${sockets}/trade`;
  const keys = apiKey === undefined ? {} : { key: apiKey, secret };
  const restOptions = { baseUrl: base };
  const note = (...parts) => said.push(parts);
  const logger = { ...bybit.DefaultLogger, trace: () => undefined, info: note, error: note };
  return {
    rest: new bybit.RestClientV5({ ...keys, ...restOptions }),
    sockets: () => new bybit.WebsocketClient({ ...keys, restOptions, reconnectTimeout: 200 }, logger),
    trading: () => new bybit.WebsocketAPIClient({ ...keys, restOptions }, logger),
  };
}
