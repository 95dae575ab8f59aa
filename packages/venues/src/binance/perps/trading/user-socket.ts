import type { Millis } from '@crossbook/domain';
import { KeptSocket, type KeptSocketOptions, type SocketLink } from '../../../trading/kept-socket.ts';
import type { VenueCredentials } from '../../../venue-answers.ts';
import type { ContractEvent } from '../../../venue-contracts.ts';
import type { UserStream, UserStreamHandlers } from '../../../venue-streams.ts';
import { asArray, asCounter, asObject, asText, parseJson, type WireObject } from '../../../wire/guards.ts';
import type { Asking } from '../../account/calls.ts';
import { normaliseAlgoUpdate } from './algo-states.ts';
import { listenKeySockets } from './listen-key.ts';
import { normaliseOrderUpdate } from './normalise.ts';
import { normaliseAccountUpdate } from './positions.ts';

/** What the private stream of contracts needs. */
export interface ContractSocketOptions
  extends Pick<KeptSocketOptions, 'openSocket' | 'timers' | 'clock' | 'random' | 'bounds'> {
  /** `wss://fstream.binance.com`. */
  readonly socketBase: string;
  readonly calls: Asking;
  readonly credentials: VenueCredentials;
  readonly handlers: UserStreamHandlers;
}

/**
 * One account's private stream of USD-M contracts, on an address of its own behind a listen key. The venue answers the
 * list of subscriptions on it, which serves as heartbeat. Events come twice while a link is replaced, and those of one
 * fill in any order: receivers know fills by their trade id and positions by their version.
 */
export function openContractSocket(options: ContractSocketOptions): UserStream {
  const { handlers } = options;
  const socket = new KeptSocket({
    ...options,
    openSocket: listenKeySockets(options),
    url: `${options.socketBase}/private/ws?listenKey=`,
    heartbeat: () => JSON.stringify({ method: 'LIST_SUBSCRIPTIONS', id: 1 }),
    onOpen: (link) => link.ready(),
    onText(text, link) {
      const frame = asObject(parseJson(text));
      const event = asObject(frame?.data) ?? frame;
      if (event === undefined) handlers.onMalformed('not a JSON object');
      else if (typeof event.e === 'string') onEvent(event, link);
      else if (frame?.id === undefined) handlers.onMalformed('neither event nor answer');
    },
    onLive: () => handlers.onOpen(),
    onLost: (why) => handlers.onClosed(why),
  });

  function onEvent(event: WireObject, link: SocketLink): void {
    const read = READERS[String(event.e)];
    if (read !== undefined && !read(event, handlers)) handlers.onMalformed(String(event.e));
    if (event.e === 'listenKeyExpired') link.close('listen key expired');
    // Others (TRADE_LITE, …) repeat what these say or do not concern us.
  }

  return { close: () => socket.close() };
}

/** Each gives its event to the handlers; false where it is not of the documented shape. */
const READERS: Readonly<Record<string, (event: WireObject, handlers: UserStreamHandlers) => boolean>> = {
  ORDER_TRADE_UPDATE(event, handlers) {
    const order = normaliseOrderUpdate(event);
    if (order !== undefined) handlers.onOrder(order);
    return order !== undefined;
  },
  ACCOUNT_UPDATE(event, handlers) {
    const change = normaliseAccountUpdate(event);
    if (change !== undefined) handlers.onContracts?.(change);
    return change !== undefined;
  },
  ALGO_UPDATE(event, handlers) {
    const algo = normaliseAlgoUpdate(event);
    if (algo !== undefined) handlers.onAlgo?.(algo);
    return algo !== undefined;
  },
  ACCOUNT_CONFIG_UPDATE: (event, handlers) => tell(event, handlers, { cause: 'setting' }),
  MARGIN_CALL(event, handlers) {
    const symbols = asArray(event.p)?.flatMap((row) => asText(asObject(row)?.s) ?? []);
    return symbols !== undefined && tell(event, handlers, { cause: 'margin-call', symbols });
  },
};

/** An event whose figures have to be read: leverage that changed, margin that runs short. */
function tell(
  event: WireObject,
  handlers: UserStreamHandlers,
  about: Pick<ContractEvent, 'cause' | 'symbols'>,
): boolean {
  const time = asCounter(event.T) ?? asCounter(event.E);
  if (time !== undefined) handlers.onContracts?.({ positions: [], ...about, time: time as Millis });
  return time !== undefined;
}
