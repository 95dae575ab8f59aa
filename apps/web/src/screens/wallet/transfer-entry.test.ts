import { amount, type Platform } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { type TransferChoice, transferChoice, transferProblem, transferRequest } from './transfer-entry.ts';

test.each([
  ['', 'transfer.amountInvalid'],
  ['0', 'transfer.amountInvalid'],
  ['-1', 'transfer.amountInvalid'],
  ['1e3', 'transfer.amountInvalid'],
  ['10.000000000000000001', 'transfer.amountTooMuch'],
  ['10', undefined],
  ['10.', undefined],
  ['0.000000000000000001', undefined],
])('with 10 available, %j is %s', (text, problem) => {
  expect(transferProblem(text, amount('10'))).toBe(problem);
});

const CLOSED = { platform: 3, offered: false } as const;
const OPEN = [
  { platform: 1, offered: true },
  { platform: 2, offered: true },
] as const;
const ALL = [...OPEN, { platform: 3, offered: true }] as const;

interface Case {
  readonly asked: readonly [platform: Platform | undefined, direction: 1 | 2];
  readonly open: readonly Platform[];
  readonly held: readonly Platform[];
  readonly choice: TransferChoice;
}

test.each<[string, Case]>([
  [
    'an exchange that is coming soon and holds nothing is not there',
    { asked: [1, 2], open: [1, 2], held: [], choice: { platform: 1, direction: 2, venues: OPEN } },
  ],
  [
    'one that holds something takes nothing in',
    {
      asked: [1, 1],
      open: [1, 2],
      held: [3],
      choice: { platform: 1, direction: 1, venues: [...OPEN, CLOSED] },
    },
  ],
  [
    'and gives out',
    { asked: [3, 2], open: [1, 2], held: [3], choice: { platform: 3, direction: 2, venues: ALL } },
  ],
  [
    'swapped to go in, it gives way',
    {
      asked: [3, 1],
      open: [1, 2],
      held: [3],
      choice: { platform: 1, direction: 1, venues: [...OPEN, CLOSED] },
    },
  ],
  [
    'emptied, it stays until another is chosen',
    { asked: [3, 2], open: [1, 2], held: [], choice: { platform: 3, direction: 2, venues: ALL } },
  ],
  [
    'nothing asked for is the first open exchange',
    { asked: [undefined, 2], open: [2, 3], held: [1], choice: { platform: 2, direction: 2, venues: ALL } },
  ],
  [
    'where all are coming soon money goes out only',
    { asked: [undefined, 1], open: [], held: [2], choice: { platform: 2, direction: 2, venues: [OPEN[1]] } },
  ],
  [
    'a hub without any exchange has no choice',
    { asked: [undefined, 1], open: [], held: [], choice: { platform: undefined, direction: 1, venues: [] } },
  ],
])('%s', (_name, { asked: [platform, direction], open, held, choice }) => {
  expect(transferChoice({ platform, direction }, open, held)).toEqual(choice);
});

test.each([
  [undefined, 1, { direction: 1 }, 'funding', undefined],
  [undefined, 2, { direction: 2 }, 43, undefined],
  ['spot', 1, { direction: 1, tinstType: 1 }, 'funding', undefined],
  ['futures', 1, { direction: 1, tinstType: 2 }, 'funding', undefined],
  ['futures', 2, { direction: 2, tinstType: 2 }, 43, 'futures'],
  ['pockets', 1, { direction: 3 }, 43, 'spot'],
  ['pockets', 2, { direction: 4 }, 43, 'futures'],
] as const)('route %s, way %i asks for %j', (route, way, ...[request, source, fromPocket]) => {
  expect(transferRequest(route, 43, way)).toEqual({ request, source, fromPocket });
});
