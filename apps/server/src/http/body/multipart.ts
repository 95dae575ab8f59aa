import { ok, type Result } from '@crossbook/domain';

/** One part of a form: text, or a file when it has a file name; what the file calls itself is not kept. */
export interface FormPart {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isFile: boolean;
}

/** Why a body is no form that is taken. */
export type MultipartFault = 'malformed' | 'too-many';

const PART_HEAD_BYTES_MAX = 1_000;
/** RFC 2046 section 5.1.1; a boundary is shown in full or the body is not read. */
const CONTENT_TYPE =
  /^multipart\/form-data\s*;\s*boundary=(?:"([0-9A-Za-z'()+_,./:=? -]{1,70})"|([0-9A-Za-z'+_.-]{1,70}))\s*$/i;
/** RFC 7578 section 4.2, in the form that browsers and curl write. */
const DISPOSITION =
  /^form-data; name="([^"\\\r\n]{0,200})"(; filename="(?:[^"\\\r\n]|\\[^\r\n]){0,500}")?[ \t]*$/i;
const UNENCODED = /^(?:7bit|8bit|binary)[ \t]*$/i;
/** One repetition that could match a space, and no other after it: whoever is not logged in chooses the text. */
const HEADER = /^([A-Za-z-]+):(.*)$/;
const CRLF = '\r\n';

/** The headers of a part; `undefined` where two readers could understand them differently. */
function partHead(text: string): Pick<FormPart, 'name' | 'isFile'> | undefined {
  let disposition: RegExpExecArray | null = null;
  for (const line of text.split(CRLF)) {
    const [, name = '', after = ''] = HEADER.exec(line) ?? [];
    if (name === '') return undefined;
    const value = after.replace(/^[ \t]+/, '');
    const header = name.toLowerCase();
    if (header === 'content-transfer-encoding' && !UNENCODED.test(value)) return undefined;
    if (header !== 'content-disposition') continue;
    if (disposition !== null) return undefined;
    disposition = DISPOSITION.exec(value);
    if (disposition === null) return undefined;
  }
  return disposition === null
    ? undefined
    : { name: disposition[1] ?? '', isFile: disposition[2] !== undefined };
}

/**
 * Reads `multipart/form-data` that is already here, strictly: from the first byte to the last everything has a meaning,
 * and the first thing wrong ends it. Its work is bounded by the body's length and by `partsMax`.
 */
export function parseMultipart(
  body: Uint8Array,
  contentType: string,
  partsMax: number,
): Result<readonly FormPart[], MultipartFault> {
  const malformed = { ok: false, code: 'malformed' } as const;
  const [, quoted, plain] = CONTENT_TYPE.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = `--${boundary}`;
  const isAt = (text: string, place: number): boolean =>
    bytes.subarray(place, place + text.length).equals(Buffer.from(text));
  if (boundary === undefined || !isAt(delimiter, 0)) return malformed;
  const parts: FormPart[] = [];
  let at = delimiter.length;
  while (isAt(CRLF, at)) {
    if (parts.length === partsMax) return { ok: false, code: 'too-many' };
    const head = at + CRLF.length;
    const headEnd = bytes.subarray(head, head + PART_HEAD_BYTES_MAX).indexOf(`${CRLF}${CRLF}`);
    if (headEnd < 0) return malformed;
    const known = partHead(bytes.toString('utf8', head, head + headEnd));
    const from = head + headEnd + 2 * CRLF.length;
    const to = bytes.indexOf(`${CRLF}${delimiter}`, from);
    if (known === undefined || to < 0) return malformed;
    parts.push({ ...known, bytes: body.subarray(from, to) });
    at = to + CRLF.length + delimiter.length;
  }
  const rest = bytes.toString('latin1', at, at + 5);
  return rest === '--' || rest === `--${CRLF}` ? ok(parts) : malformed;
}
