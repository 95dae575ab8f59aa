import { expect, test } from 'vitest';
import { listsStatus } from './list-status.ts';

test.each([
  { of: 'nothing read yet', status: {}, any: false, is: { status: 'loading', unread: [] } },
  {
    of: 'one read and empty',
    status: { 1: 'ready' },
    any: false,
    is: { status: 'loading', unread: [] },
  },
  {
    of: 'rows of one, the other on its way',
    status: { 1: 'ready' },
    any: true,
    is: { status: 'ready', unread: [] },
  },
  {
    of: 'rows of one, the other failed',
    status: { 1: 'ready', 2: 'failed' },
    any: true,
    is: { status: 'ready', unread: [2] },
  },
  {
    of: 'one empty, the other failed',
    status: { 1: 'ready', 2: 'failed' },
    any: false,
    is: { status: 'ready', unread: [2] },
  },
  {
    of: 'both failed',
    status: { 1: 'failed', 2: 'failed' },
    any: false,
    is: { status: 'failed', unread: [] },
  },
] as const)('$of: half a list never looks whole', ({ status, any, is }) => {
  expect(listsStatus(status, [1, 2], any)).toEqual(is);
});
