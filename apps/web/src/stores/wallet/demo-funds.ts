import type { CallResponse } from '@crossbook/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { queryClient } from '../app/query-client.ts';
import { call } from '../member/own-service.ts';
import { sessionStore } from '../member/session.ts';
import { loadBalances } from './balances.ts';

/** How far the test funds of a platform are. */
export type DemoPlatform = CallResponse<'x/demo/Funds'>['platforms'][number];

const LOOK_EVERY_MILLIS = 1_000;

function isMoving({ state }: DemoPlatform): boolean {
  return state === 'waiting' || state === 'pending';
}

/** Asks for a demo's test funds until they are where they belong, and tells how far they are. */
export function useDemoFunds(): readonly DemoPlatform[] {
  const member = useStore(sessionStore, ({ tid }) => tid);
  const { data = [] } = useQuery(
    {
      queryKey: ['demo funds', member],
      refetchInterval: ({ state }) =>
        state.data === undefined || state.data.some(isMoving) ? LOOK_EVERY_MILLIS : false,
      queryFn: async () => {
        const answer = await call('x/demo/Funds', {}, { quiet: true });
        if (!answer.ok) throw new Error('the funds of the demo were not answered');
        return answer.data.platforms;
      },
    },
    queryClient,
  );
  const done = data.filter(({ state }) => state === 'done').map(({ platformType }) => platformType);
  const arrived = done.join();
  useEffect(() => {
    // The stream says so too, where one is open.
    for (const platformType of arrived.split(',').filter(Boolean)) {
      void loadBalances(Number(platformType) as Parameters<typeof loadBalances>[0]);
    }
  }, [arrived]);
  return data;
}
