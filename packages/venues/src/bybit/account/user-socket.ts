import { KeptSocket, type KeptSocketOptions, type SocketLink } from '../../trading/kept-socket.ts';
import type { VenueClock } from '../../trading/venue-clock.ts';
import type { VenueCredentials } from '../../venue-answers.ts';
import type { UserStream, UserStreamHandlers } from '../../venue-streams.ts';
import { asArray, asObject, asText, parseJson, type WireObject } from '../../wire/guards.ts';
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
/** Rows of one message that are read. */
const ROWS_PER_MESSAGE_MAX = 1_000;

/**
 * One account's private stream (websocket/private): log on, subscribe, and only then live. Orders and executions are
 * told apart from each other, in no promised order; executions carry the fills. While a link is replaced both deliver,
 * so that nothing is missed and events may come twice: receivers know fills by their trade id.
 */
export function openUserSocket(options: UserSocketOptions): UserStream {
  const { credentials, handlers, venueClock, receiveWindowMillis } = options;
  const socket = new KeptSocket({
    ...options,
    heartbeat: () => '{"req_id":"heartbeat","op":"ping"}',
    onOpen: (link) => link.send(authFrame(credentials, venueClock.now() + receiveWindowMillis)),
    onText(text, link) {
      const frame = asObject(parseJson(text));
      if (frame === undefined) handlers.onMalformed('not a JSON object');
      else if (frame.topic !== undefined) tellTopic(frame, options);
      else if (frame.op !== undefined) onAnswer(frame, link, options);
      else handlers.onMalformed('neither topic nor answer');
    },
    onLive: () => handlers.onOpen(),
    onLost: (why) => handlers.onClosed(why),
  });
  return { close: () => socket.close() };
}

/** Log-on and subscription are answered one after the other. The reconnect after a refusal comes with growing delays. */
function onAnswer(frame: WireObject, link: SocketLink, { venueClock, readers }: UserSocketOptions): void {
  const accepted = frame.success === true || (frame.success === undefined && frame.retCode === 0);
  if (frame.op === 'auth') {
    if (accepted) link.send(subscriptionOf(readers));
    else {
      // A log-on that came too late is refused like a wrong one: the clock is measured again before the next.
      venueClock.measure();
      link.close('log-on refused');
    }
  } else if (frame.op === 'subscribe' && (frame.req_id === SUBSCRIBE_ID || !accepted)) {
    if (accepted) link.ready();
    else link.close('subscription refused');
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
