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

const onContracts: [number, string, boolean][] = [
  [-2019, 'Margin is insufficient.', true],
  [-2021, 'Order would immediately trigger.', true],
  [-2022, 'ReduceOnly Order is rejected.', true],
  [-2027, 'Exceeded the maximum allowable position at current leverage.', true],
  [-4048, 'Margin type cannot be changed if there exists position.', true],
  [-4061, "Order's position side does not match user's setting.", true],
  [-4164, "Order's notional must be no smaller than 5 (unless you choose reduce only).", true],
  [-5022, 'Due to the order could not be executed as maker, the Post Only order will be rejected.', true],
  [-1106, "Parameter 'reduceonly' sent when not required.", true],
  [-4116, 'ClientOrderId is duplicated.', false],
  [-1000, 'An unknown error occurred while processing the request.', false],
  [-1007, 'Timeout waiting for response from backend server.', false],
  [-2011, 'Unknown order sent.', false],
  [-2013, 'Order does not exist.', false],
  [-4046, 'No need to change margin type.', false],
];

test.each(onContracts)('of contracts, code %s "%s": %s', (code, message, definitive) => {
  expect(isDefinitive({ status: 400, code, message }, 'SWAP')).toBe(definitive);
  expect(isDefinitive({ status: 500, code, message }, 'SWAP')).toBe(false);
});
