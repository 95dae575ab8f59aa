import ccxt from 'ccxt';

/** Every address in ccxt's table, rewritten in place. */
function rewrite(table, change) {
  for (const [name, value] of Object.entries(table)) {
    if (typeof value === 'string') table[name] = change(value);
    else if (value !== null && typeof value === 'object') rewrite(value, change);
  }
}

/**
 * An unmodified ccxt client (`binance`, `binanceusdm`, `okx`, `bybit`) that talks to a simulator: only its addresses
 * are set. ccxt takes a Binance socket for a spot socket when its address contains "/stream".
 */
export async function localCcxt(id, base, options = {}) {
  const socketBase = base.replace(/^http/, 'ws');
  const client = new ccxt.pro[id]({ enableRateLimit: false, ...options });
  rewrite(client.urls.api, (address) =>
    address
      .replace('{hostname}', client.hostname ?? '')
      .replace(/^https?:\/\/[^/]+/, base)
      .replace(/^wss:\/\/stream\.binance\.com[^/]*/, `${socketBase}/stream`)
      .replace(/^wss:\/\/[^/]+/, socketBase),
  );
  // ccxt refuses plain ws:// unless its proxy agents were loaded once.
  await client.loadHttpProxyAgent();
  return client;
}

/** ccxt for Binance spot. */
export async function localBinance(base, credentials = {}) {
  const options = { defaultType: 'spot', fetchMarkets: { types: ['spot'] } };
  return await localCcxt('binance', base, { ...credentials, options });
}

/** ccxt keeps the sides of a watched book in classes of its own. */
export function plainLevels(side) {
  return Array.from(side, ([price, amount]) => [price, amount]);
}

/** The one position of a contract; `undefined` when it is flat. */
export async function positionOf(exchange, symbol) {
  const [found] = (await exchange.fetchPositions([symbol])).filter(({ contracts }) => contracts > 0);
  return found;
}

/** Collects what a watch call yields until the client closes; what goes wrong is collected too. */
export function collect(watch) {
  const seen = [];
  (async () => {
    for (;;) seen.push(structuredClone(await watch()));
  })().catch((error) => {
    if (!(error instanceof ccxt.ExchangeClosedByUser)) seen.push(error);
  });
  return seen;
}

export { ccxt };
