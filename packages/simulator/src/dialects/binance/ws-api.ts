import { ok, refused } from '@crossbook/domain';
import type { WebSocket } from 'ws';
import type { AccountNumber } from '../../exchange.ts';
import { type Answer, type Desk, type Endpoint, endpoint, PUBLIC, SIGNED } from './endpoint.ts';
import { SOCKET_ENDPOINTS } from './endpoints.ts';
import { ERRORS } from './errors.ts';
import { RequestSocket, sessionEndpoints } from './streams/request-socket.ts';
import { type TimeUnit, textInTimeUnit } from './time-unit.ts';

const SUBSCRIPTIONS_MAX = 16;

interface Subscription {
  readonly account: AccountNumber;
  stop(): void;
}

/** One connection of the WebSocket API: requests, and user events on the same socket. */
export class SocketApiSession {
  readonly #desk: Desk;
  readonly #requests: RequestSocket<Desk>;
  readonly #unit: TimeUnit;
  readonly #subscriptions = new Map<number, Subscription>();
  #nextSubscriptionId = 0;

  constructor(
    desk: Desk,
    socket: WebSocket,
    facts: { address: string; showLimits: boolean; unit: TimeUnit },
  ) {
    this.#desk = desk;
    this.#unit = facts.unit;
    const own = this.#sessionEndpoints().map((entry) => [entry.name, entry] as const);
    const endpoints = new Map([...SOCKET_ENDPOINTS, ...own]);
    this.#requests = new RequestSocket({ desk, socket, endpoints, ...facts });
    socket.once('close', () => this.#endSubscriptions());
  }

  /** The methods that are about this connection rather than the exchange. */
  #sessionEndpoints(): readonly Endpoint[] {
    const about = (name: string, run: () => Answer) => endpoint(PUBLIC, name, '', () => ({ weight: 2, run }));
    const listens = () => this.#subscriptions.size > 0;
    return [
      ...sessionEndpoints(this.#desk, { showLimits: () => this.#requests.showLimits, listens }),
      endpoint(SIGNED, 'userDataStream.subscribe.signature', '', () => ({
        weight: 2,
        run: ({ account }) =>
          account === undefined ? refused(ERRORS.rejectedKey) : this.#subscribe(account),
      })),
      about('userDataStream.subscribe', () => refused(ERRORS.rejectedKey)),
      about('session.subscriptions', () =>
        ok([...this.#subscriptions.keys()].map((subscriptionId) => ({ subscriptionId }))),
      ),
      endpoint(PUBLIC, 'userDataStream.unsubscribe', 'subscriptionId', (reader) => {
        const id = reader.integer('subscriptionId');
        return { weight: 2, run: () => this.#unsubscribe(id) };
      }),
    ];
  }

  #subscribe(account: AccountNumber): Answer {
    const active = [...this.#subscriptions.values()].some((entry) => entry.account === account);
    if (active || this.#subscriptions.size >= SUBSCRIPTIONS_MAX) return refused(ERRORS.subscriptionActive);
    const subscriptionId = this.#nextSubscriptionId;
    this.#nextSubscriptionId += 1;
    const stop = this.#desk.userStreams.subscribe(account, (event) =>
      this.#requests.send(
        `{"subscriptionId":${subscriptionId},"event":${textInTimeUnit(event, this.#unit)}}`,
      ),
    );
    this.#subscriptions.set(subscriptionId, { account, stop });
    return ok({ subscriptionId });
  }

  #unsubscribe(id: number | undefined): Answer {
    if (id === undefined) {
      this.#endSubscriptions();
      return ok({});
    }
    const subscription = this.#subscriptions.get(id);
    if (subscription === undefined) return refused(ERRORS.subscriptionInactive);
    subscription.stop();
    this.#subscriptions.delete(id);
    return ok({});
  }

  #endSubscriptions(): void {
    for (const subscription of this.#subscriptions.values()) subscription.stop();
    this.#subscriptions.clear();
  }
}
