import type { WebSocket } from 'ws';
import type { FrameSubscriber } from '../../wire/channel-hub.ts';
import { onText, sendFrame } from '../../wire/socket-frames.ts';
import type { Desk } from '../endpoint.ts';
import type { BybitCategory } from '../format.ts';
import { idField, parseSocketMessage, type SocketMessage } from './socket-message.ts';
import type { TopicHub } from './topic-hub.ts';
import { parseTopic, type Topic } from './topics.ts';

/** Characters of all topics of one request together (websocket/connect, 2026-07-24). */
const ARGS_LENGTH_MAX = 21_000;
const SPOT_ARGS_MAX = 10;
const TOPICS_PER_CONNECTION_MAX = 2_000;

/** What a public connection is made of. */
export interface PublicSocketParts {
  readonly desk: Desk;
  readonly hub: TopicHub;
  readonly category: BybitCategory;
  readonly socket: WebSocket;
  readonly connectionId: string;
}

/** One public connection of a category. */
export class PublicSocket implements FrameSubscriber {
  readonly #parts: PublicSocketParts;
  readonly #names = new Set<string>();

  constructor(parts: PublicSocketParts) {
    this.#parts = parts;
    onText(parts.socket, parts.desk.onFault, (text) => this.#onMessage(text));
    parts.socket.once('close', () => {
      for (const name of this.#names) parts.hub.leave(name, this);
    });
  }

  deliver(frame: Buffer): void {
    sendFrame(this.#parts.socket, frame);
  }

  #onMessage(text: string): void {
    const message = parseSocketMessage(text, 'req_id');
    if (message === undefined) {
      this.#answer({ op: '', id: undefined }, 'error:invalid json');
      return;
    }
    if (message.op === 'subscribe' || message.op === 'unsubscribe') this.#change(message);
    else if (message.op === 'ping') this.#answer(message, undefined, 'pong');
    else if (message.op !== 'pong') this.#answer(message, 'error:invalid op');
  }

  #change(message: SocketMessage): void {
    const refusal = this.#refusalOf(message);
    if (refusal !== undefined) {
      this.#answer(message, refusal);
      return;
    }
    const { desk, hub, category } = this.#parts;
    const topics: Topic[] = [];
    for (const name of message.args as readonly string[]) {
      const topic = parseTopic(desk, category, name);
      if (topic === undefined) {
        this.#answer(message, `error:handler not found,topic:${name.slice(0, 80)}`);
        return;
      }
      topics.push(topic);
    }
    this.#answer(message, undefined, category === 'spot' ? message.op : '');
    for (const topic of topics) {
      if (message.op === 'unsubscribe') {
        this.#names.delete(topic.name);
        hub.leave(topic.name, this);
      } else {
        this.#names.add(topic.name);
        hub.follow(topic, this);
      }
    }
  }

  #refusalOf({ op, args }: SocketMessage): string | undefined {
    if (args.length === 0 || !args.every((arg) => typeof arg === 'string')) return 'error:invalid args';
    if (this.#parts.category === 'spot' && args.length > SPOT_ARGS_MAX) return 'args size >10';
    const length = (args as readonly string[]).reduce((sum, arg) => sum + arg.length, 0);
    if (length > ARGS_LENGTH_MAX) return `args length >${ARGS_LENGTH_MAX}`;
    const full = this.#names.size + args.length > TOPICS_PER_CONNECTION_MAX;
    return op === 'subscribe' && full ? 'error:too many topics' : undefined;
  }

  /** Perpetuals echo an empty id where none was given, spot leaves it out (recorded 2026-08-09). */
  #answer(message: Pick<SocketMessage, 'op' | 'id'>, refusal: string | undefined, text = ''): void {
    const { category, socket, connectionId } = this.#parts;
    const id =
      message.id === undefined && category === 'linear' ? { req_id: '' } : idField('req_id', message);
    const answer = {
      success: refusal === undefined,
      ret_msg: refusal ?? text,
      conn_id: connectionId,
      ...id,
      op: message.op,
    };
    sendFrame(socket, JSON.stringify(answer));
  }
}
