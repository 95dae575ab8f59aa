import { expect, test } from 'vitest';
import { codeOfMail } from './outbox.ts';

test.each([
  ['Crossbook: log-in code 4821', 'Your code: 4821', '4821'],
  ['Crossbook: log-in code', 'Your code: 123456789012\nIt is valid for 30 minutes.', '123456789012'],
  ['Crossbook', '認証コード: 0042\n有効期限は30分です。', '0042'],
  ['Text message', 'Crossbook: 7310, valid 30 minutes.', '7310'],
  ['Crossbook: your password was changed', 'When: 2026-11-22T12:30:00.000Z\nFrom: 127.0.0.1', undefined],
  ['Crossbook: new browser', 'From: 2001:db8::1234\nhttp://127.0.0.1:3000/freeze#1234-5678', undefined],
])('the code of "%s" is found, and nothing else for one', (subject, body, code) => {
  expect(codeOfMail({ subject, body })).toBe(code);
});
