/** Words that names do not use, with the word of docs/glossary.md that they use instead. */

/** A word that is not used, as it stands in the glossary, and the one that is. */
interface ForeignWord {
  readonly word: string;
  readonly instead: string;
}

export const FOREIGN_WORDS: readonly ForeignWord[] = [
  { word: 'wish', instead: 'request' },
  { word: 'vigil', instead: 'heartbeat monitor' },
  { word: 'dirt', instead: 'dirty levels' },
  { word: 'news', instead: 'update' },
  { word: 'purse', instead: 'account type' },
  { word: 'told', instead: 'reported, confirmed or sent' },
  { word: 'figure', instead: 'metric, stats or format' },
];

/** Names in which a good word stands for something else: a time for which we say deadline, a lookup. */
const FOREIGN_NAMES: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /\bfenceCloses\w*|\bfencedUntil\b/, instead: 'deadline' },
  {
    pattern: /\b(?:needsLook|lookSoon|lookNow|firstLook|LookOutcome|LookQueue)(?![a-z])/,
    instead: 'lookup',
  },
];

/** Matches a word as one part of a name: `newsOf`, `barNews`, `BAR_NEWS`, not `newState` or `newsletter`. */
function asPart(word: string): RegExp {
  const [first = '', ...rest] = word;
  const capital = first.toUpperCase() + rest.join('');
  const plural = '(?:e?s)?';
  return new RegExp(
    `(?<![A-Za-z])${word}${plural}(?![a-z])|${capital}${plural}(?![a-z])|(?<![A-Z])${word.toUpperCase()}(?:E?S)?(?![A-Za-z])`,
  );
}

const PATTERNS = [
  ...FOREIGN_WORDS.map(({ word, instead }) => ({ pattern: asPart(word), instead })),
  ...FOREIGN_NAMES,
];

/** What stands between quotes is text or somebody else's name. */
function namesOf(line: string): string {
  return line
    .replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''")
    .replace(/`(?:[^`\\]|\\.)*`/g, '``')
    .replace(/(?<!:)\/\/.*$/, '')
    .replace(/\/(?:[^/\\\s]|\\.)+\/[a-z]*/g, '//');
}

/** The words that a line of code, or the name of a file, should use instead of those it uses. */
export function foreignWordsIn(line: string): readonly string[] {
  const names = namesOf(line);
  return PATTERNS.filter(({ pattern }) => pattern.test(names)).map(({ instead }) => instead);
}
