import { describe, expect, test } from 'vitest';
import { CAUSES as BINANCE } from './binance/account/causes.ts';
import { CAUSES as BYBIT } from './bybit/account/causes.ts';
import { CAUSES as OKX } from './okx/account/causes.ts';
import { causeOfRefusal } from './refusal-causes.ts';

describe('the cause of a refusal', () => {
  test.each([
    ['-2019', 'Margin is insufficient.', 'balance-insufficient'],
    ['51008', '', 'balance-insufficient'],
    ['110007', 'ab not enough for new order', 'balance-insufficient'],
    ['-2010', 'Account has insufficient balance for requested action.', 'balance-insufficient'],
    ['-1013', 'Filter failure: PERCENT_PRICE_BY_SIDE', 'price-band'],
    ['-4131', '', 'price-band'],
    ['51006', '', 'price-band'],
    ['170193', '', 'price-band'],
    ['-2027', '', 'tier-exceeded'],
    ['59102', '', 'tier-exceeded'],
    ['110089', '', 'tier-exceeded'],
    ['-2022', 'ReduceOnly Order is rejected.', 'nothing-to-reduce'],
    ['51169', '', 'nothing-to-reduce'],
    ['110017', '', 'nothing-to-reduce'],
    ['51112', '', 'close-too-large'],
    ['-2010', 'Order would immediately match and take.', 'post-only-crosses'],
    ['-5022', '', 'post-only-crosses'],
    ['EC_PostOnlyWillTakeLiquidity', '', 'post-only-crosses'],
    ['-2021', 'Order would immediately trigger.', 'trigger-now'],
    ['-2010', 'Stop price would trigger immediately.', 'trigger-now'],
    ['51279', '', 'trigger-now'],
    ['110093', '', 'trigger-now'],
    ['-4045', '', 'algo-limit'],
    ['110009', '', 'algo-limit'],
    ['51174', '', 'order-limit'],
    ['-2025', '', 'order-limit'],
    ['110020', '', 'order-limit'],
    ['170810', '', 'order-limit'],
    ['-1013', 'Filter failure: MAX_NUM_ORDERS', 'order-limit'],
    ['-4161', '', 'lower-leverage-isolated'],
    ['-4067', '', 'mode-blocked'],
    ['59000', '', 'mode-blocked'],
    ['110028', '', 'mode-blocked'],
    ['3400054', '', 'mode-blocked'],
    ['3400071', '', 'balance-insufficient'],
    ['51400', '', 'order-gone'],
    ['110001', '', 'order-gone'],
    ['-1015', 'Too many new orders.', 'rate-limit'],
    ['50061', '', 'rate-limit'],
    ['10006', 'Too many visits!', 'rate-limit'],
    // A row that ended at the exchange has words alone.
    [undefined, 'Margin is insufficient.', 'balance-insufficient'],
    [undefined, 'Reduce Only reject', 'nothing-to-reduce'],
  ])('%s "%s" is %s', (code, words, cause) => {
    expect(causeOfRefusal(code, words)).toBe(cause);
  });

  test.each([
    ['-1013', 'Filter failure: NOTIONAL'],
    // Half of a replacement on a pair: it says nothing of closing.
    ['-2022', 'Order cancel-replace failed.'],
    ['51000', 'insufficient balance'],
    ['HTTP 403', 'insufficient balance'],
    [undefined, ''],
  ])('%s "%s" has none', (code, words) => expect(causeOfRefusal(code, words)).toBeUndefined());

  test('no code means two things', () => {
    const codes = [BINANCE, OKX, BYBIT].flatMap((table) => [...table.keys()]);
    expect(new Set(codes).size).toBe(codes.length);
  });
});
