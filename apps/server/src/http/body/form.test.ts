import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseForm, parseUrlencoded } from './form.ts';

const FORM = 'application/x-www-form-urlencoded';

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}

describe('form parsing', () => {
  test.each([
    ['', {}],
    ['a=1&b=two', { a: '1', b: 'two' }],
    ['a=1+2&b=%E6%97%A5', { a: '1 2', b: '日' }],
    ['a=', { a: '' }],
    ['a', { a: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['&&a=1&', { a: '1' }],
  ])('%j is read', (text, fields) => {
    const parsed = parseUrlencoded(text);
    expect(parsed.ok && { ...parsed.value }).toEqual(fields);
  });

  test.each([
    ['a=1&a=2', 'a', 'given once'],
    ['a=1&a=1', 'a', 'given once'],
    ['a=%zz', 'a', 'percent-encoding'],
    ['%ff=1', 'form', 'percent-encoding'],
    ['a=%00', 'a', 'NUL'],
    ['__proto__=1', '__proto__', 'a field'],
    ['a[b]=1', 'a[b]', 'a field'],
    ['%3Cscript%3E=1', '<script>', 'a field'],
    [Array.from({ length: 61 }, (_, n) => `f${n}=1`).join('&'), 'form', 'at most 60'],
  ])('%j is refused by name', (text, field, allowed) => {
    const parsed = parseUrlencoded(text);
    expect(parsed).toMatchObject({ ok: false, code: { error: 'field-invalid', field } });
    expect(!parsed.ok && parsed.code.allowed).toContain(allowed);
  });

  test('names of the object prototype are ordinary names', () => {
    const parsed = parseUrlencoded('constructor=1&toString=2&hasOwnProperty=3');
    expect(parsed.ok && Object.entries(parsed.value)).toEqual([
      ['constructor', '1'],
      ['toString', '2'],
      ['hasOwnProperty', '3'],
    ]);
  });

  test.each([
    ['application/json', '{"a":1}', 'Content-Type'],
    ['text/plain', 'a=1', 'Content-Type'],
    [undefined, 'a=1', 'Content-Type'],
    ['multipart/form-data', 'a=1', 'form'],
    ['multipart/form-data; boundary=x', '--y\r\n', 'form'],
  ])('a body of type %s is refused by name', async (type, text, field) => {
    expect(await parseForm(bytes(text), type)).toMatchObject({ ok: false, code: { field } });
  });

  test('bytes that are not UTF-8 are refused', async () => {
    expect(await parseForm(new Uint8Array([0x61, 0x3d, 0xff]), FORM)).toMatchObject({ ok: false });
  });

  test('whatever is encoded as a form comes back the same', async () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,20}$/);
    const value = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 20 }), async (fields) => {
        const parsed = await parseForm(bytes(new URLSearchParams(fields).toString()), FORM);
        expect(parsed.ok && { ...parsed.value }).toEqual({ ...fields });
      }),
      { numRuns: 200 },
    );
  });

  test('no bytes make it throw', async () => {
    const type = fc.constantFrom(FORM, 'multipart/form-data; boundary=x', 'multipart/form-data', '', 'x');
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), type, async (body, contentType) => {
        const parsed = await parseForm(new Uint8Array(body), contentType);
        expect(typeof parsed.ok).toBe('boolean');
      }),
      { numRuns: 300 },
    );
  });
});
