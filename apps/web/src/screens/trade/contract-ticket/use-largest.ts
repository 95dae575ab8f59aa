import { formatAmount, mulDown, ORDER_TYPE, parseAmount } from '@crossbook/domain';
import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import {
  type ContractFacts,
  type LargestSize,
  largestContractSize,
} from '../../../calculators/contracts/contract-summary.ts';
import {
  type ContractTicketState,
  effectOfOrder,
  onlyCloses,
} from '../../../calculators/contracts/contract-ticket.ts';
import { entryAmount } from '../../../calculators/ticket/number-entry.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import { availableOpen } from '../../../stores/trading/contracts/contract-calls.ts';

/** The ticket counts as resting after this long without a change; then the hub is asked. */
const REST_MILLIS = 600;
/** An answer of the hub holds no longer than this: the market moves on. */
const ANSWER_MILLIS_MAX = 10_000;

/** What the hub would be asked, as one text; `undefined` where our own figure is enough. */
function questionOf(state: ContractTicketState, facts: ContractFacts): string | undefined {
  const { setting, margin, instrument, waitsFor } = facts;
  if (setting === undefined || margin === undefined || onlyCloses(state, setting)) return undefined;
  // The hub says what may be opened now.
  if (waitsFor !== undefined) return undefined;
  const price = state.type === ORDER_TYPE.LIMIT ? entryAmount(state.price) : undefined;
  if (state.type === ORDER_TYPE.LIMIT && (price === undefined || price % instrument.tickSize !== 0n)) {
    return undefined;
  }
  const effect = effectOfOrder(state, setting);
  const { marginMode, leverageLong, leverageShort } = setting;
  return JSON.stringify([
    ...[state.side, effect, price === undefined ? null : formatAmount(price)],
    ...[instrument.platform, instrument.symbol, marginMode, leverageLong, leverageShort, margin.updatedAt],
  ]);
}

/** The largest size of the armed side: by our own estimate while the ticket changes, by the hub when it rests. */
export function useLargest(
  ticket: ContractTicketState,
  facts: ContractFacts,
): (state: ContractTicketState, now: ContractFacts) => LargestSize | undefined {
  const member = useStore(sessionStore, isMember);
  const question = member ? questionOf(ticket, facts) : undefined;
  const [known, setKnown] = useState<{ readonly question: string; readonly largest: LargestSize }>();
  const { instrument } = facts;
  useEffect(() => {
    if (question === undefined) return;
    let gone = false;
    const ask = async (): Promise<void> => {
      const [side, effect, price] = JSON.parse(question) as [1 | 2, 0 | 1 | 2, string | null];
      const answer = await availableOpen(instrument, { side, effect, ...(price === null ? {} : { price }) });
      const quantity = answer === undefined ? undefined : parseAmount(answer.quantity);
      if (gone || answer === undefined || quantity === undefined) return;
      const bound = answer.bound === 'none' ? 'margin' : answer.bound;
      setKnown({ question, largest: { size: mulDown(quantity, instrument.contractValue), bound } });
    };
    const resting = setTimeout(() => void ask(), REST_MILLIS);
    const again = setInterval(() => document.visibilityState === 'visible' && void ask(), ANSWER_MILLIS_MAX);
    return () => {
      gone = true;
      clearTimeout(resting);
      clearInterval(again);
      setKnown(undefined);
    };
  }, [question, instrument]);
  return useCallback(
    (state, now) =>
      known !== undefined && known.question === questionOf(state, now)
        ? known.largest
        : largestContractSize(state, now),
    [known],
  );
}
