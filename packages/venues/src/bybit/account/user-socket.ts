import type { OrderEvent } from '@crossbook/domain';
import { KeptSocket, type KeptSocketOptions, type SocketLink } from '../../trading/kept-socket.ts';
import type { VenueClock } from '../../trading/venue-clock.ts';
import type { VenueCredentials } from '../../venue-answers.ts';
import type { UserStream, UserStreamHandlers } from '../../venue-streams.ts';
import { asArray, asObject, asText, parseJson, type WireObject } from '../../wire/guards.ts';
import { normaliseWallet } from './balances.ts';
import { authFrame } from './sign.ts';

/** What a private stream needs. */
export interface UserSocketOptions
  extends Pick<KeptSocketOptions, 'url' | 'openSocket' | 'timers' | 'clock' | 'random' | 'bounds'> {
  readonly credentials: VenueCredentials;
  readonly venueClock: VenueClock;
  readonly receiveWindowMillis: number;
  readonly handlers: UserStreamHandlers;
  readonly orders: OrderReader;
}

/** Reads one row of the topics `order` and `execution`, which all markets of the account share; each has a `category`. */
export type OrderReader = (
  topic: 'order' | 'execution',
  row: WireObject,
) => OrderEvent | 'not-ours' | undefined;

const SUBSCRIBE_ID = 'subscribe';
const SUBSCRIBE = JSON.stringify({
  req_id: SUBSCRIBE_ID,
  op: 'subscribe',
  args: ['order', 'execution', 'wallet'],
});
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
      else if (frame.op !== undefined) onAnswer(frame, link, venueClock);
      else handlers.onMalformed('neither topic nor answer');
    },
    onLive: () => handlers.onOpen(),
    onLost: (why) => handlers.onClosed(why),
  });
  return { close: () => socket.close() };
}

/** Log-on and subscription are answered one after the other. The reconnect after a refusal comes with growing delays. */
function onAnswer(frame: WireObject, link: SocketLink, venueClock: VenueClock): void {
  const accepted = frame.success === true || (frame.success === undefined && frame.retCode === 0);
  if (frame.op === 'auth') {
    if (accepted) link.send(SUBSCRIBE);
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

function tellTopic(frame: WireObject, { handlers, orders }: UserSocketOptions): void {
  const topic = asText(frame.topic);
  const rows = asArray(frame.data);
  if (topic === undefined || rows === undefined || rows.length > ROWS_PER_MESSAGE_MAX) {
    handlers.onMalformed('message of unknown shape');
  } else if (topic === 'wallet') {
    const balances = normaliseWallet(rows);
    if (balances === undefined) handlers.onMalformed('wallet');
    else handlers.onBalances(balances);
  } else if (topic === 'order' || topic === 'execution') {
    for (const entry of rows) {
      const row = asObject(entry);
      if (row === undefined || asText(row.category) === undefined) {
        handlers.onMalformed(`${topic} of unknown shape`);
        continue;
      }
      const event = orders(topic, row);
      if (event === undefined) handlers.onMalformed(topic);
      else if (event !== 'not-ours') handlers.onOrder(event);
    }
  }
}
