import type { CallResponse } from '@crossbook/contract';
import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { call } from '../member/own-service.ts';
import { sessionStore } from '../member/session.ts';
import { balancesStore } from './balances.ts';

/** Over how many days a result is summed. */
export type ResultDays = '1' | '7' | '30';

const DAY_MILLIS = 86_400_000;

/** What contracts realised, and the equity; `undefined` until it was read. */
export interface ContractResultState {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly result: CallResponse<'connexfunding/GetRpnl'> | undefined;
  readonly retry: () => void;
}

/** Reads what contracts realised in the last days, again whenever a balance changed. */
export function useContractResult(days: ResultDays, now: () => number): ContractResultState {
  const member = useStore(sessionStore, ({ tid }) => tid);
  const wallets = useStore(balancesStore, (state) => state.wallets);
  const [turn, setTurn] = useState(0);
  const [read, setRead] = useState<Omit<ContractResultState, 'retry'>>({
    status: 'loading',
    result: undefined,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another member, a changed balance and a retry ask again
  useEffect(() => {
    let gone = false;
    const end = now();
    void call('connexfunding/GetRpnl', { begin: end - Number(days) * DAY_MILLIS, end }, { quiet: true }).then(
      (answer) => {
        if (gone) return;
        setRead((before) =>
          answer.ok
            ? { status: 'ready', result: answer.data }
            : { ...before, status: before.result === undefined ? 'failed' : 'ready' },
        );
      },
    );
    return () => {
      gone = true;
    };
  }, [days, now, member, wallets, turn]);
  const retry = useCallback(() => {
    setRead({ status: 'loading', result: undefined });
    setTurn((before) => before + 1);
  }, []);
  return { ...read, retry };
}
