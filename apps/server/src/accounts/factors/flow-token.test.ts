import { describe, expect, test } from 'vitest';
import { codeOfFlow, flowToken } from './codes.ts';

const KEY = new Uint8Array(32).fill(7);
const ID = '018f0000-0000-7000-8000-000000000000';
const OTHER = '018f0000-0000-7000-8000-000000000001';
const TARGET = 'ada@example.org';

describe('a flow token', () => {
  const flow = flowToken(KEY, ID, TARGET, 'register');

  test('names the code it was given for', () => {
    expect(codeOfFlow(flow, TARGET, 'register', KEY)).toBe(ID);
  });

  // The store checks the address again; the token must hold by itself.
  test.each([
    ['another address', flow, 'eve@example.org', KEY],
    ['another key', flow, TARGET, new Uint8Array(32).fill(8)],
    ['another code', flow.replace(ID, OTHER), TARGET, KEY],
    ['a longer token', `${flow}x`, TARGET, KEY],
    ['a shorter token', flow.slice(0, -1), TARGET, KEY],
    ['the code alone', ID, TARGET, KEY],
    ['nothing', '', TARGET, KEY],
  ])('is worth nothing with %s', (_claim, given, target, key) => {
    expect(codeOfFlow(given, target, 'register', key)).toBeUndefined();
  });
});
