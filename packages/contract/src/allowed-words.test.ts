import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { refusalText } from './index.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Every source file below a folder. */
function sourcesOf(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$|testing/.test(file))
    .map((file) => join(ROOT, folder, file));
}

const LITERAL = String.raw`(?:'((?:[^'\\]|\\.)*)'|\`([^\`]*)\`|"([^"]*)")`;
/** Where features say what is allowed: `allowed: '...'`, and the helpers that name a field and then it. */
const SAYS = [
  new RegExp(String.raw`\ballowed: ${LITERAL}`, 'g'),
  new RegExp(String.raw`\b(?:wrong|not)\((?:'[\w-]+'|kind), ${LITERAL}`, 'g'),
  new RegExp(String.raw`\breturn not\(${LITERAL}\)`, 'g'),
];
/** In a file of rules a returned sentence is what is allowed. */
const RULE = /\breturn (?:limit === undefined \? )?'([^']* [^']*)'/g;
const DESCRIBED = new RegExp(String.raw`\.describe\(\s*${LITERAL},?\s*\)`, 'g');
const COMMENT = /\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** A template as it comes out, with a figure or a name where it has a place. */
function filled(text: string): string {
  return text
    .replaceAll(/\$\{[^}]*(?:change|kind|by|strange|algoType)[^}]*\}/g, 'modifyemail')
    .replaceAll(/\$\{[^}]*\}/g, '7');
}

function literalsOf(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, single, template, double]) =>
    filled(single ?? template ?? double ?? ''),
  );
}

/** All sentences that may stand as `allowed`, as the sources have them. */
function sentences(): readonly string[] {
  const found = new Set<string>();
  for (const file of sourcesOf('apps/server/src')) {
    if (/config|main\.ts$/.test(file)) continue;
    const text = readFileSync(file, 'utf8').replaceAll(COMMENT, '');
    for (const pattern of SAYS) for (const said of literalsOf(text, pattern)) found.add(said);
  }
  for (const file of sourcesOf('packages/domain/src/order-rules')) {
    const text = readFileSync(file, 'utf8').replaceAll(COMMENT, '');
    for (const said of [...literalsOf(text, RULE), ...literalsOf(text, SAYS[2] as RegExp)]) found.add(said);
  }
  for (const file of sourcesOf('packages/contract/src/schema')) {
    const text = readFileSync(file, 'utf8').replaceAll(COMMENT, '').replaceAll(DESCRIBED, '');
    // What has a space in it is a sentence; names and enums of the wire have none.
    for (const said of literalsOf(text, new RegExp(LITERAL, 'g'))) if (/\S \S/.test(said)) found.add(said);
  }
  return [...found].sort();
}

/** Words that only a sentence of ours has; names, figures and enums of the wire stay in every language. */
const ENGLISH =
  /\b(?:a|an|the|of|one|at|least|most|required|to|from|or|and|not|such|as|with|only|needed|text|characters|letters|digits|number|before|is|are|for|that|has|this)\b/i;

const all = sentences();

describe('what is allowed', () => {
  test('is found where the sources say it', () => {
    expect(all.length).toBeGreaterThan(70);
    for (const known of ['a market order has no price', 'not empty', 'a passport has none', 'at most 7'])
      expect(all).toContain(known);
  });

  test.each(all)('"%s" is said in Japanese and Korean without English', (allowed) => {
    for (const language of ['ja', 'ko'] as const) {
      const text = refusalText({ error: 'field-invalid', field: 'x', allowed }, language);
      // Names of the wire and of the trade.
      expect(text.replaceAll(/one-way|Post-only/g, '')).not.toMatch(ENGLISH);
      // The words are there, not left out.
      expect(text.length).toBeGreaterThan(
        refusalText({ error: 'field-invalid', field: 'x' }, language).length,
      );
    }
  });

  test.each([
    ...['English', 'Japanese', 'Korean'].flatMap((of) => [`the title in ${of}`, `the text in ${of}`]),
    'an end after its beginning',
  ])('what a draft lacks, "%s", is named in Japanese and Korean without English', (given) => {
    for (const language of ['ja', 'ko'] as const) {
      const words = refusalText({ error: 'content-incomplete', given }, language);
      expect(words).not.toMatch(/[A-Za-z]/);
      expect(words.length).toBeGreaterThan(refusalText({ error: 'content-incomplete' }, language).length);
    }
  });

  test('keeps figures and the names of the wire', () => {
    const say = (allowed: string, language: 'en' | 'ja' | 'ko') =>
      refusalText({ error: 'field-invalid', field: 'side', allowed }, language);
    expect(say('one of buy, sell', 'en')).toBe('The value of "side" is not valid: one of buy, sell.');
    expect(say('one of buy, sell', 'ja')).toContain('次のいずれか: buy, sell');
    expect(say('at most 20 characters', 'ko')).toContain('20자 이하');
    expect(refusalText({ error: 'price-range', allowed: '0.01 and 100000' }, 'ja')).toContain('0.01〜100000');
  });
});
