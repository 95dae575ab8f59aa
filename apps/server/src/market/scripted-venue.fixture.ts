import {
  AMOUNT_ONE,
  type Amount,
  amount,
  type BookChange,
  type BookLevel,
  type Instrument,
  type Lots,
  type Millis,
  type Seq,
  type Ticks,
} from '@crossbook/domain';
import type { MarketChannel, MarketMessage, VenuePublic, VenuePublicRest } from '@crossbook/venues';
import { ScriptedTime } from '../main/scripted-time.fixture.ts';
import { channelKey } from './feed.ts';
import type { FeedSocketHandlers, MarketPorts } from './ports.ts';

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
  closed = false;
  readonly #handlers: FeedSocketHandlers;

  constructor(handlers: FeedSocketHandlers) {
    this.#handlers = handlers;
  }

  open(): void {
    this.#handlers.onOpen();
  }

  /** Sends a message; the codec below carries domain values as they are. */
  say(message: MarketMessage | 'garbage'): void {
    this.#handlers.onFrame(Buffer.from(JSON.stringify(message)));
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
  readonly platform = 1;
  readonly socketSendsSnapshots = false;
  readonly time = new ScriptedTime();
  readonly sockets: ScriptedFeedSocket[] = [];
  readonly notes: string[] = [];
  readonly asked: string[] = [];
  /** The jitter. */
  chance = 1;
  refusesSockets = false;
  instruments: VenuePublicRest['instruments'] = async () => ({
    ok: true,
    value: [instrument('BTCUSDT'), instrument('ETHUSDT'), instrument('OLDUSDT', { status: 'halted' })],
  });
  depth: VenuePublicRest['depth'] = async () => ({ ok: false, code: 'network' });

  readonly rest: VenuePublicRest = {
    ...{
      serverTime: NOT_ASKED,
      tickers: NOT_ASKED,
      ticker: NOT_ASKED,
      candles: NOT_ASKED,
      trades: NOT_ASKED,
      openInterest: NOT_ASKED,
    },
    instruments: (type) => this.instruments(type),
    depth: (of, levels) => {
      this.asked.push(of.symbol);
      return this.depth(of, levels);
    },
  };

  readonly socket: VenuePublic['socket'] = {
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

  readonly ports: MarketPorts = {
    openSocket: (_url, handlers) => {
      if (this.refusesSockets) throw new SyntaxError('no such address');
      const socket = new ScriptedFeedSocket(handlers);
      this.sockets.push(socket);
      return {
        send: (text) => socket.sent.push(text),
        close: () => {
          socket.closed = true;
        },
      };
    },
    ...{ clock: this.time.clock, every: this.time.every, after: this.time.after },
    chance: () => this.chance,
    note: (event) => this.notes.push(event),
  };

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
  return channels.map(channelKey).join(' ');
}

/** Lets promises that are ready run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}
