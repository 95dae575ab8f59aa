import { LOCAL_CODES } from '@crossbook/venues/trading';
import { describe, expect, test } from 'vitest';
import { envelopeOf } from '../http/answers.ts';
import { keptReason, reasonOfAge, refusalOfReason, reportedReason } from './venue-refusal.ts';

/** What a member reads of a refusal, and what stands under "Details". */
const reported = (refused: Parameters<typeof keptReason>[0]) =>
  envelopeOf({ ok: false, code: refusalOfReason(keptReason(refused)) }, 'en');
const row = (refused: Parameters<typeof keptReason>[0]) => reportedReason(keptReason(refused));

describe("an exchange's refusal", () => {
  test.each([
    ['-2019', 'Margin is insufficient.', 'Your Available Balance is insufficient.', 'balance-insufficient'],
    ['51008', 'Order failed.', 'Your Available Balance is insufficient.', 'balance-insufficient'],
    ['110092', 'expect Rising', 'It would have fired at once', 'trigger-now'],
    ['-4067', 'Position side cannot be changed', 'Open orders or positions prevent it.', 'mode-blocked'],
  ])('%s "%s" is told in our words, with its code', (venueCode, message, words, cause) => {
    const answer = reported({ venueCode, message });
    expect(answer.msg).toContain(words);
    expect(answer.data).toEqual({ cause, venueCode });
    expect(row({ venueCode, message })).toEqual({ reason: null, refusal: { cause, venueCode } });
  });

  test('of a filter says which one', () => {
    const refused = { venueCode: '-1013', message: 'Filter failure: NOTIONAL' };
    expect(reported(refused).msg).toBe('The exchange refused the order: -1013 NOTIONAL');
    expect(row(refused).refusal).toEqual({ cause: null, venueCode: '-1013 NOTIONAL' });
  });

  test.each([
    ['-2015', 'Invalid API-key, IP, or permissions for action, request ip: 203.0.113.7'],
    ['10010', 'Unmatched IP, please check your API key bound IP addresses: 203.0.113.7'],
    ['50110', 'Your IP 203.0.113.7 is not included in your API key abcdef0123456789 whitelist'],
    ['-1013', 'Filter failure: see account 4711 at 203.0.113.7'],
  ])('%s keeps what only the operator may read: "%s"', (venueCode, message) => {
    const said = JSON.stringify([reported({ venueCode, message }), row({ venueCode, message })]);
    expect(said).toContain(venueCode);
    expect(said).not.toMatch(/203\.0\.113|abcdef|4711/);
    // The operator finds it where it is kept.
    expect(keptReason({ venueCode, message })).toContain(message);
  });

  test.each(['<b>', 'x'.repeat(60), '1; drop', '', '12345678'])(
    'with "%s" for a code has none',
    (venueCode) => expect(row({ venueCode, message: 'no' })).toEqual({ reason: 'no', refusal: null }),
  );

  test.each(Object.values(LOCAL_CODES))('%s is ours and no code of an exchange', (venueCode) => {
    expect(reported({ venueCode, message: 'not sent to the venue' }).data).toBeNull();
    expect(row({ venueCode, message: 'not sent' })).toEqual({ reason: 'not sent', refusal: null });
  });

  test('that was our own budget is told as ours', () => {
    const refused = { venueCode: 'LOCAL_RATE_LIMITED', message: 'not sent', retryAfterMillis: 2_000 };
    expect(refusalOfReason(keptReason(refused))).toEqual({ error: 'venue-budget', allowed: '2' });
  });
});

describe('a reason that was kept', () => {
  test.each([
    ['51008', { reason: null, refusal: { cause: 'balance-insufficient', venueCode: '51008' } }],
    ['EC_PostOnlyWillTakeLiquidity', { cause: 'post-only-crosses' }],
    ['Reduce Only reject', { reason: 'Reduce Only reject', refusal: { cause: 'nothing-to-reduce' } }],
    ['its position was closed', { reason: 'its position was closed', refusal: null }],
    [undefined, { reason: null, refusal: null }],
  ])('"%s" stands in its row', (reason, expected) => {
    const found = reportedReason(reason);
    expect('cause' in expected ? found.refusal : found).toMatchObject(expected);
  });

  test('of age is told as ours', () =>
    expect(refusalOfReason(reasonOfAge(5_000, 3_000))).toEqual({
      ...{ error: 'order-too-old', given: '5000', allowed: '3000' },
    }));
});
