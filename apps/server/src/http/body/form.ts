import type { Refusal } from '@crossbook/contract';
import { ok, type Result } from '@crossbook/domain';
import { parseMultipart } from './multipart.ts';

/** Fields of a form by name; an object without prototype. */
export type FormFields = Readonly<Record<string, string>>;

/** Fields one form may have. */
const FIELDS_MAX = 60;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

type Parsed = Result<FormFields, Refusal>;
type Wrong = { readonly ok: false; readonly code: Refusal };

function wrong(field: string, allowed: string): Wrong {
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

/** A form of a call that takes a file. */
export interface UploadForm {
  readonly fields: FormFields;
  /** The file of the one field that may be one. */
  readonly file: Uint8Array | undefined;
}

/** Parses `multipart/form-data`. @param fileField the field that is a file; a file in any other is refused by name. */
export function parseUpload(
  body: Uint8Array,
  contentType: string,
  fileField?: string,
): Result<UploadForm, Refusal> {
  const parts = parseMultipart(body, contentType, FIELDS_MAX);
  if (!parts.ok) {
    const allowed =
      parts.code === 'malformed' ? 'well-formed multipart/form-data' : `at most ${FIELDS_MAX} fields`;
    return wrong('form', allowed);
  }
  const pairs: [string, string][] = [];
  let file: Uint8Array | undefined;
  for (const { name, bytes, isFile } of parts.value) {
    if (isFile) {
      if (name !== fileField) return wrong(name, 'text, no file');
      if (file !== undefined) return wrong(name, 'given once');
      file = bytes;
    } else {
      // The same name as text and as file would be two values of one field.
      if (name === fileField) return wrong(name, 'a file');
      const value = utf8(bytes);
      if (value === undefined) return wrong(name, 'UTF-8 text');
      pairs.push([name, value]);
    }
  }
  const fields = collect(pairs);
  return fields.ok ? ok({ fields: fields.value, file }) : fields;
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether a body is one that can carry a file. */
export function isMultipart(contentType: string | undefined): boolean {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() === 'multipart/form-data';
}

/** Parses a POST body by its content type. */
export function parseForm(body: Uint8Array, contentType: string | undefined): Parsed {
  if (isMultipart(contentType)) {
    const upload = parseUpload(body, contentType ?? '');
    return upload.ok ? ok(upload.value.fields) : upload;
  }
  if (body.length === 0) return ok(Object.create(null));
  const kind = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (kind !== 'application/x-www-form-urlencoded') {
    return wrong('Content-Type', 'application/x-www-form-urlencoded or multipart/form-data');
  }
  const text = utf8(body);
  return text === undefined ? wrong('form', 'UTF-8 text') : parseUrlencoded(text);
}
