import type { WebSocket } from 'ws';
import { answerUnder } from '../../../faults.ts';
import { BoundedMap } from '../../wire/bounded-map.ts';
import { onText, sendFrame } from '../../wire/socket-frames.ts';
import { carryOut, type Outcome } from '../dispatch.ts';
import type { Desk, Endpoint } from '../endpoint.ts';
import { SOCKET_ENDPOINTS } from '../endpoints.ts';
import { type BybitError, ERRORS } from '../errors.ts';
import { paramsOf } from '../params.ts';
import { limitHeaders } from '../rate-limits.ts';
import { logOn, type Session } from './log-on.ts';
import { idField, parseSocketMessage, type SocketMessage } from './socket-message.ts';

/** Ids of requests remembered, so that one is not used twice. */
const REQUEST_IDS_MAX = 10_000;
/** Longest id of a request (websocket/trade/guideline, 2026-07-24). */
const REQUEST_ID_LENGTH_MAX = 36;
/** Requests of one connection that wait for their answer; beyond it the client is told to slow down. */
const REQUESTS_IN_FLIGHT_MAX = 512;
const NO_OPERATION: BybitError = { code: 10_404, message: 'op type is not found' };
const REPEATED_LOG_ON: BybitError = { code: 20_001, message: 'Repeat auth' };
const REPEATED_ID: BybitError = { code: 20_006, message: 'Duplicate reqId' };
const LONG_ID: BybitError = {
  code: 10_001,
  message: `params error: reqId is longer than ${REQUEST_ID_LENGTH_MAX}`,
};
const BAD_FRAME: BybitError = { code: 10_001, message: 'params error: not a JSON object' };

/** What a trade connection is made of. */
export interface TradeSocketParts {
  readonly desk: Desk;
  readonly socket: WebSocket;
  readonly connectionId: string;
}

/** One connection that takes orders: log on once, then request and answer (websocket/trade/guideline, 2026-07-24). */
export class TradeSocket {
  readonly #parts: TradeSocketParts;
  readonly #ids = new BoundedMap<string | number, true>(REQUEST_IDS_MAX);
  #session: Session | undefined;
  #inFlight = 0;

  constructor(parts: TradeSocketParts) {
    this.#parts = parts;
    onText(parts.socket, parts.desk.onFault, (text) => this.#onMessage(text));
  }

  #onMessage(text: string): void {
    const message = parseSocketMessage(text, 'reqId');
    if (message === undefined) {
      this.#answer({ op: '', id: undefined }, BAD_FRAME, {});
      return;
    }
    if (message.op === 'ping') {
      const { desk, connectionId } = this.#parts;
      const data = [String(desk.venue.spot.now())];
      this.#send({
        ...idField('reqId', message),
        retCode: 0,
        retMsg: 'OK',
        op: 'pong',
        data,
        connId: connectionId,
      });
      return;
    }
    if (message.op === 'auth') {
      this.#logOn(message);
      return;
    }
    if (message.op === 'pong') return;
    const endpoint = SOCKET_ENDPOINTS.get(message.op);
    if (endpoint === undefined) {
      this.#answer(message, NO_OPERATION, {});
      return;
    }
    if (this.#session === undefined) {
      this.#answer(message, ERRORS.badKey, {});
      return;
    }
    const refusal = this.#refusalOf(message);
    if (refusal !== undefined) {
      this.#answer(message, refusal, {});
      return;
    }
    void this.#carryOut(message, endpoint, this.#session);
  }

  #logOn(message: SocketMessage): void {
    const session = this.#session === undefined ? logOn(this.#parts.desk, message.args) : REPEATED_LOG_ON;
    const refusal = 'code' in session ? session : undefined;
    if (!('code' in session)) this.#session = session;
    this.#send({
      ...idField('reqId', message),
      retCode: refusal?.code ?? 0,
      retMsg: refusal?.message ?? 'OK',
      op: 'auth',
      connId: this.#parts.connectionId,
    });
  }

  /** What stands against a request before it is looked into. */
  #refusalOf({ id }: SocketMessage): BybitError | undefined {
    if (this.#inFlight >= REQUESTS_IN_FLIGHT_MAX) return ERRORS.tooManyVisits;
    if (id === undefined) return undefined;
    if (String(id).length > REQUEST_ID_LENGTH_MAX) return LONG_ID;
    return this.#remember(id) ? undefined : REPEATED_ID;
  }

  #remember(id: string | number): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.set(id, true);
    return true;
  }

  /** `carryOut` never throws. */
  async #carryOut(message: SocketMessage, endpoint: Endpoint, session: Session): Promise<void> {
    const { desk, socket } = this.#parts;
    this.#inFlight += 1;
    const outcome = await carryOut(desk, {
      endpoint,
      bag: paramsOf(message.args[0]),
      credentials: {
        kind: 'session',
        ...session,
        timestamp: headerText(message, 'X-BAPI-TIMESTAMP'),
        receiveWindow: headerText(message, 'X-BAPI-RECV-WINDOW'),
      },
    });
    this.#inFlight -= 1;
    answerUnder(outcome.fault, {
      answer: () => this.#reply(message, outcome),
      drop: () => socket.terminate(),
    });
  }

  #reply(message: SocketMessage, { answer, visit }: Outcome): void {
    const limits = visit === undefined ? {} : limitHeaders(visit);
    if (!answer.ok) {
      this.#answer(message, answer.code, limits);
      return;
    }
    const { result, retExtInfo } = answer.value;
    this.#write(message, { retCode: 0, retMsg: 'OK', data: result, retExtInfo: retExtInfo ?? {} }, limits);
  }

  #answer(
    message: Pick<SocketMessage, 'op' | 'id'>,
    refusal: BybitError,
    limits: Readonly<Record<string, string>>,
  ): void {
    const { code, message: retMsg } = refusal;
    this.#write(message, { retCode: code, retMsg, data: {}, retExtInfo: {} }, limits);
  }

  #write(
    message: Pick<SocketMessage, 'op' | 'id'>,
    answer: {
      readonly retCode: number;
      readonly retMsg: string;
      readonly data: object;
      readonly retExtInfo: object;
    },
    limits: Readonly<Record<string, string>>,
  ): void {
    const { desk, connectionId } = this.#parts;
    const { retCode, retMsg, data, retExtInfo } = answer;
    const header = { ...limits, Traceid: desk.randomText(32), Timenow: String(desk.venue.spot.now()) };
    this.#send({
      ...idField('reqId', message),
      retCode,
      retMsg,
      op: message.op,
      ...{ data, retExtInfo, header },
      connId: connectionId,
    });
  }

  #send(frame: object): void {
    sendFrame(this.#parts.socket, JSON.stringify(frame));
  }
}

/** A header field; one client sends its times as numbers. */
function headerText({ header }: SocketMessage, name: string): string | undefined {
  const value = header[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
