import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isTransferReason, refusalText, transferReasonText } from './index.ts';

const ENGLISH = /[a-z]{2,}(?<!USDT)/;
const REASONS = [
  'the exchange refused it',
  'the exchange never received it',
  'no account at the exchange',
  'the exchange is too busy',
  'the service does not have enough USDT at OKX at the moment',
  'budget of the exchange used up, again in 3 s',
];

test.each(REASONS)('"%s" is told in three languages, without English in two of them', (reason) => {
  expect(isTransferReason(reason)).toBe(true);
  expect(transferReasonText(reason, 'en')).toMatch(/[a-z]\.$/);
  for (const language of ['ja', 'ko'] as const)
    expect(transferReasonText(reason, language)).not.toMatch(ENGLISH);
});

test.each(['Insufficient balance of 4711@operator.example', '', 'connect ECONNREFUSED 10.0.0.7:5432'])(
  'an exchange’s own words, %j, are shown to nobody',
  (words) => {
    expect(isTransferReason(words)).toBe(false);
    for (const language of ['en', 'ja', 'ko'] as const) {
      const text = refusalText({ error: 'transfer-refused', given: words }, language);
      if (words !== '') expect(text).not.toContain(words);
      expect(text).toContain(transferReasonText('the exchange refused it', language));
    }
  },
);

test('what the wallets refuse for is in the list', () => {
  const source = readFileSync(
    new URL('../../../apps/server/src/wallets/transfer-intent.ts', import.meta.url),
    'utf8',
  );
  const said = [...source.matchAll(/\b(?:reason \?\?|message =|message:|const reason =) ['`]([^'`]+)['`]/g)];
  const reasons = said.map(([, text = '']) => text.replaceAll(/\$\{[^}]*\}/g, 'OKX'));
  expect(reasons).toHaveLength(4);
  expect(reasons.filter((reason) => !isTransferReason(reason))).toEqual([]);
});
