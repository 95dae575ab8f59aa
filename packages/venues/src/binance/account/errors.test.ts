import { expect, test } from 'vitest';
import { isDefinitive } from './errors.ts';

const definitive: [number, number | undefined, string][] = [
  [400, -1013, 'Filter failure: LOT_SIZE'],
  [400, -1015, 'Too many new orders.'],
  [400, -1021, 'Timestamp for this request is outside of the recvWindow.'],
  [400, -1022, 'Signature for this request is not valid.'],
  [400, -1100, 'Illegal characters found in parameter.'],
  [400, -1111, 'Parameter has too much precision.'],
  [400, -1130, 'Data sent for parameter is not valid.'],
  [400, -2010, 'Account has insufficient balance for requested action.'],
  [401, -2014, 'API-key format invalid.'],
  [401, -2015, 'Invalid API-key, IP, or permissions for action.'],
  [403, undefined, ''],
  [418, -1003, 'Way too much request weight used; IP banned.'],
  [429, undefined, ''],
];
const ambiguous: [number, number | undefined, string][] = [
  [400, -1000, 'An unknown error occurred while processing the request.'],
  [400, -1001, 'Internal error; unable to process your request.'],
  [400, -1006, 'An unexpected response was received from the message bus. Execution status unknown.'],
  [504, -1007, 'Timeout waiting for response from backend server.'],
  [400, -1007, 'Timeout waiting for response from backend server.'],
  [503, -1008, 'Server is currently overloaded with other requests.'],
  [400, -1010, 'Market is closed.'],
  [400, -1016, 'This service is no longer available.'],
  [400, -2010, 'Duplicate order sent.'],
  [400, -2011, 'Unknown order sent.'],
  [400, -2013, 'Order does not exist.'],
  [409, -2021, 'Order cancel-replace partially failed.'],
  [400, -2022, 'Order cancel-replace failed.'],
  [500, -2010, 'Account has insufficient balance for requested action.'],
  [502, undefined, ''],
  [400, undefined, ''],
  [401, undefined, ''],
  [404, undefined, ''],
  [400, -99_999, 'something new'],
  [400, -1099, ''],
  [400, -1200, ''],
];

test.each(definitive)('status %s code %s "%s" proves that nothing happened', (status, code, message) => {
  expect(isDefinitive({ status, code, message })).toBe(true);
});

test.each(ambiguous)('status %s code %s "%s" proves nothing', (status, code, message) => {
  expect(isDefinitive({ status, code, message })).toBe(false);
});
