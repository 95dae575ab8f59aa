import { ok, refused } from '@crossbook/domain';
import type { WebSocket } from 'ws';
import type { AccountNumber } from '../../exchange.ts';
import { answerUnder } from '../../faults.ts';
import { onText, sendFrame } from '../wire/socket-frames.ts';
import { carryOut, type Outcome } from './dispatch.ts';
import { type Answer, type Desk, type Endpoint, endpoint, PUBLIC, SIGNED } from './endpoint.ts';
import { SOCKET_ENDPOINTS } from './endpoints.ts';
import { ERRORS, errorBody } from './errors.ts';
import type { RateLimitLine } from './rate-limits.ts';
import { socketPayload } from './sign.ts';
import { parseSocketRequest, type SocketRequest } from './streams/socket-request.ts';

/** Requests of one socket that wait for their answer; beyond this it is told to slow down. */
const REQUESTS_IN_FLIGHT_MAX = 512;
const SUBSCRIPTIONS_MAX = 16;

interface Subscription {
  readonly account: AccountNumber;
  stop(): void;
}

/** One connection of the WebSocket API: requests, and user events on the same socket. */
export class SocketApiSession {
  readonly #desk: Desk;
  readonly #socket: WebSocket;
  readonly #address: string;
  readonly #connectedAt: number;
  readonly #subscriptions = new Map<number, Subscription>();
  readonly #own: ReadonlyMap<string, Endpoint>;
  #showLimits: boolean;
  #nextSubscriptionId = 0;
  #inFlight = 0;

  constructor(desk: Desk, socket: WebSocket, facts: { address: string; showLimits: boolean }) {
    this.#desk = desk;
    this.#socket = socket;
    this.#address = facts.address;
    this.#showLimits = facts.showLimits;
    this.#connectedAt = desk.exchange.now();
    this.#own = new Map(this.#sessionEndpoints().map((entry) => [entry.name, entry]));
    onText(socket, desk.onFault, (text) => this.#onMessage(text));
    socket.once('close', () => this.#endSubscriptions());
  }

  async #onMessage(text: string): Promise<void> {
    const request = parseSocketRequest(text);
    if ('problem' in request) {
      const error = { code: ERRORS.badJson.code, msg: request.problem };
      this.#send(`{"id":${request.idText},"status":400,"error":${JSON.stringify(error)}}`);
      return;
    }
    const found = this.#own.get(request.method) ?? SOCKET_ENDPOINTS.get(request.method);
    if (found === undefined) {
      this.#reply(request, { answer: refused(ERRORS.unsupported), fault: undefined, account: undefined });
      return;
    }
    if (this.#inFlight >= REQUESTS_IN_FLIGHT_MAX) {
      this.#socket.close(1008, 'too many requests');
      return;
    }
    this.#inFlight += 1;
    try {
      await this.#answer(request, found);
    } finally {
      this.#inFlight -= 1;
    }
  }

  async #answer(request: SocketRequest, found: Endpoint): Promise<void> {
    const values = new Map(request.params);
    const apiKey = values.get('apiKey');
    const payload = socketPayload(values);
    // The key is a parameter here, allowed with every method; it is no parameter of the call itself.
    values.delete('apiKey');
    const showLimits = values.get('returnRateLimits');
    if (showLimits !== undefined) {
      this.#showLimits = showLimits === 'true';
      values.delete('returnRateLimits');
    }
    const outcome = await carryOut(this.#desk, {
      endpoint: found,
      bag: { values },
      apiKey,
      payload,
      address: this.#address,
    });
    this.#deliver(request, outcome, found.countsOrder);
  }

  #deliver(request: SocketRequest, outcome: Outcome, withOrders: boolean): void {
    answerUnder(outcome.fault, {
      answer: () => this.#reply(request, outcome, withOrders),
      drop: () => this.#socket.terminate(),
    });
  }

  #reply(request: SocketRequest, outcome: Outcome, withOrders = false): void {
    const { answer } = outcome;
    const head = `{"id":${request.idText},"status":${answer.ok ? 200 : answer.code.status}`;
    const body = answer.ok
      ? `"result":${JSON.stringify(answer.value)}`
      : `"error":${JSON.stringify(errorBody(answer.code))}`;
    const limits = this.#showLimits
      ? `,"rateLimits":${JSON.stringify(this.#limitLines(outcome.account, withOrders))}`
      : '';
    this.#send(`${head},${body}${limits}}`);
  }

  #limitLines(account: AccountNumber | undefined, withOrders: boolean): readonly RateLimitLine[] {
    const { rates, exchange } = this.#desk;
    const now = exchange.now();
    const weight = rates.weightLine(this.#address, now);
    return withOrders && account !== undefined
      ? [...rates.orderLines(String(account), now), weight]
      : [weight];
  }

  #send(text: string): void {
    sendFrame(this.#socket, text);
  }

  /** The methods that are about this connection rather than the exchange. */
  #sessionEndpoints(): readonly Endpoint[] {
    const about = (name: string, run: () => Answer) => endpoint(PUBLIC, name, '', () => ({ weight: 2, run }));
    return [
      endpoint(SIGNED, 'userDataStream.subscribe.signature', '', () => ({
        weight: 2,
        run: ({ account }) =>
          account === undefined ? refused(ERRORS.rejectedKey) : this.#subscribe(account),
      })),
      // HMAC keys cannot log on, and the simulator makes no others.
      endpoint(SIGNED, 'session.logon', '', () => ({
        weight: 2,
        run: () => refused(ERRORS.hmacLogon),
      })),
      about('userDataStream.subscribe', () => refused(ERRORS.rejectedKey)),
      about('session.status', () => ok(this.#status())),
      about('session.logout', () => ok(this.#status())),
      about('session.subscriptions', () =>
        ok([...this.#subscriptions.keys()].map((subscriptionId) => ({ subscriptionId }))),
      ),
      endpoint(PUBLIC, 'userDataStream.unsubscribe', 'subscriptionId', (reader) => {
        const id = reader.integer('subscriptionId');
        return { weight: 2, run: () => this.#unsubscribe(id) };
      }),
    ];
  }

  #status(): object {
    return {
      apiKey: null,
      authorizedSince: null,
      connectedSince: this.#connectedAt,
      returnRateLimits: this.#showLimits,
      serverTime: this.#desk.exchange.now(),
      userDataStream: this.#subscriptions.size > 0,
    };
  }

  #subscribe(account: AccountNumber): Answer {
    const active = [...this.#subscriptions.values()].some((entry) => entry.account === account);
    if (active || this.#subscriptions.size >= SUBSCRIPTIONS_MAX) return refused(ERRORS.subscriptionActive);
    const subscriptionId = this.#nextSubscriptionId;
    this.#nextSubscriptionId += 1;
    const stop = this.#desk.userStreams.subscribe(account, (event) =>
      this.#send(`{"subscriptionId":${subscriptionId},"event":${event}}`),
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
