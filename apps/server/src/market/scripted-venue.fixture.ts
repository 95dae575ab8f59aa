import {
  AMOUNT_ONE,
  type Amount,
  amount,
  type BookChange,
  type BookLevel,
  type Instrument,
  type Lots,
  type Millis,
  type Platform,
  type Seq,
  type SymbolType,
  type Ticks,
} from '@crossbook/domain';
import type {
  FeeRates,
  MarketChannel,
  MarketMessage,
  PublicSocketCodec,
  VenuePublic,
  VenuePublicRest,
} from '@crossbook/venues';
import { ScriptedTime } from '../main/scripted-time.fixture.ts';
import { channelKey } from './channel-key.ts';
import type { FrameEncoder } from './fan-out.ts';
import { PlatformMarkets } from './platform-markets.ts';
import type { FeedSocketHandlers, MarketPorts } from './ports.ts';
import { VenueMarket } from './venue-market.ts';

/** An instrument of the scripted venue: ticks and lots of one. */
export function instrument(symbol: string, part: Partial<Instrument> = {}): Instrument {
  const one = AMOUNT_ONE as Amount;
  return {
    ...{ platform: 1, symbolType: 'SPOT', symbol, base: symbol.replace('USDT', ''), quote: 'USDT' },
    ...{ tickSize: one, lotSize: one, minPrice: one, maxPrice: amount('1000000'), minQty: one },
    ...{ maxQty: amount('1000'), maxMarketQty: amount('1000'), minNotional: one, contractValue: one },
    ...{ maxLeverage: 1, status: 'trading' },
    ...part,
  };
}

/** A book change from plain numbers: `[price, size]` levels, update ids. */
export function change(
  symbol: string,
  ids: readonly [number, number],
  levels: { readonly bids?: readonly [number, number][]; readonly asks?: readonly [number, number][] } = {},
  kind: BookChange['kind'] = 'delta',
): BookChange {
  const steps = (rows: readonly [number, number][] = []) =>
    rows.map(([price, size]): BookLevel => [price as Ticks, size as Lots]);
  return {
    ...{ kind, symbol, bids: steps(levels.bids), asks: steps(levels.asks) },
    ...{ firstSeq: ids[0] as Seq, lastSeq: ids[1] as Seq },
    ...{ time: 1 as Millis, receivedAt: 0 as Millis },
  };
}

/** The far end of one upstream connection. */
export class ScriptedFeedSocket {
  readonly sent: string[] = [];
  readonly url: string;
  pings = 0;
  closed = false;
  readonly #handlers: FeedSocketHandlers;

  constructor(url: string, handlers: FeedSocketHandlers) {
    this.url = url;
    this.#handlers = handlers;
  }

  open(): void {
    this.#handlers.onOpen();
  }

  /** Sends a message; the codec below carries domain values as they are. */
  say(message: MarketMessage | 'garbage'): void {
    this.#handlers.onFrame(Buffer.from(JSON.stringify(message)));
  }

  pong(): void {
    this.#handlers.onPong();
  }

  drop(why = 'reset'): void {
    this.#handlers.onClosed(why);
  }
}

const NOT_ASKED = async (): Promise<never> => {
  throw new Error('not asked in these tests');
};

/** A venue with one codec: what is subscribed travels as text, messages as JSON of the domain's own values. */
export class ScriptedPublicVenue implements VenuePublic {
  readonly platform: Platform = 1;
  socketSendsSnapshots = false;
  bookSilenceMillisMax?: number;
  furtherSockets?: readonly PublicSocketCodec[];
  readonly time: ScriptedTime;
  readonly sockets: ScriptedFeedSocket[] = [];
  readonly notes: string[] = [];
  readonly asked: string[] = [];
  /** The jitter. */
  chance = 1;
  refusesSockets = false;
  /** What it listed before this process began. */
  remembered: readonly Instrument[] = [];
  instruments: VenuePublicRest['instruments'] = async () => ({
    ok: true,
    value: [instrument('BTCUSDT'), instrument('ETHUSDT'), instrument('OLDUSDT', { status: 'halted' })],
  });
  openInterest: VenuePublicRest['openInterest'] = async () => ({ ok: true, value: new Map() });
  depth: VenuePublicRest['depth'] = async () => ({ ok: false, code: 'network' });
  ticker: VenuePublicRest['ticker'] = NOT_ASKED;

  readonly rest: VenuePublicRest = {
    ...{
      serverTime: NOT_ASKED,
      tickers: NOT_ASKED,
      candles: NOT_ASKED,
      trades: NOT_ASKED,
    },
    instruments: (type) => this.instruments(type),
    openInterest: (of) => this.openInterest(of),
    ticker: (of) => this.ticker(of),
    depth: (of, levels) => {
      this.asked.push(of.symbol);
      return this.depth(of, levels);
    },
  };

  socket: PublicSocketCodec = {
    url: () => 'ws://venue',
    subscribe: (channels) => `+ ${names(channels)}`,
    unsubscribe: (channels) => `- ${names(channels)}`,
    decode: (frame, receivedAt): MarketMessage => {
      const message: unknown = JSON.parse(Buffer.from(frame).toString());
      if (message === 'garbage') return { kind: 'malformed', why: 'garbage' };
      const read = message as MarketMessage;
      return read.kind === 'book' ? { kind: 'book', change: { ...read.change, receivedAt } } : read;
    },
    lifeMillisMax: 86_400_000,
  };

  continuity(applied: Seq, next: BookChange): 'continues' | 'already-applied' | 'gap' {
    if (next.lastSeq <= applied) return 'already-applied';
    return next.firstSeq <= applied + 1 ? 'continues' : 'gap';
  }

  readonly ports: MarketPorts;

  /** @param time shared by several venues that live in one test. */
  constructor(time: ScriptedTime = new ScriptedTime(), platform: Platform = 1) {
    this.time = time;
    this.platform = platform;
    this.ports = this.#portsOf(time);
  }

  #portsOf(time: ScriptedTime): MarketPorts {
    return {
      openSocket: (url, handlers) => {
        if (this.refusesSockets) throw new SyntaxError('no such address');
        const socket = new ScriptedFeedSocket(url, handlers);
        this.sockets.push(socket);
        return {
          send: (text) => socket.sent.push(text),
          ping: () => {
            socket.pings += 1;
          },
          close: () => {
            socket.closed = true;
          },
        };
      },
      ...{ clock: time.clock, every: time.every, after: time.after },
      chance: () => this.chance,
      remembered: () => this.remembered,
      note: (event) => this.notes.push(event),
    };
  }

  /** The newest connection. */
  get newest(): ScriptedFeedSocket {
    const socket = this.sockets.at(-1);
    if (socket === undefined) throw new Error('no connection was opened');
    return socket;
  }

  /** Connections that are not closed by us. */
  get held(): number {
    return this.sockets.filter((socket) => !socket.closed).length;
  }
}

function names(channels: readonly MarketChannel[]): string {
  return channels.map((channel) => channelKey(channel)).join(' ');
}

/** Lets promises that are ready run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

/** The markets of one scripted platform, by default one of spot; each is what `openVenues` makes of a real one. */
export function scriptedPlatform(
  venues: Readonly<Partial<Record<SymbolType, ScriptedPublicVenue>>>,
  made: {
    readonly fees: FeeRates;
    readonly encode: FrameEncoder;
    /** Every platform whose best offers are read; this one alone by default. */
    readonly everywhere?: (symbolType: SymbolType) => readonly VenueMarket[];
  },
): PlatformMarkets {
  const [first] = Object.values(venues);
  if (first === undefined) throw new Error('a platform has a market');
  const markets: PlatformMarkets = new PlatformMarkets({
    platform: first.platform,
    ports: first.ports,
    encode: made.encode,
    markets: (fanOut) =>
      SYMBOL_TYPES.flatMap((symbolType) => {
        const venue = venues[symbolType];
        const facts = { symbolType, fees: made.fees, fanOut };
        return venue === undefined ? [] : [new VenueMarket(venue, venue.ports, facts)];
      }),
    everywhere:
      made.everywhere ??
      ((symbolType) => {
        const market = markets.of(symbolType);
        return market === undefined ? [] : [market];
      }),
  });
  return markets;
}

const SYMBOL_TYPES = ['SPOT', 'SWAP'] as const;
