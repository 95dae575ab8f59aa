import { expect, test, vi } from 'vitest';
import { queryClient } from '../app/query-client.ts';
import { ADMIN_KEY, adminSession, endAdminSession, readSelf } from './admin-service.ts';

test('the end of a session forgets what its admin has read, though nobody answers, and nothing else', async () => {
  adminSession.setState({ token: 'a token' });
  queryClient.setQueryData([ADMIN_KEY, 'member', 7], { email: 'm***' });
  queryClient.setQueryData([ADMIN_KEY, 'audit'], { pages: [] });
  queryClient.setQueryData(['tickers'], []);
  await endAdminSession();
  expect(adminSession.getState().token).toBeUndefined();
  expect(queryClient.getQueriesData({}).map(([key]) => key)).toEqual([['tickers']]);
});

test.each([
  ['a token', true],
  [undefined, false],
])('with %s in this tab, a hub that knows no session is one that has ended: %s', async (token, isOver) => {
  const answer = { code: -2, msg: 'Please log in again.', data: null };
  vi.stubGlobal('fetch', async () => Response.json(answer));
  adminSession.setState({ token, self: undefined, isOver: false });
  await readSelf();
  expect(adminSession.getState()).toMatchObject({ token: undefined, isOver });
  vi.unstubAllGlobals();
});
