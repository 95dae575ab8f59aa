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
  ['shell', read('en.json'), read('ja.json')],
  ['trade page', read('trade/en.json'), read('trade/ja.json')],
])('texts of the %s', (_, en, ja) => {
  test('both languages have the same ids in the same order', () => {
    expect(Object.keys(ja)).toEqual(Object.keys(en));
  });

  test('no text is empty', () => {
    const empty = [...Object.entries(en), ...Object.entries(ja)].filter(([, text]) => text.trim() === '');
    expect(empty).toEqual([]);
  });

  test('a text has the same placeholders in both languages', () => {
    const differing = Object.keys(en).filter(
      (id) => placeholders(en[id] ?? '').join() !== placeholders(ja[id] ?? '').join(),
    );
    expect(differing).toEqual([]);
  });
});

test('no id is in both catalogues of a language', () => {
  const shell = read('en.json');
  expect(Object.keys(read('trade/en.json')).filter((id) => id in shell)).toEqual([]);
});
