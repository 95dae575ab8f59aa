import { expect, test } from 'vitest';
import { queryClient } from '../app/query-client.ts';
import { ADMIN_KEY, adminSession, endAdminSession } from './admin-service.ts';

test('the end of a session forgets what its admin has read, though nobody answers, and nothing else', async () => {
  adminSession.setState({ token: 'a token' });
  queryClient.setQueryData([ADMIN_KEY, 'member', 7], { email: 'm***' });
  queryClient.setQueryData([ADMIN_KEY, 'audit'], { pages: [] });
  queryClient.setQueryData(['tickers'], []);
  await endAdminSession();
  expect(adminSession.getState().token).toBeUndefined();
  expect(queryClient.getQueriesData({}).map(([key]) => key)).toEqual([['tickers']]);
});
