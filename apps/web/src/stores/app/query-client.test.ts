import { expect, test } from 'vitest';
import { forgetMember, queryClient } from './query-client.ts';

test('what was read for a member leaves the page with the session; what everybody may read stays', () => {
  const ofMember = [
    ['security', 'sessions', 7],
    [7, 'fills'],
    ['pending authenticator', 7],
    ['referrals', 7],
  ];
  const ofAll = [
    ['contents', 'event', 'en'],
    ['countries', 'en'],
  ];
  for (const key of [...ofMember, ...ofAll]) queryClient.setQueryData(key, ['read']);
  forgetMember();
  expect(
    queryClient
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey),
  ).toEqual(ofAll);
});
