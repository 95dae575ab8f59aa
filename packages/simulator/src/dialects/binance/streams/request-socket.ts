import { type Millis, ok, refused } from '@crossbook/domain';
import type { WebSocket } from 'ws';
import type { AccountNumber } from '../../../exchange.ts';
import { answerUnder } from '../../../faults.ts';
import { onText, sendFrame } from '../../wire/socket-frames.ts';
import { carryOut, type Outcome } from '../dispatch.ts';
import { type Answer, type CallDesk, type Endpoint, endpoint, PUBLIC, SIGNED } from '../endpoint.ts';
import { type BinanceError, ERRORS, errorBody } from '../errors.ts';
import type { RateLimitLine } from '../rate-limits.ts';
import { socketPayload } from '../sign.ts';
import { inTimeUnit, type TimeUnit } from '../time-unit.ts';
import { parseSocketRequest, type SocketRequest } from './socket-request.ts';

/** Requests of one socket that wait for their answer; beyond this it is told to slow down. */
const REQUESTS_IN_FLIGHT_MAX = 512;

/** What a socket of a WebSocket API is made from. */
export interface RequestSocketParts<Room extends CallDesk> {
  readonly desk: Room;
  readonly socket: WebSocket;
  readonly address: string;
  readonly showLimits: boolean;
  /** Of the times in answers; milliseconds when absent. */
  readonly unit?: TimeUnit;
  /** By method: the API's own, and those that are about this connection. */
  readonly endpoints: ReadonlyMap<string, Endpoint<Room>>;
}

/** Requests and answers of one connection to the WebSocket API of spot or of the futures. */
export class RequestSocket<Room extends CallDesk> {
  readonly #parts: RequestSocketParts<Room>;
  #showLimits: boolean;
  #inFlight = 0;

  constructor(parts: RequestSocketParts<Room>) {
    this.#parts = parts;
    this.#showLimits = parts.showLimits;
    onText(parts.socket, parts.desk.onFault, (text) => this.#onMessage(text));
  }

  /** Whether answers say how much of the limits is used. */
  get showLimits(): boolean {
    return this.#showLimits;
  }

  send(text: string): void {
    sendFrame(this.#parts.socket, text);
  }

  async #onMessage(text: string): Promise<void> {
    const request = parseSocketRequest(text);
    if ('problem' in request) {
      const error = { code: ERRORS.badJson.code, msg: request.problem };
      this.send(`{"id":${request.idText},"status":400,"error":${JSON.stringify(error)}}`);
      return;
    }
    const found = this.#parts.endpoints.get(request.method);
    if (found === undefined) {
      this.#reply(request, { answer: refused(ERRORS.unsupported), fault: undefined, account: undefined });
      return;
    }
    if (this.#inFlight >= REQUESTS_IN_FLIGHT_MAX) {
      this.#parts.socket.close(1008, 'too many requests');
      return;
    }
    this.#inFlight += 1;
    try {
      await this.#answer(request, found);
    } finally {
      this.#inFlight -= 1;
    }
  }

  async #answer(request: SocketRequest, found: Endpoint<Room>): Promise<void> {
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
    const outcome = await carryOut(this.#parts.desk, {
      endpoint: found,
      bag: { values },
      apiKey,
      payload,
      address: this.#parts.address,
    });
    this.#deliver(request, outcome, found.countsOrder);
  }

  #deliver(request: SocketRequest, outcome: Outcome, withOrders: boolean): void {
    answerUnder(outcome.fault, {
      answer: () => this.#reply(request, outcome, withOrders),
      drop: () => this.#parts.socket.terminate(),
    });
  }

  #reply(request: SocketRequest, outcome: Outcome, withOrders = false): void {
    const { answer } = outcome;
    const { desk, unit = 'MILLISECOND' } = this.#parts;
    const now = desk.exchange.now();
    const head = `{"id":${request.idText},"status":${answer.ok ? 200 : answer.code.status}`;
    const body = answer.ok
      ? `"result":${JSON.stringify(inTimeUnit(answer.value, unit))}`
      : `"error":${JSON.stringify(inTimeUnit(socketErrorBody(answer.code, now), unit))}`;
    const limits = this.#showLimits
      ? `,"rateLimits":${JSON.stringify(this.#limitLines(outcome.account, withOrders))}`
      : '';
    this.send(`${head},${body}${limits}}`);
  }

  #limitLines(account: AccountNumber | undefined, withOrders: boolean): readonly RateLimitLine[] {
    const { rates, exchange } = this.#parts.desk;
    const now = exchange.now();
    const weight = rates.weightLine(this.#parts.address, now);
    return withOrders && account !== undefined ? [...rates.orderLines(account, now), weight] : [weight];
  }
}

/** A refusal on a socket: here the moment at which to come again is in its data. */
function socketErrorBody(refusal: BinanceError, now: Millis): object {
  const { retryAfterSeconds } = refusal;
  if (retryAfterSeconds === undefined) return errorBody(refusal);
  return errorBody({ ...refusal, data: { serverTime: now, retryAfter: now + retryAfterSeconds * 1_000 } });
}

/** The methods that are about a connection and its session rather than the exchange. */
export function sessionEndpoints(
  desk: CallDesk,
  session: { showLimits(): boolean; listens(): boolean },
): readonly Endpoint<CallDesk>[] {
  const connectedSince = desk.exchange.now();
  const status = () =>
    ok({
      apiKey: null,
      authorizedSince: null,
      connectedSince,
      returnRateLimits: session.showLimits(),
      serverTime: desk.exchange.now(),
      userDataStream: session.listens(),
    });
  const about = (manner: typeof PUBLIC, name: string, run: () => Answer): Endpoint<CallDesk> =>
    endpoint(manner, name, '', () => ({ weight: 2, run }));
  return [
    // HMAC keys cannot log on, and the simulator makes no others.
    about(SIGNED, 'session.logon', () => refused(ERRORS.hmacLogon)),
    about(PUBLIC, 'session.status', status),
    about(PUBLIC, 'session.logout', status),
  ];
}
