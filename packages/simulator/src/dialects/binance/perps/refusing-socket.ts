import type { WebSocket } from 'ws';
import { onText, sendFrame } from '../../wire/socket-frames.ts';
import { errorBody } from '../errors.ts';
import { parseSocketRequest } from '../streams/socket-request.ts';
import { FUTURES_ERRORS } from './errors.ts';

/** Requests that one such socket may make; who goes on has not understood. */
const REQUESTS_MAX = 1000;

/**
 * The futures' WebSocket API while perpetuals are not traded: every request is answered, under its own id, with the
 * refusal that the REST door gives, so that nobody waits for an answer that never comes.
 */
export function refuseRequests(socket: WebSocket, onFault: (fault: unknown) => void): void {
  let heard = 0;
  onText(socket, onFault, (text) => {
    heard += 1;
    if (heard > REQUESTS_MAX) {
      socket.close(1008, 'Too many requests');
      return;
    }
    const request = parseSocketRequest(text);
    const { status } = FUTURES_ERRORS.notTraded;
    const error = JSON.stringify(errorBody(FUTURES_ERRORS.notTraded));
    sendFrame(socket, `{"id":${request.idText},"status":${status},"error":${error}}`);
  });
}
