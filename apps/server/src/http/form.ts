import type { Refusal } from '@crossbook/contract';
import { ok, type Result } from '@crossbook/domain';

/** Fields of a form by name; an object without prototype. */
export type FormFields = Readonly<Record<string, string>>;

/** Fields one form may have. */
const FIELDS_MAX = 60;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

type Parsed = Result<FormFields, Refusal>;

function wrong(field: string, allowed: string): Parsed {
  // What came from outside is shown back only as far as it is printable and short.
  const shown = field.replace(/[^\x20-\x7e]/g, '?').slice(0, 40);
  return { ok: false, code: { error: 'field-invalid', field: shown, allowed } };
}

/** Joins pairs strictly: two parsers that read one request differently are how checks are bypassed. */
function collect(pairs: Iterable<readonly [string, string]>): Parsed {
  const fields: Record<string, string> = Object.create(null);
  let count = 0;
  for (const [name, value] of pairs) {
    count += 1;
    if (count > FIELDS_MAX) return wrong('form', `at most ${FIELDS_MAX} fields`);
    if (!NAME.test(name)) return wrong(name, 'a field of this call');
    if (Object.hasOwn(fields, name)) return wrong(name, 'given once');
    if (value.includes('\0')) return wrong(name, 'text without NUL');
    fields[name] = value;
  }
  return ok(fields);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Parses `application/x-www-form-urlencoded` text or a query string. Empty parts between `&` are skipped. */
export function parseUrlencoded(text: string): Parsed {
  const pairs: [string, string][] = [];
  for (const part of text.split('&', FIELDS_MAX + 2)) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : decode(part.slice(equals + 1));
    if (name === undefined || value === undefined) return wrong(name ?? 'form', 'valid percent-encoding');
    pairs.push([name, value]);
  }
  return collect(pairs);
}

/** Parses `multipart/form-data`. No call takes a file yet, so a file part is refused by name. */
async function parseMultipart(body: Uint8Array<ArrayBuffer>, contentType: string): Promise<Parsed> {
  let data: FormData;
  try {
    data = await new Response(body, { headers: { 'content-type': contentType } }).formData();
  } catch {
    return wrong('form', 'well-formed multipart/form-data');
  }
  const pairs: [string, string][] = [];
  for (const [name, value] of data) {
    if (typeof value !== 'string') return wrong(name, 'text; this call takes no file');
    pairs.push([name, value]);
  }
  return collect(pairs);
}

/** Parses a POST body by its content type. */
export async function parseForm(
  body: Uint8Array<ArrayBuffer>,
  contentType: string | undefined,
): Promise<Parsed> {
  const kind = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (kind === 'multipart/form-data') return parseMultipart(body, contentType ?? '');
  if (body.length === 0) return ok(Object.create(null));
  if (kind !== 'application/x-www-form-urlencoded') {
    return wrong('Content-Type', 'application/x-www-form-urlencoded or multipart/form-data');
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return wrong('form', 'UTF-8 text');
  }
  return parseUrlencoded(text);
}
