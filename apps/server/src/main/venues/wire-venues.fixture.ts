import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { WebSocketServer } from 'ws';

/** Small venues over real sockets, for tests of what one venue does to the others. */

/** A venue that listens somewhere. */
export interface WireVenue {
  readonly rest: string;
  readonly stream: string;
  /** How many connections and requests reached it. */
  reached(): number;
  close(): Promise<unknown>;
}

function opened(server: Server | TcpServer, reached: () => number, end: () => void): Promise<WireVenue> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
      resolve({
        ...{ rest: `http://${host}`, stream: `ws://${host}`, reached },
        close: () => {
          end();
          return new Promise((closed) => server.close(closed));
        },
      });
    });
  });
}

const FILTERS = [
  { filterType: 'PRICE_FILTER', minPrice: '1', maxPrice: '1000000', tickSize: '1' },
  { filterType: 'LOT_SIZE', minQty: '1', maxQty: '1000', stepSize: '1' },
  { filterType: 'MARKET_LOT_SIZE', minQty: '1', maxQty: '1000', stepSize: '0' },
  { filterType: 'NOTIONAL', minNotional: '5' },
];
const EXCHANGE_INFO = {
  symbols: [
    {
      ...{ symbol: 'BTCUSDT', status: 'TRADING', baseAsset: 'BTC', quoteAsset: 'USDT' },
      ...{ isSpotTradingAllowed: true, filters: FILTERS },
    },
  ],
};

/** Binance spot with one pair whose book moves every few milliseconds. */
export function healthyBinance(): Promise<WireVenue> {
  let id = 100;
  let reached = 0;
  const server = createHttpServer((request, response) => {
    reached += 1;
    const url = request.url ?? '';
    if (url.startsWith('/api/v3/exchangeInfo')) response.end(JSON.stringify(EXCHANGE_INFO));
    else if (url.startsWith('/api/v3/depth'))
      response.end(JSON.stringify({ lastUpdateId: id, bids: [['99', '1']], asks: [['101', '1']] }));
    else if (url.startsWith('/api/v3/time')) response.end(JSON.stringify({ serverTime: Date.now() }));
    else response.writeHead(404).end('{}');
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    reached += 1;
    socket.on('message', (data) => {
      const { id: request } = JSON.parse(String(data)) as { readonly id: unknown };
      socket.send(JSON.stringify({ result: null, id: request }));
    });
  });
  const moving = setInterval(() => {
    id += 1;
    const data = {
      ...{ e: 'depthUpdate', E: id, s: 'BTCUSDT', U: id, u: id },
      ...{ b: [['98', String(1 + (id % 7))]], a: [] },
    };
    const text = JSON.stringify({ stream: 'btcusdt@depth@100ms', data });
    for (const socket of sockets.clients) socket.send(text);
  }, 10);
  return opened(
    server,
    () => reached,
    () => {
      clearInterval(moving);
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
    },
  );
}

/** Accepts connections and never says a word. */
function mute(): Promise<WireVenue> {
  const held = new Set<{ destroy(): void }>();
  let reached = 0;
  const server = createTcpServer((socket) => {
    reached += 1;
    held.add(socket);
    socket.on('error', () => undefined);
  });
  const end = (): void => {
    for (const socket of held) socket.destroy();
  };
  return opened(server, () => reached, end);
}

/** Nobody listens there any more. */
async function gone(): Promise<WireVenue> {
  const venue = await mute();
  await venue.close();
  return { ...venue, close: () => Promise.resolve() };
}

const OKX_INSTRUMENT = {
  ...{ instType: 'SPOT', instId: 'BTC-USDT', baseCcy: 'BTC', quoteCcy: 'USDT', state: 'live' },
  ...{ tickSz: '0.1', lotSz: '0.001', minSz: '0.001', maxLmtSz: '1000', maxMktSz: '1000' },
};

/** Answers everything with nonsense, and floods every socket with it; lists one OKX pair when `lists`. */
function babbling(lists: boolean): Promise<WireVenue> {
  let reached = 0;
  const list = JSON.stringify({ code: '0', msg: '', data: [OKX_INSTRUMENT] });
  const server = createHttpServer((request, response) => {
    reached += 1;
    const asked = request.url?.includes('instruments') === true && request.url.includes('SPOT');
    response.end(lists && asked ? list : '<html>not what you asked for</html>');
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    reached += 1;
    socket.on('error', () => undefined);
  });
  const nonsense = ['{', 'null', '{"arg":{"channel":"books","instId":"BTC-USDT"},"data":[{}]}', '[]', '"'];
  const flood = setInterval(() => {
    for (const socket of sockets.clients) {
      // Bounded by what the other side reads.
      if (socket.bufferedAmount > 100_000) continue;
      for (let count = 0; count < 100; count += 1) socket.send(nonsense[count % nonsense.length] ?? '');
    }
  }, 20);
  return opened(
    server,
    () => reached,
    () => {
      clearInterval(flood);
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
    },
  );
}

/** Lists one OKX pair, takes every subscription and says nothing more. */
function listingOnly(): Promise<WireVenue> {
  let reached = 0;
  const list = JSON.stringify({ code: '0', msg: '', data: [OKX_INSTRUMENT] });
  const server = createHttpServer((request, response) => {
    reached += 1;
    // Whatever is not the list hangs.
    if (request.url?.includes('instruments') === true && request.url.includes('SPOT')) response.end(list);
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', () => {
    reached += 1;
  });
  return opened(
    server,
    () => reached,
    () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
    },
  );
}

/** Ways of being unwell. */
export const UNWELL: Readonly<Record<string, () => Promise<WireVenue>>> = {
  'accepts and never answers': mute,
  'refuses every connection': gone,
  'talks nonsense': () => babbling(false),
  'lists well and streams nonsense': () => babbling(true),
  'lists well and streams nothing': listingOnly,
};
