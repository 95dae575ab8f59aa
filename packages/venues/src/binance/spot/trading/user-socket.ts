import { KeptSocket, type KeptSocketOptions, type SocketLink } from '../../../trading/kept-socket.ts';
import type { VenueClock } from '../../../trading/venue-clock.ts';
import type { VenueCredentials } from '../../../venue-answers.ts';
import type { UserStream, UserStreamHandlers } from '../../../venue-streams.ts';
import { asObject, asText, parseJson, type WireObject } from '../../../wire/guards.ts';
import { answerOfSocket } from '../../account/answers.ts';
import { balancesOfPosition } from '../../account/balances.ts';
import { OUTSIDE_RECEIVE_WINDOW } from '../../account/errors.ts';
import { signedParameters } from '../../account/sign.ts';
import { SpotAlgoEvents } from './algo-events.ts';

/** What a private stream needs. */
export interface UserSocketOptions
  extends Pick<KeptSocketOptions, 'url' | 'openSocket' | 'timers' | 'clock' | 'random' | 'bounds'> {
  readonly credentials: VenueCredentials;
  readonly venueClock: VenueClock;
  readonly receiveWindowMillis: number;
  readonly handlers: UserStreamHandlers;
}

const SUBSCRIBE_ID = 'subscribe';

/**
 * One account's private stream: `userDataStream.subscribe.signature` on a WebSocket API connection of its own
 * (listen keys were switched off on 2026-02-20). While a link is replaced both deliver, so that nothing is missed and
 * events may come twice: receivers know fills by their trade id.
 */
export function openUserSocket(options: UserSocketOptions): UserStream {
  const { credentials, handlers, venueClock, receiveWindowMillis } = options;
  const algos = new SpotAlgoEvents(handlers);
  const socket: KeptSocket = new KeptSocket({
    ...options,
    heartbeat: () => JSON.stringify({ id: 'heartbeat', method: 'ping' }),
    onOpen(link) {
      const parameters = {
        apiKey: credentials.apiKey,
        timestamp: venueClock.now(),
        recvWindow: receiveWindowMillis,
      };
      const params = signedParameters(parameters, credentials.secret);
      link.send(JSON.stringify({ id: SUBSCRIBE_ID, method: 'userDataStream.subscribe.signature', params }));
    },
    onText(text, link) {
      const frame = asObject(parseJson(text));
      if (frame === undefined) handlers.onMalformed('not a JSON object');
      else if (frame.event !== undefined) onEvent(asObject(frame.event), link);
      else if (frame.id !== undefined) onAnswer(text, link);
      else if (frame.e === 'serverShutdown') socket.replace();
      else handlers.onMalformed('neither event nor answer');
    },
    onLive: () => handlers.onOpen(),
    onLost: (why) => handlers.onClosed(why),
  });

  function onAnswer(text: string, link: SocketLink): void {
    const read = answerOfSocket(text, venueClock.now());
    if (read === undefined || read.id !== SUBSCRIBE_ID) return;
    if (read.answer.kind === 'result') {
      link.ready();
      return;
    }
    // The reconnect comes with growing delays, so that a refused key does not hammer the venue.
    const error = read.answer.kind === 'error' ? read.answer.error : undefined;
    if (error?.code === OUTSIDE_RECEIVE_WINDOW) venueClock.measure();
    link.close(`subscription refused: ${error?.code ?? 'unreadable answer'}`);
  }

  function onEvent(event: WireObject | undefined, link: SocketLink): void {
    const kind = asText(event?.e);
    if (event === undefined || kind === undefined) {
      handlers.onMalformed('event of unknown shape');
    } else if (kind === 'executionReport') {
      if (!algos.onReport(event)) handlers.onMalformed(kind);
    } else if (kind === 'listStatus') {
      if (!algos.onList(event)) handlers.onMalformed(kind);
    } else if (kind === 'outboundAccountPosition') {
      const balances = balancesOfPosition(event);
      if (balances === undefined) handlers.onMalformed('outboundAccountPosition');
      else handlers.onBalances(balances);
    } else if (kind === 'eventStreamTerminated') {
      link.close('stream terminated by the venue');
    }
    // Others (balanceUpdate, …) repeat what these say or do not concern us.
  }

  return { close: () => socket.close() };
}
