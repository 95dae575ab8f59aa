import { type Amount, parseAmount } from '@crossbook/domain';
import { FAULT_KINDS, type FaultPlan } from './faults.ts';

/** A JSON object of the admin API, read field by field; the first thing wrong with it is kept. */
export class AdminInput {
  readonly #fields: Record<string, unknown>;
  #problem: string | undefined;

  constructor(fields: Record<string, unknown>) {
    this.#fields = fields;
  }

  /** A sentence that names the field, what was given and what is allowed; `undefined` when all is well. */
  get problem(): string | undefined {
    return this.#problem;
  }

  text(name: string, pattern: RegExp, fallback?: string): string {
    const value = this.#fields[name] ?? fallback;
    if (typeof value === 'string' && pattern.test(value)) return value;
    return this.#refuse(name, value, `a text matching ${pattern}`, '');
  }

  word<Word extends string>(name: string, words: readonly [Word, ...Word[]], fallback?: Word): Word {
    const value = this.#fields[name] ?? fallback;
    const word = words.find((candidate) => candidate === value);
    return word ?? this.#refuse(name, value, `one of ${words.join(', ')}`, words[0]);
  }

  /** The same for a field that may be absent. */
  optionalWord<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word | undefined {
    return this.#fields[name] === undefined ? undefined : this.word(name, words);
  }

  flag(name: string): boolean {
    const value = this.#fields[name];
    return typeof value === 'boolean' ? value : this.#refuse(name, value, 'true or false', false);
  }

  number(name: string, bounds: { min: number; max: number; fallback?: number }): number {
    const value = this.#fields[name] ?? bounds.fallback;
    const fits = typeof value === 'number' && value >= bounds.min && value <= bounds.max;
    return fits
      ? value
      : this.#refuse(name, value, `a number from ${bounds.min} to ${bounds.max}`, bounds.min);
  }

  amount(name: string): Amount {
    const value = this.#fields[name];
    const parsed = typeof value === 'string' ? parseAmount(value) : undefined;
    return parsed !== undefined && parsed > 0n
      ? parsed
      : this.#refuse(name, value, 'a positive decimal number as text', 0n as Amount);
  }

  #refuse<Value>(name: string, value: unknown, allowed: string, placeholder: Value): Value {
    const given = JSON.stringify(value) ?? 'nothing';
    this.#problem ??= `${name} must be ${allowed}; given was ${given.slice(0, 80)}`;
    return placeholder;
  }
}

const COUNT_MAX = 1_000_000;
const DELAY_MILLIS_MAX = 600_000;

/** Reads a fault plan. */
export function readFaultPlan(input: AdminInput): FaultPlan {
  return {
    kind: input.word('kind', FAULT_KINDS),
    match: input.text('match', /^[\w.@/-]{0,64}$/, ''),
    count: Math.floor(input.number('count', { min: 1, max: COUNT_MAX, fallback: 1 })),
    delayMillis: input.number('delayMillis', { min: 0, max: DELAY_MILLIS_MAX, fallback: 1000 }),
    probability: input.number('probability', { min: 0, max: 1, fallback: 1 }),
    seed: Math.floor(input.number('seed', { min: 0, max: 2_147_483_647, fallback: 1 })),
  };
}
