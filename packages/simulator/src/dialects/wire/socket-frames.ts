import type { WebSocket } from 'ws';

/** A client that has not read this much is dropped: nothing is buffered without bound. */
const BUFFERED_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Sends one text frame; the bytes may be shared with other sockets. A client that does not read is dropped.
 * @returns whether the frame is on its way.
 */
export function sendFrame(socket: WebSocket, frame: Buffer | string): boolean {
  if (socket.readyState !== socket.OPEN) return false;
  if (socket.bufferedAmount > BUFFERED_BYTES_MAX) {
    socket.terminate();
    return false;
  }
  socket.send(frame, { binary: false });
  return true;
}

/**
 * Hands each message of a client to `take` as text, a binary one as an empty text. A fault of ours costs this one
 * client his connection, and nobody else anything.
 */
export function onText(
  socket: WebSocket,
  onFault: (fault: unknown) => void,
  take: (text: string) => void | Promise<void>,
): void {
  const drop = (fault: unknown): void => {
    onFault(fault);
    socket.terminate();
  };
  socket.on('message', (data, isBinary) => {
    try {
      take(isBinary ? '' : String(data))?.catch(drop);
    } catch (fault) {
      drop(fault);
    }
  });
}
