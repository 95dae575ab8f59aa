import { readFileSync } from 'node:fs';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { describe, expect, test } from 'vitest';

type Catalogue = Readonly<Record<string, string>>;

function read(path: string): Catalogue {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

/** Names of the placeholders of a text, sorted. */
function placeholders(text: string): readonly string[] {
  const names = new Set<string>();
  for (const part of compileMessage(text)) if (Array.isArray(part)) names.add(part[0]);
  return [...names].sort();
}

describe.each([
  ['shell', 'Japanese', read('en.json'), read('ja.json')],
  ['shell', 'Korean', read('en.json'), read('ko.json')],
  ['trade page', 'Japanese', read('trade/en.json'), read('trade/ja.json')],
  ['trade page', 'Korean', read('trade/en.json'), read('trade/ko.json')],
])('texts of the %s in %s', (_, _language, en, other) => {
  test('have the ids of the English ones, in the same order', () => {
    expect(Object.keys(other)).toEqual(Object.keys(en));
  });

  test('are never empty', () => {
    const empty = [...Object.entries(en), ...Object.entries(other)].filter(([, text]) => text.trim() === '');
    expect(empty).toEqual([]);
  });

  test('fill in the same placeholders', () => {
    const differing = Object.keys(en).filter(
      (id) => placeholders(en[id] ?? '').join() !== placeholders(other[id] ?? '').join(),
    );
    expect(differing).toEqual([]);
  });
});

test.each([
  ['ja', /[\u3040-\u30ff\u4e00-\u9fff]/],
  ['ko', /[\uac00-\ud7a3]/],
] as const)('sentences in %s are translated, not left in English', (language, script) => {
  const untranslated = ['', 'trade/'].flatMap((folder) =>
    Object.entries(read(`${folder}${language}.json`)).filter(
      // Names and abbreviations of the trade (BBO, IOC, "≈ {amount}") are the same everywhere.
      ([, text]) => /[a-z]{3,}.*\s.*[a-z]{3,}/i.test(text.replace(/\{[^}]*\}/g, '')) && !script.test(text),
    ),
  );
  expect(untranslated).toEqual([]);
});

test('no id is in both catalogues of a language', () => {
  const shell = read('en.json');
  expect(Object.keys(read('trade/en.json')).filter((id) => id in shell)).toEqual([]);
});
