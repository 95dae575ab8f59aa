import * as okx from 'okx-api';
import { localCcxt } from './local-ccxt.mjs';

/** ccxt for OKX; a key has three parts there. */
export async function localCcxtOkx(base, { apiKey, secret, passphrase } = {}) {
  const keys = apiKey === undefined ? {} : { apiKey, secret, password: passphrase };
  return await localCcxt('okx', base, { ...keys, options: { defaultType: 'spot' } });
}

/**
 * The SDK `okx-api`, unmodified: its sockets' addresses are a table that it exports, and its REST client takes a base.
 * `said` takes what it would write to the console.
 */
export function localOkxSdk(base, { apiKey, secret, passphrase } = {}, said = []) {
  const sockets = `${base.replace(/^http/, 'ws')}/ws/v5`;
  for (const market of ['prod', 'GLOBAL', 'OPENAPI_GLOBAL']) {
    Object.assign(okx.WS_BASE_URL_MAP[market].live, {
      public: `${sockets}/public`,
      private: `${sockets}/private`,
      business: `${sockets}/business`,
    });
  }
  const account = apiKey === undefined ? undefined : { apiKey, apiSecret: secret, apiPass: passphrase };
  const accounts = account === undefined ? {} : { accounts: [account] };
  const note = (...parts) => said.push(parts);
  const logger = { ...okx.DefaultLogger, trace: () => undefined, info: note, error: note };
  return {
    rest: new okx.RestClient({ ...account, baseUrl: base }),
    sockets: () => new okx.WebsocketClient({ ...accounts, reconnectTimeout: 200 }, logger),
    trading: () => new okx.WebsocketAPIClient({ ...accounts, attachEventListeners: false }, logger),
  };
}
