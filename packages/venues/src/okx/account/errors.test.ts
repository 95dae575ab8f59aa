import { describe, expect, test } from 'vitest';
import { answerOfHttp } from './answers.ts';
import { isDefinitive } from './errors.ts';

const definitive: [number, string | undefined][] = [
  [200, '51008'],
  [200, '51020'],
  [200, '51121'],
  [200, '51137'],
  [200, '50037'],
  [200, '50011'],
  [429, '50011'],
  [400, '51000'],
  [400, '50014'],
  [401, '50102'],
  [401, '50113'],
  [200, '60012'],
  [200, '58116'],
  [403, undefined],
  [429, undefined],
];
const ambiguous: [number, string | undefined][] = [
  [400, '50004'],
  [429, '50013'],
  [503, '50001'],
  [500, '50026'],
  [500, '51008'],
  [200, '51016'],
  [200, '50071'],
  [200, '50042'],
  [200, '51054'],
  [200, '51149'],
  [200, '51400'],
  [200, '51603'],
  [200, '58124'],
  [200, '1'],
  [200, '2'],
  [200, '57777'],
  [200, undefined],
  [400, undefined],
  [502, undefined],
];

test.each(definitive)('status %s code %s proves that nothing happened', (status, code) => {
  expect(isDefinitive({ status, code, message: '' })).toBe(true);
});

test.each(ambiguous)('status %s code %s proves nothing', (status, code) => {
  expect(isDefinitive({ status, code, message: '' })).toBe(false);
});

describe('an answer', () => {
  const envelopes: [string, number, object | string, object][] = [
    ['of code 0', 200, { code: '0', msg: '', data: [{}] }, { kind: 'result', rows: [{}] }],
    [
      'of code 1 is read by its item',
      200,
      { code: '1', msg: 'All operations failed', data: [{ sCode: '51008', sMsg: 'no money' }] },
      { kind: 'error', error: { status: 200, code: '51008', message: 'no money' }, ofItem: true },
    ],
    [
      'of code 0 above a refused item is a refusal',
      200,
      { code: '0', msg: '', data: [{ sCode: '51000', sMsg: '' }] },
      { kind: 'error', error: { status: 200, code: '51000', message: '' }, ofItem: true },
    ],
    [
      'of code 1 above a good item proves nothing',
      200,
      { code: '1', msg: '', data: [{ sCode: '0', ordId: '1' }] },
      { kind: 'error', error: { status: 200, code: '1', message: '' } },
    ],
    [
      'of code 0 behind a server error proves nothing',
      500,
      { code: '0', msg: '', data: [{}] },
      { kind: 'error', error: { status: 500, code: undefined, message: '' } },
    ],
    ['without data is lost', 200, { code: '0', msg: '' }, { kind: 'lost', why: 'unreadable answer' }],
    [
      'with a number for a code is lost',
      200,
      { code: 0, data: [] },
      { kind: 'lost', why: 'unreadable answer' },
    ],
    ['of a proxy is lost', 200, '<html>', { kind: 'lost', why: 'unreadable answer' }],
    [
      'of a firewall keeps its status',
      403,
      '<html>',
      { kind: 'error', error: { status: 403, code: undefined, message: '' } },
    ],
  ];
  test.each(envelopes)('%s', (_name, status, body, expected) => {
    expect(answerOfHttp(status, typeof body === 'string' ? body : JSON.stringify(body))).toEqual(expected);
  });
});

const onContracts: [string, boolean][] = [
  ['51169', true],
  ['51112', true],
  ['50019', true],
  ['59000', true],
  ['59102', true],
  ['59301', true],
  ['51016', false],
  ['50026', false],
];
test.each(onContracts)('of contracts, code %s: %s', (code, proves) => {
  expect(isDefinitive({ status: 200, code, message: '' })).toBe(proves);
});
