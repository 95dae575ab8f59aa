import type { WebSocket } from 'ws';
import { onText, sendFrame } from '../../wire/socket-frames.ts';
import type { DcpProduct } from '../disconnects.ts';
import type { Desk } from '../endpoint.ts';
import type { UserChannel } from '../user-streams.ts';
import { logOn, type Session } from './log-on.ts';
import { idField, parseSocketMessage, type SocketMessage } from './socket-message.ts';

/** Topics and the updates they carry: without a category those of all. Some exist and stay silent. */
const TOPICS: ReadonlyMap<string, UserChannel | 'silent'> = new Map<string, UserChannel | 'silent'>([
  ...(['order', 'execution', 'execution.fast'] as const).flatMap((kind) => [
    [kind, { kind }] as const,
    [`${kind}.spot`, { kind, category: 'spot' }] as const,
    [`${kind}.linear`, { kind, category: 'linear' }] as const,
    [`${kind}.inverse`, 'silent'] as const,
    [`${kind}.option`, 'silent'] as const,
  ]),
  ['position', { kind: 'position' }],
  ['position.linear', { kind: 'position', category: 'linear' }],
  ['position.inverse', 'silent'],
  ['position.option', 'silent'],
  ['wallet', { kind: 'wallet' }],
  ['greeks', 'silent'],
  ['dcp.future', 'silent'],
  ['dcp.spot', 'silent'],
  ['dcp.option', 'silent'],
]);

/** Topics that have a connection watched (websocket/private/dcp). */
const WATCHED: ReadonlyMap<string, DcpProduct> = new Map<string, DcpProduct>([
  ['dcp.future', 'DERIVATIVES'],
  ['dcp.spot', 'SPOT'],
  ['dcp.option', 'OPTIONS'],
]);

function carries(topic: string, reported: UserChannel): boolean {
  const channel = TOPICS.get(topic);
  if (channel === undefined || channel === 'silent' || channel.kind !== reported.kind) return false;
  return channel.category === undefined || channel.category === reported.category;
}

const ARGS_MAX = 100;

/** What a private connection is made of. */
export interface PrivateSocketParts {
  readonly desk: Desk;
  readonly socket: WebSocket;
  readonly connectionId: string;
}

/** One private connection: log on, subscribe, hear. */
export class PrivateSocket {
  readonly #parts: PrivateSocketParts;
  readonly #topics = new Set<string>();
  #session: Session | undefined;
  #stop: () => void = () => undefined;
  /** What ends that the connection is watched, by topic. */
  readonly #watched = new Map<string, ReturnType<Desk['guards']['watch']>>();
  #messages = 0;

  constructor(parts: PrivateSocketParts) {
    this.#parts = parts;
    onText(parts.socket, parts.desk.onFault, (text) => this.#onMessage(text));
    parts.socket.once('close', () => {
      this.#stop();
      for (const end of this.#watched.values()) end('gone');
    });
  }

  #onMessage(text: string): void {
    const message = parseSocketMessage(text, 'req_id');
    if (message === undefined) {
      this.#answer({ op: '', id: undefined }, 'error:invalid json');
      return;
    }
    if (message.op === 'ping') this.#pong(message);
    else if (message.op === 'auth') this.#logOn(message);
    else if (message.op === 'subscribe' || message.op === 'unsubscribe') this.#change(message);
    else if (message.op !== 'pong') this.#answer(message, 'error:invalid op');
  }

  #pong(message: SocketMessage): void {
    const { desk, socket, connectionId } = this.#parts;
    const pong = {
      ...idField('req_id', message),
      op: 'pong',
      args: [String(desk.venue.spot.now())],
      conn_id: connectionId,
    };
    sendFrame(socket, JSON.stringify(pong));
  }

  #logOn(message: SocketMessage): void {
    const { desk } = this.#parts;
    const session = logOn(desk, message.args);
    if ('code' in session) {
      this.#answer(message, session.message);
      return;
    }
    if (this.#session !== undefined && this.#session.account !== session.account) {
      this.#answer(message, 'error:another account has logged on');
      return;
    }
    if (this.#session === undefined) {
      this.#stop = desk.userStreams.subscribe(session.account, (channel, rows) => this.#tell(channel, rows));
    }
    this.#session = session;
    this.#answer(message, undefined);
  }

  #change(message: SocketMessage): void {
    const { op, args } = message;
    if (this.#session === undefined) {
      this.#answer(message, 'Request not authorized');
      return;
    }
    if (args.length === 0 || args.length > ARGS_MAX) {
      this.#answer(message, 'error:invalid args');
      return;
    }
    const unknown = args.find((arg) => typeof arg !== 'string' || !TOPICS.has(arg));
    if (unknown !== undefined) {
      this.#answer(message, `error:handler not found,topic:${String(unknown).slice(0, 80)}`);
      return;
    }
    for (const topic of args as readonly string[]) {
      if (op === 'subscribe') this.#topics.add(topic);
      else this.#topics.delete(topic);
      this.#watch(op, topic, this.#session);
    }
    this.#answer(message, undefined);
  }

  #watch(op: string, topic: string, { account }: Session): void {
    const product = WATCHED.get(topic);
    if (product === undefined) return;
    const known = this.#watched.get(topic);
    if (op !== 'subscribe') {
      known?.('unwanted');
      this.#watched.delete(topic);
    } else if (known === undefined) {
      this.#watched.set(topic, this.#parts.desk.guards.watch(account, product));
    }
  }

  #tell(channel: UserChannel, rows: readonly object[]): void {
    const { desk, socket, connectionId } = this.#parts;
    for (const topic of this.#topics) {
      if (!carries(topic, channel)) continue;
      this.#messages += 1;
      const id = `${connectionId}-${this.#messages}`;
      const frame = { id, topic, creationTime: desk.venue.spot.now(), data: rows };
      sendFrame(socket, JSON.stringify(frame));
    }
  }

  #answer(message: Pick<SocketMessage, 'op' | 'id'>, refusal: string | undefined): void {
    const { socket, connectionId } = this.#parts;
    const answer = {
      success: refusal === undefined,
      ret_msg: refusal ?? '',
      op: message.op,
      ...idField('req_id', message),
      conn_id: connectionId,
    };
    sendFrame(socket, JSON.stringify(answer));
  }
}
