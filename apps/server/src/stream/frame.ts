import type { ServerFrame } from '@crossbook/contract';

const TEXT_FRAME = 0x81;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/**
 * A complete WebSocket text frame (RFC 6455 section 5.2). Frames of a server are not masked, so the same bytes serve
 * every client: made once, written to all.
 */
export function textFrame(text: string): Uint8Array {
  const length = Buffer.byteLength(text);
  const head = length < LENGTH_16 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = TEXT_FRAME;
  if (head === 2) frame[1] = length;
  else if (head === 4) {
    frame[1] = LENGTH_16;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = LENGTH_64;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, head);
  return frame;
}

/** A frame of the live connection, ready for any socket. */
export function encodeFrame(frame: ServerFrame): Uint8Array {
  return textFrame(JSON.stringify(frame));
}
