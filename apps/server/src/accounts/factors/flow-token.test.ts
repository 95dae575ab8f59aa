import type { Caller } from '@crossbook/contract';
import { describe, expect, test } from 'vitest';
import { type CodeMatter, codeOfFlow, type FlowDeps, flowToken } from './codes.ts';

const ID = '018f0000-0000-7000-8000-000000000000';
const OTHER = '018f0000-0000-7000-8000-000000000001';
const MATTER = { target: 'ada@example.org', purpose: 'register' } as const;

/** As the rules of browsers name them, which devices.test.ts proves. */
const devices = { askerOf: async ({ device = 'a network' }: Caller) => device };
const DEPS = { key: new Uint8Array(32).fill(7), devices };
const ADA = { device: 'her browser' } as Caller;

describe('a flow token', async () => {
  const flow = await flowToken(DEPS, ADA, ID, MATTER);

  test('names the code it was given for, where it was given', async () => {
    expect(await codeOfFlow(DEPS, ADA, flow, MATTER)).toBe(ID);
  });

  // The store checks the address again; the token must hold by itself.
  test.each<[string, string, Partial<{ deps: FlowDeps; caller: Caller; matter: CodeMatter }>]>([
    ['another address', flow, { matter: { ...MATTER, target: 'eve@example.org' } }],
    ['another purpose', flow, { matter: { ...MATTER, purpose: 'recover' } }],
    ['another key', flow, { deps: { ...DEPS, key: new Uint8Array(32).fill(8) } }],
    ['another browser', flow, { caller: { device: 'his browser' } as Caller }],
    ['no browser', flow, { caller: {} as Caller }],
    ['another code', flow.replace(ID, OTHER), {}],
    ['a longer token', `${flow}x`, {}],
    ['a shorter token', flow.slice(0, -1), {}],
    ['the code alone', ID, {}],
    ['nothing', '', {}],
  ])('is worth nothing with %s', async (_claim, given, { deps = DEPS, caller = ADA, matter = MATTER }) => {
    expect(await codeOfFlow(deps, caller, given, matter)).toBeUndefined();
  });
});
