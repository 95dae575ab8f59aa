import { crc32 } from 'node:zlib';

const HEADER_BYTES = 8;
/** Largest payload of one frame; a longer length in a header is damage. */
const FRAME_BYTES_MAX = 64 * 1024 * 1024;

/** A payload behind its length and CRC-32, both little endian. */
export function encodeFrame(payload: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  frame.writeUInt32LE(payload.length, 0);
  frame.writeUInt32LE(crc32(payload), 4);
  payload.copy(frame, HEADER_BYTES);
  return frame;
}

/** The whole frames at the beginning of a file, and how many bytes they are. What follows is torn or damaged. */
export function decodeFrames(bytes: Buffer): { readonly payloads: Buffer[]; readonly validBytes: number } {
  const payloads: Buffer[] = [];
  let at = 0;
  while (at + HEADER_BYTES <= bytes.length) {
    const length = bytes.readUInt32LE(at);
    const end = at + HEADER_BYTES + length;
    // A file system may leave a hole of zeros after a power cut: an empty frame is never written.
    if (length === 0 || length > FRAME_BYTES_MAX || end > bytes.length) break;
    const payload = bytes.subarray(at + HEADER_BYTES, end);
    if (crc32(payload) !== bytes.readUInt32LE(at + 4)) break;
    payloads.push(payload);
    at = end;
  }
  return { payloads, validBytes: at };
}
