import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseUpload } from './form.ts';
import { parseMultipart } from './multipart.ts';

const TYPE = 'multipart/form-data; boundary=x';
const TEXT = 'Content-Disposition: form-data; name="a"';
const FILE = 'Content-Disposition: form-data; name="file"; filename="a.png"';

function bytes(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

function part(head: string, value = '1'): string {
  return `--x\r\n${head}\r\n\r\n${value}\r\n`;
}

/** The same form as the platform's own reader has it. */
async function platform(body: Uint8Array<ArrayBuffer>, type: string): Promise<unknown> {
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  return Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === 'string'
        ? [name, value]
        : [name, Buffer.from(await value.arrayBuffer()).toString('hex')],
    ),
  );
}

function ours(body: Uint8Array, type: string): unknown {
  const parts = parseMultipart(body, type, 60);
  if (!parts.ok) return parts.code;
  return parts.value.map(({ name, bytes: value, isFile }) => [
    name,
    Buffer.from(value).toString(isFile ? 'hex' : 'utf8'),
  ]);
}

describe('multipart forms', () => {
  test('written by the platform are read as it reads them, whatever the files hold', async () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,20}$/);
    const file = fc.uint8Array({ maxLength: 3_000 });
    const value = fc.oneof(fc.stringMatching(/^[ -~]{0,40}$/), file);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 8 }), async (entries) => {
        const form = new FormData();
        for (const [key, one] of entries) {
          if (typeof one === 'string') form.append(key, one);
          else form.append(key, new Blob([new Uint8Array(one)]), 'photo "of" me;\\.png');
        }
        const response = new Response(form);
        const type = response.headers.get('content-type') ?? '';
        const body = new Uint8Array(await response.arrayBuffer());
        if (entries.length > 0) expect(ours(body, type)).toEqual(await platform(body, type));
      }),
      { numRuns: 100, seed: 37 },
    );
  });

  test('are refused, or read as the platform reads them, wherever one byte is another', async () => {
    const body = bytes(`${part(TEXT, 'one')}${part(FILE, '\x89PNG\r\n--\r\nx')}--x--\r\n`);
    const byte = fc.constantFrom(...[...'\r\n-x";: =a\0\xff'].map((letter) => letter.charCodeAt(0)));
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length - 1), byte, async (at, to) => {
        const changed = new Uint8Array(body.with(at, to));
        const read = ours(changed, TYPE);
        if (Array.isArray(read)) {
          const other = await platform(changed, TYPE).catch(() => 'refused by the platform');
          if (other !== 'refused by the platform') expect(read.length).toBe((other as unknown[]).length);
        }
      }),
      { numRuns: 300, seed: 37 },
    );
  });

  const good = `${part(FILE)}--x--\r\n`;
  test.each([
    ['no boundary', good, 'multipart/form-data'],
    ['two boundaries', good, 'multipart/form-data; boundary=x; boundary=y'],
    ['a boundary of 71 letters', good, `multipart/form-data; boundary=${'x'.repeat(71)}`],
    ['another boundary', good, 'multipart/form-data; boundary=y'],
    ['something before the first part', `hello${good}`, TYPE],
    ['no end', part(FILE), TYPE],
    ['something after the end', `${good}more`, TYPE],
    ['a delimiter that goes on', `${part(FILE)}--xy\r\n${TEXT}\r\n\r\n1\r\n--x--`, TYPE],
    ['bare line feeds', good.replaceAll('\r\n', '\n'), TYPE],
    ['a part without a name', `${part('Content-Disposition: form-data')}--x--`, TYPE],
    ['a part with two names', `${part(`${TEXT}\r\n${FILE}`)}--x--`, TYPE],
    ['a part with no head', '--x\r\n\r\n1\r\n--x--', TYPE],
    ['a file name in another alphabet', `${part(`${TEXT}; filename*=UTF-8''a`)}--x--`, TYPE],
    ['an encoded part', `${part(`${FILE}\r\nContent-Transfer-Encoding: base64`)}--x--`, TYPE],
    ['a head without an end', `--x\r\n${'A'.repeat(5_000)}`, TYPE],
  ])('with %s are refused', (_name, text, type) => {
    expect(parseMultipart(bytes(text), type, 60)).toEqual({ ok: false, code: 'malformed' });
  });

  test('are read in one pass over a head, however many blanks stand in it', () => {
    const blanks = ' '.repeat(950);
    const hostile = bytes(`--x\r\nContent-Type:${blanks}\nx\r\n\r\n`);
    const inside = bytes(`${part(`${TEXT}\r\na:x${blanks.slice(20)}x`).repeat(60)}--x--`);
    const around = bytes(`${part(`${TEXT.replace(': ', `:${'\t '.repeat(400)}`)}${' '.repeat(100)}`)}--x--`);
    for (let n = 0; n < 500; n += 1) {
      expect(parseMultipart(hostile, TYPE, 60)).toEqual({ ok: false, code: 'malformed' });
    }
    for (let n = 0; n < 10; n += 1) expect(parseMultipart(inside, TYPE, 60)).toMatchObject({ ok: true });
    expect(ours(around, TYPE)).toEqual([['a', '1']]);
  });

  test('stop at their bound of parts, however many follow', () => {
    const many = `${part(TEXT).repeat(100_000)}--x--`;
    expect(parseMultipart(bytes(many), TYPE, 60)).toEqual({ ok: false, code: 'too-many' });
    expect(parseMultipart(bytes(`${part(TEXT).repeat(60)}--x--`), TYPE, 60)).toMatchObject({ ok: true });
  });
});

describe('a form with a file', () => {
  test('has its one file, and the fields beside it', () => {
    const form = parseUpload(bytes(`${part(TEXT)}${part(FILE, '\x89\0')}--x--`), TYPE, 'file');
    expect(form.ok && { ...form.value.fields }).toEqual({ a: '1' });
    expect(form.ok && [...(form.value.file ?? [])]).toEqual([0x89, 0]);
  });

  test.each([
    ['two files', part(FILE).repeat(2), 'file'],
    [
      'a file and a text of its name',
      `${part(FILE)}${part('Content-Disposition: form-data; name="file"')}`,
      'file',
    ],
    ['a file in another field', part(FILE.replace('"file"', '"photo"')), 'photo'],
    ['a field that is given twice', part(TEXT).repeat(2), 'a'],
    ['a text that is not UTF-8', part(TEXT, '\xff'), 'a'],
    ['61 fields', part(TEXT).repeat(61), 'form'],
  ])('is refused by name with %s', (_name, parts, field) => {
    const form = parseUpload(bytes(`${parts}--x--`), TYPE, 'file');
    expect(form).toMatchObject({ ok: false, code: { error: 'field-invalid', field } });
  });
});
