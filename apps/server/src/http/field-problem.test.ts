import { refusalText } from '@crossbook/contract';
import { ADMIN_SCHEMAS, CALL_SCHEMAS } from '@crossbook/contract/schema';
import { MEMO_RULES } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { fieldProblem } from './field-problem.ts';

/** Values of every kind, each wrong for most fields. */
const HOSTILE = [
  '',
  '-1',
  '0',
  'x',
  'x'.repeat(20_000),
  '999999999999',
  '1e3',
  '{}',
  '[1]',
  '\u0000',
  7,
  true,
  {},
  [],
];
const ENGLISH =
  /\b(?:a|an|the|of|one|at|least|most|required|or|and|such|as|expected|invalid|input|received|string|number)\b/i;

/** Lists of values that look like English words. */
const WIRE = ['one-way', MEMO_RULES.join(', ')];

const calls = Object.entries({ ...CALL_SCHEMAS, ...ADMIN_SCHEMAS });

describe('a field that is not valid', () => {
  test.each(calls)('of %s is named in Japanese and Korean without English', (_call, { request }) => {
    const fields = Object.keys('shape' in request ? (request.shape as object) : {});
    const tried: Record<string, unknown>[] = [{}, { unknownField: '1' }];
    for (const field of fields) for (const value of HOSTILE) tried.push({ [field]: value });
    for (const given of tried) {
      const parsed = request.safeParse(given);
      if (parsed.success) continue;
      // Each problem alone, not only the first one.
      for (const issue of parsed.error.issues) {
        const problem = fieldProblem({ ...parsed.error, issues: [issue] } as never, given);
        for (const language of ['ja', 'ko'] as const) {
          const { field = '', ...rest } = problem;
          expect(field).not.toBe('');
          // Values of the wire stay as they are.
          const said = WIRE.reduce(
            (text, value) => text.replaceAll(value, ''),
            refusalText({ ...rest, field: '-' }, language),
          );
          expect(said, `${field}: ${problem.allowed}`).not.toMatch(ENGLISH);
        }
      }
    }
  });
});
