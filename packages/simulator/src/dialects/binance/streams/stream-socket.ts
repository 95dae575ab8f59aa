import type { Millis } from '@crossbook/domain';
import type { WebSocket } from 'ws';
import type { OpenedChannel } from '../../wire/channel-hub.ts';
import { onText, sendFrame } from '../../wire/socket-frames.ts';
import type { BinanceLimits } from '../rate-limits.ts';
import { type TimeUnit, textInTimeUnit } from '../time-unit.ts';
import type { UserStreams } from '../user-stream.ts';
import { parseStreamControl, type StreamControl } from './stream-control.ts';
import type { StreamHub, StreamSubscriber } from './stream-hub.ts';

/** A listen key among stream names: letters and digits only. */
const LISTEN_KEY = /^[a-zA-Z0-9]{60}$/;

/** What a stream socket needs of a dialect. */
interface StreamSocketParts {
  readonly hub: StreamHub;
  /** Opens a stream; a name that no stream has is accepted and stays silent, as at Binance. */
  open(name: string): OpenedChannel | undefined;
  readonly socket: WebSocket;
  now(): Millis;
  readonly limits: Pick<BinanceLimits, 'streamMessagesPerSecondMax' | 'streamsPerConnectionMax'>;
  /** Absent where accounts are not told of on stream sockets. */
  readonly userStreams?: UserStreams;
  onFault(fault: unknown): void;
}

/** One market stream connection. */
export class StreamSocket implements StreamSubscriber {
  combined: boolean;
  readonly #parts: StreamSocketParts;
  readonly #hub: StreamHub;
  readonly #socket: WebSocket;
  readonly #events: ReadonlySet<string> | undefined;
  readonly #unit: TimeUnit;
  readonly #names = new Set<string>();
  readonly #userStops = new Map<string, () => void>();
  #second = 0;
  #heardThisSecond = 0;

  constructor(
    parts: StreamSocketParts,
    start: {
      readonly combined: boolean;
      readonly names: readonly string[];
      /** Which events of accounts are wanted; all of them when absent. */
      readonly events?: ReadonlySet<string>;
      /** Of the times in messages; milliseconds when absent. */
      readonly unit?: TimeUnit;
    },
  ) {
    this.#parts = parts;
    this.#hub = parts.hub;
    this.#socket = parts.socket;
    this.combined = start.combined;
    this.#events = start.events;
    this.#unit = start.unit ?? 'MILLISECOND';
    this.#subscribe(start.names);
    onText(this.#socket, parts.onFault, (text) => this.#onMessage(text));
    this.#socket.on('ping', () => this.#count());
    this.#socket.on('pong', () => this.#count());
    this.#socket.once('close', () => this.#unsubscribe([...this.#names]));
  }

  deliver(frame: Buffer): void {
    const asMade = this.#unit === 'MILLISECOND';
    sendFrame(this.#socket, asMade ? frame : textInTimeUnit(frame.toString(), this.#unit));
  }

  /** Five messages a second; one more and the connection ends. @returns whether it may go on. */
  #count(): boolean {
    const second = Math.floor(this.#parts.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#heardThisSecond = 0;
    }
    this.#heardThisSecond += 1;
    if (this.#heardThisSecond <= this.#parts.limits.streamMessagesPerSecondMax) return true;
    this.#socket.close(1008, 'Too many requests');
    return false;
  }

  #onMessage(text: string): void {
    if (!this.#count()) return;
    const control = parseStreamControl(text);
    if ('code' in control) {
      const { idText, code, msg } = control;
      const id = idText === undefined ? '' : `,"id":${idText}`;
      sendFrame(this.#socket, `{"code":${code},"msg":${JSON.stringify(msg)}${id}}`);
      return;
    }
    sendFrame(this.#socket, `{"result":${this.#obey(control)},"id":${control.idText}}`);
  }

  /** @returns the JSON text of the result. */
  #obey(control: StreamControl): string {
    switch (control.method) {
      case 'SUBSCRIBE':
        this.#subscribe(control.names);
        return 'null';
      case 'UNSUBSCRIBE':
        this.#unsubscribe(control.names);
        return 'null';
      case 'LIST_SUBSCRIPTIONS':
        return JSON.stringify([...this.#names]);
      case 'SET_PROPERTY':
        this.combined = control.combined;
        return 'null';
      case 'GET_PROPERTY':
        return String(this.combined);
    }
  }

  #subscribe(names: readonly string[]): void {
    for (const name of names) {
      if (this.#names.has(name)) continue;
      if (this.#names.size >= this.#parts.limits.streamsPerConnectionMax) {
        this.#socket.close(1008, 'Too many streams');
        return;
      }
      this.#names.add(name);
      if (LISTEN_KEY.test(name)) this.#followAccount(name);
      else this.#hub.join(name, this, () => this.#parts.open(name));
    }
  }

  #followAccount(listenKey: string): void {
    const { userStreams } = this.#parts;
    const stop = userStreams?.follow(listenKey, (event, kind) => {
      if (this.#events !== undefined && !this.#events.has(kind)) return;
      const text = textInTimeUnit(event, this.#unit);
      sendFrame(this.#socket, this.combined ? `{"stream":"${listenKey}","data":${text}}` : text);
    });
    if (stop !== undefined) this.#userStops.set(listenKey, stop);
  }

  #unsubscribe(names: readonly string[]): void {
    for (const name of names) {
      this.#names.delete(name);
      this.#userStops.get(name)?.();
      this.#userStops.delete(name);
      this.#hub.leave(name, this);
    }
  }
}
