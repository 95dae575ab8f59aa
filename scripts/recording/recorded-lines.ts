import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { constants, createGunzip, createZstdDecompress } from 'node:zlib';

/**
 * Reads recordings line by line in the two layouts that are about:
 * hftbacktest (`.gz`): `<local nanoseconds> <frame or REST answer>`;
 * cryptofeed (`.jsonl`, `.jsonl.zst`): `{"t":"connect|send|recv|http","conn":…,"ts":seconds,"addr|url":…,"data":"…"}`.
 */

/** One thing that was recorded. `at` is the recorder's clock in milliseconds. */
export type RecordedLine =
  | { readonly kind: 'frame'; readonly connection: string; readonly text: string; readonly at: number }
  /** `url` is absent in the hftbacktest layout, whose answers stand in the order of the frames. */
  | { readonly kind: 'answer'; readonly url?: string; readonly text: string; readonly at: number }
  | { readonly kind: 'opened'; readonly connection: string; readonly address: string; readonly at: number }
  /** Sent by the recorder, or a header: says nothing about the market. */
  | { readonly kind: 'other' }
  | { readonly kind: 'unreadable' };

/** The one connection of a layout that names none. */
export const ONLY_CONNECTION = '';

/** A longer line is not read; the largest answer of a venue is a few megabytes. */
const LINE_BYTES_MAX = 64_000_000;

/** The lines of a file, compressed or not. A file that is cut short or damaged ends early with an unreadable line. */
export async function* recordedLines(file: string): AsyncGenerator<RecordedLine> {
  let rest = '';
  try {
    const decoder = new TextDecoder();
    for await (const chunk of bytesOf(file)) {
      const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield recordedLine(line);
      if (rest.length > LINE_BYTES_MAX) break;
    }
    if (rest !== '') yield recordedLine(rest);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    yield { kind: 'unreadable' };
  }
}

/** SYNC_FLUSH gives what a cut file holds up to the cut, instead of nothing of its last block. */
function bytesOf(file: string): Readable {
  const raw = createReadStream(file);
  const unpack = file.endsWith('.gz')
    ? createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
    : file.endsWith('.zst')
      ? createZstdDecompress()
      : undefined;
  if (unpack === undefined) return raw;
  raw.on('error', (error) => unpack.destroy(error));
  return raw.pipe(unpack);
}

/** Reads one line of either layout. Never throws. */
export function recordedLine(line: string): RecordedLine {
  const text = line.trimEnd();
  const space = text.indexOf(' ');
  const nanoseconds = text.slice(0, space);
  if (space > 0 && /^[0-9]{10,20}$/.test(nanoseconds)) {
    return hftLine(Number(nanoseconds) / 1e6, text.slice(space + 1));
  }
  return cryptofeedLine(text);
}

function hftLine(at: number, text: string): RecordedLine {
  if (objectOf(text) === undefined) return { kind: 'unreadable' };
  return text.includes('"stream"') || text.includes('"topic"') || text.includes('"arg"')
    ? { kind: 'frame', connection: ONLY_CONNECTION, text, at }
    : { kind: 'answer', text, at };
}

function cryptofeedLine(text: string): RecordedLine {
  const entry = objectOf(text);
  if (entry === undefined || typeof entry.t !== 'string') return { kind: 'unreadable' };
  if (entry.t === 'send' || entry.t === 'header') return { kind: 'other' };
  const { conn: connection, data, addr: address, url, ts } = entry;
  if (typeof connection !== 'string' || typeof ts !== 'number') return { kind: 'unreadable' };
  const at = ts * 1_000;
  if (entry.t === 'connect' && typeof address === 'string')
    return { kind: 'opened', connection, address, at };
  if (entry.t === 'recv' && typeof data === 'string') return { kind: 'frame', connection, text: data, at };
  if (entry.t === 'http' && typeof data === 'string' && typeof url === 'string')
    return { kind: 'answer', url, text: data, at };
  return ['connect', 'recv', 'http'].includes(entry.t) ? { kind: 'unreadable' } : { kind: 'other' };
}

/** The JSON object in a text; `undefined` when there is none. */
export function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
