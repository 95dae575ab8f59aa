import { expect } from 'vitest';

/** One test as its file registered it, with what runs around it. */
export interface RegisteredTest {
  readonly name: string;
  run(): Promise<void>;
}

type Body = (...row: never[]) => unknown;
type Around = () => unknown;

/** What a file has registered so far; hooks of an outer block are those of an inner one as well. */
let registered: RegisteredTest[] = [];
let before: readonly Around[] = [];
let after: readonly Around[] = [];

/** Everything registered since the last call. */
export function takeRegistered(): readonly RegisteredTest[] {
  const taken = registered;
  registered = [];
  before = [];
  after = [];
  return taken;
}

function test(name: string, body: Body): void {
  const around = { before, after };
  registered.push({
    name,
    run: async () => {
      for (const hook of around.before) await hook();
      try {
        await body();
      } finally {
        for (const hook of around.after) await hook();
      }
    },
  });
}

function describe(_name: string, block: Body): void {
  const outer = { before, after };
  block();
  before = outer.before;
  after = outer.after;
}

function eachOf(register: (name: string, body: Body) => void) {
  return (rows: readonly unknown[]) =>
    (name: string, body: (...row: unknown[]) => unknown): void => {
      for (const row of rows) register(name, () => (Array.isArray(row) ? body(...row) : body(row)));
    };
}

test.each = eachOf(test);
describe.each = eachOf(describe);

function beforeEach(hook: Around): void {
  before = [...before, hook];
}

function afterEach(hook: Around): void {
  after = [...after, hook];
}

export { afterEach, beforeEach, describe, expect, test };
