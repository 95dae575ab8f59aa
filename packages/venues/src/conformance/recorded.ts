import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { RECORDINGS_DIR } from '../../../../tests/recordings.ts';

/** A recorded file for a test: `undefined` with a message in the output where recordings are absent. */
export function recorded(path: string): Buffer | undefined {
  const file = join(RECORDINGS_DIR, path);
  if (!existsSync(file)) {
    console.warn(`SKIPPED: no recording ${path} under RECORDINGS_DIR (${RECORDINGS_DIR})`);
    return undefined;
  }
  const bytes = readFileSync(file);
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

/** The same, as parsed JSON. */
export function recordedJson(path: string): unknown {
  const bytes = recorded(path);
  return bytes === undefined ? undefined : (JSON.parse(bytes.toString('utf8')) as unknown);
}
