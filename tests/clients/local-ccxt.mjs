import ccxt from 'ccxt';

/** Every address in ccxt's table, rewritten in place. */
function rewrite(table, change) {
  for (const [name, value] of Object.entries(table)) {
    if (typeof value === 'string') table[name] = change(value);
    else if (value !== null && typeof value === 'object') rewrite(value, change);
  }
}

/**
 * An unmodified ccxt Binance client that talks to a simulator: only its addresses are set.
 * ccxt takes a socket for a spot socket when its address contains "/stream".
 */
export async function localBinance(base, credentials = {}) {
  const socketBase = base.replace(/^http/, 'ws');
  const client = new ccxt.pro.binance({
    ...credentials,
    enableRateLimit: false,
    options: { defaultType: 'spot', fetchMarkets: { types: ['spot'] } },
  });
  rewrite(client.urls.api, (address) =>
    address
      .replace(/^https?:\/\/[^/]+/, base)
      .replace(/^wss:\/\/stream\.binance\.com[^/]*/, `${socketBase}/stream`)
      .replace(/^wss:\/\/[^/]+/, socketBase),
  );
  // ccxt refuses plain ws:// unless its proxy agents were loaded once.
  await client.loadHttpProxyAgent();
  return client;
}

export { ccxt };
