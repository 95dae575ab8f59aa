import { expect, test } from 'vitest';
import { isDefinitive, isGone } from './errors.ts';

const definitive: [number, number | undefined, string][] = [
  [200, 10_001, 'params error: qty invalid'],
  [200, 10_002, 'invalid request, please check your server timestamp or recv_window param'],
  [200, 10_003, 'API key is invalid.'],
  [200, 10_004, 'Error sign, please check your signature generation algorithm.'],
  [401, 10_003, 'API key is invalid.'],
  [200, 10_006, 'Too many visits!'],
  [200, 170_131, 'Insufficient balance.'],
  [200, 170_140, 'Order value exceeded lower limit.'],
  [403, undefined, ''],
  [429, undefined, ''],
];
const ambiguous: [number, number | undefined, string][] = [
  [200, 10_000, 'Server Timeout'],
  [200, 10_007, 'Response timeout from backend server.'],
  [200, 10_014, 'Invalid duplicate request.'],
  [200, 10_016, 'Internal System Error.'],
  [200, 10_019, 'Trade service is restarting.'],
  [200, 20_006, 'reqId is duplicated'],
  [200, 10_001, 'orderLinkId already exists'],
  [200, 110_072, 'OrderLinkedID is duplicate'],
  [200, 170_141, 'Duplicate clientOrderId'],
  [200, 170_007, 'Timeout waiting for response from backend server.'],
  [200, 110_001, 'Order does not exist'],
  [200, 170_213, 'Order does not exist.'],
  [200, 999_999, 'something new'],
  [500, 170_131, 'Insufficient balance.'],
  [502, undefined, ''],
  [401, undefined, ''],
  [404, undefined, ''],
];

test.each(definitive)('status %s code %s "%s" proves that nothing happened', (status, code, message) => {
  expect(isDefinitive({ status, code, message })).toBe(true);
});

test.each(ambiguous)('status %s code %s "%s" proves nothing', (status, code, message) => {
  expect(isDefinitive({ status, code, message })).toBe(false);
});

test.each([110_001, 110_008, 110_010, 170_142, 170_143, 170_213])(
  '%s answers a cancel with "gone", unless the server itself failed',
  (code) => {
    expect(isGone({ status: 200, code, message: '' })).toBe(true);
    expect(isGone({ status: 500, code, message: '' })).toBe(false);
  },
);

const onContracts: [number, string, boolean][] = [
  [110_017, 'current position is zero, cannot fix reduce-only order qty', true],
  [110_013, 'Cannot set leverage due to risk limit level', true],
  [110_024, 'You have an existing position, so the position mode cannot be switched', true],
  [110_028, 'You have existing open orders, so the position mode cannot be switched', true],
  [110_090, 'order qty cannot exceed the limit of the current leverage', true],
  // That it is so already is a success, not a refusal; an order id in use may be that of an order that lives.
  [110_025, 'Position mode has not been modified', false],
  [110_043, 'Set leverage has not been modified', false],
  [110_072, 'OrderLinkedID is duplicate', false],
];
test.each(onContracts)('of contracts, code %s "%s": %s', (code, message, proves) => {
  expect(isDefinitive({ status: 200, code, message })).toBe(proves);
});
