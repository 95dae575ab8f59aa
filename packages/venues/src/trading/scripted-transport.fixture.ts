import type { Millis } from '@crossbook/domain';
import type {
  HttpAnswer,
  HttpRequest,
  OpenTextSocket,
  SendHttp,
  TextSocketEvents,
  Timers,
} from '../transport.ts';

interface WaitingTimer {
  readonly at: number;
  readonly run: () => void;
}

/** Time that moves only when a test moves it; timers run in their order. For tests. */
export class ScriptedTime implements Timers {
  #now = 1_770_000_000_000;
  #due: WaitingTimer[] = [];

  readonly clock = (): Millis => this.#now as Millis;

  after(millis: number, run: () => void): () => void {
    const timer = { at: this.#now + millis, run };
    this.#due.push(timer);
    return () => {
      this.#due = this.#due.filter((other) => other !== timer);
    };
  }

  /** Timers that wait. */
  get waiting(): number {
    return this.#due.length;
  }

  /** Moves time on, running what falls due at its own moment. */
  advance(millis: number): void {
    const end = this.#now + millis;
    for (;;) {
      const next = this.#first();
      if (next === undefined || next.at > end) break;
      this.#due = this.#due.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }

  #first(): WaitingTimer | undefined {
    let first: WaitingTimer | undefined;
    for (const timer of this.#due) if (first === undefined || timer.at < first.at) first = timer;
    return first;
  }
}

/** The far end of one socket. */
export class ScriptedPeer {
  readonly url: string;
  readonly heard: string[] = [];
  closedByClient = false;
  failWrites = false;
  readonly #events: TextSocketEvents;

  constructor(url: string, events: TextSocketEvents) {
    this.url = url;
    this.#events = events;
  }

  open(): void {
    this.#events.onOpen();
  }

  say(frame: object | string): void {
    this.#events.onText(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  drop(why = 'reset'): void {
    this.#events.onClose(why);
  }

  /** The newest request, parsed. */
  get lastRequest(): {
    readonly id: string;
    readonly method: string;
    readonly params: Record<string, unknown>;
  } {
    return JSON.parse(this.heard.at(-1) ?? '{}') as never;
  }
}

/** Sockets whose far ends a test plays. */
export class ScriptedSockets {
  readonly peers: ScriptedPeer[] = [];

  readonly open: OpenTextSocket = (url, events) => {
    const peer = new ScriptedPeer(url, events);
    this.peers.push(peer);
    return {
      send: (text) => {
        if (peer.failWrites) throw new Error('write failed');
        peer.heard.push(text);
      },
      close: () => {
        peer.closedByClient = true;
      },
    };
  };

  get newest(): ScriptedPeer {
    const peer = this.peers.at(-1);
    if (peer === undefined) throw new Error('no socket was opened');
    return peer;
  }
}

/** An HTTP server's answers by a test; every request is remembered. */
export class ScriptedHttp {
  readonly requests: HttpRequest[] = [];
  answer: (request: HttpRequest) => HttpAnswer = () => ({ status: 200, headers: {}, text: '{}' });

  readonly send: SendHttp = async (request) => {
    if (request.url.endsWith('/time')) return { status: 500, headers: {}, text: '' };
    this.requests.push(request);
    return this.answer(request);
  };
}

/** A venue's far ends, all played by a test, and what every connector takes of them. */
export function scriptedVenue() {
  const time = new ScriptedTime();
  const sockets = new ScriptedSockets();
  const http = new ScriptedHttp();
  const options = {
    ...{ restBase: 'http://venue/', clock: time.clock, random: () => 0.5, timers: time },
    ...{ sendHttp: http.send, openSocket: sockets.open },
  };
  return { time, sockets, http, options };
}

/** The same for who is asked one thing at a time at a moment that stands still; no socket opens. */
export function standingVenue(clock: () => Millis) {
  const { options } = scriptedVenue();
  return { ...options, clock, random: () => 0 };
}

/** A good HTTP answer. */
export function okAnswer(body: object): HttpAnswer {
  return { status: 200, headers: {}, text: JSON.stringify(body) };
}
