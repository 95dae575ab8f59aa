import { KeptSocket, type KeptSocketOptions, type SocketLink } from '../../trading/kept-socket.ts';
import { PendingRequests } from '../../trading/pending-requests.ts';
import { ANSWER_MILLIS_MAX } from '../../trading/trading-options.ts';
import type { VenueClock } from '../../trading/venue-clock.ts';
import type { VenueCredentials } from '../../venue-answers.ts';
import type { UserStream, UserStreamHandlers } from '../../venue-streams.ts';
import { asArray, asObject, asText, parseJson, type WireObject } from '../../wire/guards.ts';
import type { WatchedStream } from './countdown.ts';
import { authFrame } from './sign.ts';

/** What a private stream needs. */
export interface UserSocketOptions
  extends Pick<KeptSocketOptions, 'url' | 'openSocket' | 'timers' | 'clock' | 'random' | 'bounds'> {
  readonly credentials: VenueCredentials;
  readonly venueClock: VenueClock;
  readonly receiveWindowMillis: number;
  readonly handlers: UserStreamHandlers;
  readonly readers: readonly TopicReader[];
}

/** A topic of the private stream and what its rows say; all markets of the account share the topics of orders. */
export interface TopicReader {
  readonly topic: string;
  /** The market whose rows it reads; every row where absent. */
  readonly category?: string;
  /** Gives a row to the handlers; false for any shape that is not the documented one. */
  read(row: WireObject, handlers: UserStreamHandlers): boolean;
}

const SUBSCRIBE_ID = 'subscribe';
/** Changes of what is watched that wait for their answer; one account has one at a time. */
const WATCHES_MAX = 8;
/** Rows of one message that are read. */
const ROWS_PER_MESSAGE_MAX = 1_000;

/**
 * One account's private stream (websocket/private): log on, subscribe, and only then live. Orders and executions are
 * told apart from each other, in no promised order; executions carry the fills. While a link is replaced both deliver,
 * so that nothing is missed and events may come twice: receivers know fills by their trade id.
 */
export function openUserSocket(options: UserSocketOptions): UserStream & WatchedStream {
  const { credentials, handlers, venueClock, receiveWindowMillis } = options;
  const watch = new Watch(options.timers);
  const socket = new KeptSocket({
    ...options,
    heartbeat: () => '{"req_id":"heartbeat","op":"ping"}',
    onOpen: (link) => link.send(authFrame(credentials, venueClock.now() + receiveWindowMillis)),
    onText(text, link) {
      const frame = asObject(parseJson(text));
      if (frame === undefined) handlers.onMalformed('not a JSON object');
      else if (frame.topic !== undefined) tellTopic(frame, options);
      else if (watch.onAnswer(frame)) return;
      else if (frame.op !== undefined) onAnswer(frame, link, { ...options, watch });
      else handlers.onMalformed('neither topic nor answer');
    },
    onLinkClosed: (link) => watch.linkClosed(link),
    onLive: () => handlers.onOpen(),
    onLost: (why) => handlers.onClosed(why),
  });
  return { close: () => socket.close(), watch: (topics) => watch.change(socket.current, topics) };
}

/** Which connections of an account are watched, and for what. */
class Watch {
  readonly #pending: PendingRequests<boolean>;
  /** Those that subscribe; while one takes the place of another there are two. */
  readonly #links = new Set<SocketLink>();
  #topics: readonly string[] = [];

  constructor(timers: UserSocketOptions['timers']) {
    this.#pending = new PendingRequests({ timers, pendingRequestsMax: WATCHES_MAX, lost: () => false });
  }

  /** Until the venue has said that nothing is watched, each new connection subscribes. */
  async change(link: SocketLink | undefined, topics: readonly string[]): Promise<boolean> {
    if (topics.length > 0) this.#topics = topics;
    const args = this.#topics;
    if (args.length === 0) return true;
    const op = topics.length > 0 ? 'subscribe' : 'unsubscribe';
    if (link !== undefined) this.#links.add(link);
    const asked = [...this.#links].map((each) =>
      this.#pending.write(each, ANSWER_MILLIS_MAX, (id) => JSON.stringify({ req_id: id, op, args })),
    );
    const answers = await Promise.all(asked);
    const said = link !== undefined && answers.every((answer) => answer === true);
    if (said && topics.length === 0) {
      this.#topics = [];
      this.#links.clear();
    }
    return said;
  }

  /** A connection hears of its orders: what is watched has it subscribe besides, and a refusal of that ends nothing. */
  linkReady(link: SocketLink): void {
    if (this.#topics.length > 0) void this.change(link, this.#topics);
  }

  onAnswer(frame: WireObject): boolean {
    const id = asText(frame.req_id);
    if (id === undefined || !this.#pending.has(id)) return false;
    this.#pending.settle(id, isAccepted(frame));
    return true;
  }

  linkClosed(link: SocketLink): void {
    this.#links.delete(link);
    this.#pending.linkClosed(link);
  }
}

function isAccepted(frame: WireObject): boolean {
  return frame.success === true || (frame.success === undefined && frame.retCode === 0);
}

/** Log-on and subscription are answered one after the other. The reconnect after a refusal comes with growing delays. */
function onAnswer(
  frame: WireObject,
  link: SocketLink,
  { venueClock, readers, watch }: UserSocketOptions & { readonly watch: Watch },
): void {
  const accepted = isAccepted(frame);
  if (frame.op === 'auth') {
    if (accepted) link.send(subscriptionOf(readers));
    else {
      // A log-on that came too late is refused like a wrong one: the clock is measured again before the next.
      venueClock.measure();
      link.close('log-on refused');
    }
  } else if (frame.op === 'subscribe' && (frame.req_id === SUBSCRIBE_ID || !accepted)) {
    if (accepted) {
      link.ready();
      watch.linkReady(link);
    } else link.close('subscription refused');
  }
}

function subscriptionOf(readers: readonly TopicReader[]): string {
  const args = [...new Set(readers.map(({ topic }) => topic))];
  return JSON.stringify({ req_id: SUBSCRIBE_ID, op: 'subscribe', args });
}

function tellTopic(frame: WireObject, { handlers, readers }: UserSocketOptions): void {
  const topic = asText(frame.topic);
  const rows = asArray(frame.data);
  if (topic === undefined || rows === undefined || rows.length > ROWS_PER_MESSAGE_MAX) {
    handlers.onMalformed('message of unknown shape');
    return;
  }
  const own = readers.filter((reader) => reader.topic === topic);
  const shared = own.some(({ category }) => category !== undefined);
  for (const entry of own.length === 0 ? [] : rows) {
    const row = asObject(entry);
    if (row === undefined || (shared && asText(row.category) === undefined)) {
      handlers.onMalformed(`${topic} of unknown shape`);
      continue;
    }
    for (const { category = row.category, read } of own) {
      if (category === row.category && !read(row, handlers)) handlers.onMalformed(topic);
    }
  }
}
