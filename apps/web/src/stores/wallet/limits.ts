import type { CallResponse } from '@crossbook/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { queryClient } from '../app/query-client.ts';
import { call } from '../member/own-service.ts';
import { sessionStore } from '../member/session.ts';

/** What each tier may do, and what the member has used of it. */
export type Limits = CallResponse<'x/account/Limits'>;
/** One thing that may be limited. */
export type LimitRow = Limits['rows'][number];

const LIMITS_KEY = 'limits';

/** The limits of the member, read when they are shown. */
export function useLimits(): UseQueryResult<Limits> {
  const member = useStore(sessionStore, ({ tid }) => tid);
  return useQuery(
    {
      queryKey: [LIMITS_KEY, member],
      enabled: member !== undefined,
      queryFn: async () => {
        const answer = await call('x/account/Limits', {}, { quiet: true });
        if (!answer.ok) throw new Error('the limits were not answered');
        return answer.data;
      },
    },
    queryClient,
  );
}

/** Something was used of a limit. */
export function readLimitsAgain(): void {
  void queryClient.invalidateQueries({ queryKey: [LIMITS_KEY] });
}
