import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { causeText } from '@crossbook/contract';
import { REFUSAL_CAUSES } from '@crossbook/domain';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { describe, expect, test } from 'vitest';
import { englishIn } from './latin-words.fixture.ts';

type Catalogue = Readonly<Record<string, string>>;

function read(path: string): Catalogue {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

/** Where the texts of the shell and of each part lie. */
const FOLDERS = ['', 'trade/', 'later/', 'notices/', 'pages/', 'account/', 'admin/'];

/** Names of the placeholders of a text, sorted. */
function placeholders(text: string): readonly string[] {
  const names = new Set<string>();
  for (const part of compileMessage(text)) if (Array.isArray(part)) names.add(part[0]);
  return [...names].sort();
}

/** Where a language writes a figure as a word or in another way of the clock. */
const OTHERWISE = ['home.todayMeaning', 'trade.settings.oneClickBadge'];

/** Figures of a text, not those of its placeholders, nor of one and many. */
function digits(text: string): readonly string[] {
  return text.replaceAll(/\{\w+\}|\{\w+, plural.*\}/g, '').match(/\d+/g) ?? [];
}

describe.each([
  ['shell', 'Japanese', read('en.json'), read('ja.json')],
  ['shell', 'Korean', read('en.json'), read('ko.json')],
  ['trade page', 'Japanese', read('trade/en.json'), read('trade/ja.json')],
  ['trade page', 'Korean', read('trade/en.json'), read('trade/ko.json')],
  ['parts of trading read later', 'Japanese', read('later/en.json'), read('later/ja.json')],
  ['parts of trading read later', 'Korean', read('later/en.json'), read('later/ko.json')],
  ['notices', 'Japanese', read('notices/en.json'), read('notices/ja.json')],
  ['notices', 'Korean', read('notices/en.json'), read('notices/ko.json')],
  ['pages that are read', 'Japanese', read('pages/en.json'), read('pages/ja.json')],
  ['pages that are read', 'Korean', read('pages/en.json'), read('pages/ko.json')],
  ['account pages', 'Japanese', read('account/en.json'), read('account/ja.json')],
  ['account pages', 'Korean', read('account/en.json'), read('account/ko.json')],
  ['back office', 'Japanese', read('admin/en.json'), read('admin/ja.json')],
  ['back office', 'Korean', read('admin/en.json'), read('admin/ko.json')],
])('texts of the %s in %s', (_, _language, en, other) => {
  test('have the ids of the English ones, in the same order', () => {
    expect(Object.keys(other)).toEqual(Object.keys(en));
  });

  test('are never empty', () => {
    const empty = [...Object.entries(en), ...Object.entries(other)].filter(([, text]) => text.trim() === '');
    expect(empty).toEqual([]);
  });

  test('say every figure of the English ones', () => {
    const differing = Object.keys(en).filter((id) => {
      const said = digits(other[id] ?? '');
      return !OTHERWISE.includes(id) && digits(en[id] ?? '').some((digit) => !said.includes(digit));
    });
    expect(differing).toEqual([]);
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
  const untranslated = FOLDERS.flatMap((folder) =>
    Object.entries(read(`${folder}${language}.json`)).filter(
      // Names and abbreviations of the trade (BBO, IOC, "≈ {amount}") are the same everywhere.
      ([, text]) => /[a-z]{3,}.*\s.*[a-z]{3,}/i.test(text.replace(/\{[^}]*\}/g, '')) && !script.test(text),
    ),
  );
  expect(untranslated).toEqual([]);
});

/** What a text says besides its placeholders, in every case of theirs. */
function literals(parts: unknown): readonly string[] {
  if (typeof parts === 'string') return [parts];
  if (Array.isArray(parts)) {
    // A placeholder: its name, how it is formatted, and its cases.
    if (typeof parts[0] === 'string' && parts.length > 1 && typeof parts[2] === 'object')
      return Object.values(parts[2] as object).flatMap(literals);
    return parts.flatMap((part) => (Array.isArray(part) && part.length < 3 ? [] : literals(part)));
  }
  return [];
}

test.each(['ja', 'ko'])('no English word is left in a text in %s', (language) => {
  const left = FOLDERS.flatMap((folder) =>
    Object.entries(read(`${folder}${language}.json`)).flatMap(([id, text]) =>
      literals(compileMessage(text))
        .flatMap(englishIn)
        .map((word) => `${id}: ${word}`),
    ),
  );
  expect(left).toEqual([]);
});

test.each([
  ['保存 Save', ['Save']],
  ['{count, plural, one {#件 left} other {#件}}', ['left']],
  ['{by, select, mark {マーク価格} other {last}}', ['last']],
  ['npm run audit -- verify を実行、{amount} USDT、a@b.org', []],
])('the search for English in %j finds %j', (text, words) => {
  expect(literals(compileMessage(text)).flatMap(englishIn)).toEqual(words);
});

test.each(['en', 'ja', 'ko'])('every text in %s is well formed', (language) => {
  const texts = FOLDERS.flatMap((folder) => Object.entries(read(`${folder}${language}.json`)));
  // What cannot be read comes back as it was, with its braces.
  const broken = texts.filter(([, text]) =>
    [compileMessage(text)].flat().some((part) => typeof part === 'string' && part.includes('{')),
  );
  expect(broken).toEqual([]);
});

test.each([
  ['en', /mail|address/, /number|text message/],
  ['ja', /メール/, /電話番号|SMS/],
  ['ko', /메일/, /번호|문자/],
] as const)(
  'whoever has no mailbox is spoken of where an account is frozen or recovered, in %s',
  (language, mailbox, number) => {
    const said = Object.entries(read(`account/${language}.json`)).filter(
      ([id, text]) => /^(?:freeze|recovery)\./.test(id) && mailbox.test(text),
    );
    expect(said.length).toBeGreaterThanOrEqual(6);
    // The Korean word for a code ends like that for a number.
    const mailAlone = said.filter(([, text]) => !number.test(text.replaceAll('인증번호', '')));
    expect(mailAlone).toEqual([]);
  },
);

test('no id is in two catalogues of a language', () => {
  const ids = FOLDERS.flatMap((folder) => Object.keys(read(`${folder}en.json`)));
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
});

const LATER = Object.keys(read('later/en.json'));
/** Texts by their whole name or by how it begins: `trade.keys.${name}`. */
const NAMED = /['`](trade\.[\w.]+)(['`$])/g;

test('every part of a screen that says what is read later brings those texts along', () => {
  const source = fileURLToPath(new URL('../', import.meta.url));
  const says = (code: string): boolean =>
    [...code.matchAll(NAMED)].some(([, name = '', end]) =>
      end === '$' ? LATER.some((id) => id.startsWith(name)) : LATER.includes(name),
    );
  const parts = globSync('screens/**/*.{ts,tsx}', { cwd: source, exclude: ['**/*.test.*'] }).map((file) => ({
    file,
    code: readFileSync(`${source}${file}`, 'utf8'),
  }));
  expect(parts.filter(({ code }) => says(code)).length).toBeGreaterThan(30);
  expect(
    parts.filter(({ code }) => says(code) && !code.includes('i18n/later-words.ts')).map(({ file }) => file),
  ).toEqual([]);
});

describe("what an exchange's refusal is called", () => {
  test.each(REFUSAL_CAUSES)('%s is one sentence in answers and in rows', (cause) => {
    for (const language of ['en', 'ja', 'ko'] as const)
      expect(read(`notices/${language}.json`)[`refusal.${cause}`]).toBe(causeText(cause, language));
  });
});
