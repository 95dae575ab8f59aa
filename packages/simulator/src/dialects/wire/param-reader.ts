import { type Amount, parseAmount } from '@crossbook/domain';

/** No call has more parameters; longer lists are refused unread. */
export const PARAMETERS_MAX = 64;

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** The names and values of a raw query or form, as they follow; `undefined` for what is not percent-encoded text. */
export function* queryPairs(raw: string): Generator<readonly [name: string, value: string] | undefined> {
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const cut = pair.indexOf('=');
    const name = decodePart(cut < 0 ? pair : pair.slice(0, cut));
    const value = decodePart(cut < 0 ? '' : pair.slice(cut + 1));
    yield name === undefined || value === undefined ? undefined : [name, value];
  }
}

/** A venue's words for what is wrong with a parameter. */
export interface ReaderWords<Refusal> {
  /** It must be there and is not. */
  missing(name: string): Refusal;
  /** It is not what it may be. */
  invalid(name: string): Refusal;
}

/**
 * Reads one call's parameters and keeps the first thing wrong with them, so that a handler's parser is a plain list of
 * reads and the order of the reads is the order of the checks. What a failed read returns is never used: callers look
 * at `refusal` first. A dialect adds how it reads a text, a number and a market.
 */
export abstract class BaseReader<Refusal> {
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #words: ReaderWords<Refusal>;
  #refusal: Refusal | undefined;

  constructor(values: ReadonlyMap<string, unknown>, words: ReaderWords<Refusal>, refusal?: Refusal) {
    this.#values = values;
    this.#words = words;
    this.#refusal = refusal;
  }

  /** The first thing wrong. */
  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  /** Notes a refusal unless an earlier one stands. */
  refuse(refusal: Refusal): void {
    this.#refusal ??= refusal;
  }

  /** Whether it was sent. An empty text and null count as absent, as at most venues. */
  has(name: string): boolean {
    const value = this.#values.get(name);
    return value !== undefined && value !== null && value !== '';
  }

  /** The value as it was sent. */
  raw(name: string): unknown {
    return this.#values.get(name);
  }

  /** An optional text. */
  abstract text(name: string): string | undefined;

  /** A text that must be there. */
  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined) this.refuse(this.#words.missing(name));
    return value ?? '';
  }

  /** An optional text of a form; `refusal` says what the venue answers to another. */
  pattern(name: string, form: RegExp, refusal: Refusal = this.#words.invalid(name)): string | undefined {
    const value = this.text(name);
    if (value === undefined || form.test(value)) return value;
    this.refuse(refusal);
    return undefined;
  }

  /** One of a few words; `refusal` says what the venue answers to another. */
  choice<Word extends string>(
    name: string,
    words: readonly Word[],
    refusal: Refusal = this.#words.invalid(name),
  ): Word | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) this.refuse(refusal);
    return word;
  }

  /** One of a few words, which must be there. */
  requiredChoice<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word {
    if (!this.has(name)) this.refuse(this.#words.missing(name));
    return this.choice(name, words) ?? words[0];
  }

  /** A decimal text as an amount of at most so many places; zeros before it count for nothing. */
  protected amountOf(text: string, decimalsMax?: number): Amount | undefined {
    return parseAmount(text.replace(/^0+(?=[0-9])/, ''), decimalsMax);
  }
}
