import type { CallInput, CallResponse } from '@crossbook/contract';
import { type Platform, platformFacts } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { EMPTY_SCALED, type ScaledEntry } from '../../calculators/ticket/scaled-entry.ts';
import { newClientId } from '../app/clock.ts';
import { notify } from '../app/notices.ts';
import { call } from '../member/own-service.ts';
import { sessionStore } from '../member/session.ts';
import { sayIfUnknown } from '../member/unknown-answer.ts';
import { applyOrder, loadOpenOrders } from './orders.ts';

/** What the call needs; the idempotency key is added here. */
export type ScaledInput = Omit<CallInput<'x/trade/PlaceScaled'>, 'clientId'>;
/** What became of one of its orders. */
export type ScaledRow = CallResponse<'x/trade/PlaceScaled'>[number];

/** A scaled order that was sent and is not all at the exchange, or of which nobody knows yet. */
export interface ScaledSent {
  readonly platform: Platform;
  /** The same request, under the same id, places what is missing and nothing twice. */
  readonly request: CallInput<'x/trade/PlaceScaled'>;
  /** What the hub said last; none while it has not answered. */
  readonly rows: readonly ScaledRow[];
}

/** What of the tickets is a scaled order. */
export interface ScaledTicketState {
  /** The market that it is for, by its `marketKey`. */
  readonly market: string;
  readonly entry: ScaledEntry;
  readonly sending: boolean;
  /** Said until the member has seen it; absent where there is nothing to say. */
  readonly sent?: ScaledSent | undefined;
  /** Why nothing of it was sent. */
  readonly refused: string;
}

/** One for the trade pages. */
export const scaledTicketStore = createStore<ScaledTicketState>(() => ({
  ...{ market: '', entry: EMPTY_SCALED, sending: false, refused: '' },
}));

// What one member sent is nothing to the next.
sessionStore.subscribe((now, before) => {
  if (now.tid !== before.tid)
    scaledTicketStore.setState({ entry: EMPTY_SCALED, sent: undefined, refused: '' });
});

/** Writes some of the fields. */
export function changeScaled(change: Partial<ScaledEntry>): void {
  scaledTicketStore.setState(({ entry }) => ({ entry: { ...entry, ...change }, refused: '' }));
}

/** Another market came on screen: a price means nothing there. What was sent stays until it is seen. */
export function followScaledMarket(market: string): void {
  const { market: before, entry } = scaledTicketStore.getState();
  if (before !== market) scaledTicketStore.setState({ market, entry: { ...entry, to: '' }, refused: '' });
}

/** What became of it is seen. */
export function dismissScaled(): void {
  scaledTicketStore.setState({ sent: undefined });
}

/** Sends a scaled order. @returns whether all of it is at the exchange. */
export function sendScaled(platform: Platform, input: ScaledInput): Promise<boolean> {
  return send({ platform, request: { ...input, clientId: newClientId() }, rows: [] }, false);
}

/** The same request again: what is there is told anew, what is missing is sent. */
export async function sendMissing(): Promise<boolean> {
  const { sent } = scaledTicketStore.getState();
  return sent === undefined ? false : send(sent, true);
}

async function send(asked: ScaledSent, again: boolean): Promise<boolean> {
  if (scaledTicketStore.getState().sending) return false;
  scaledTicketStore.setState({ sending: true, refused: '' });
  const { request, platform } = asked;
  const posted = call('x/trade/PlaceScaled', request);
  const answer = await sayIfUnknown(posted, { key: `scaled ${request.clientId}`, id: 'order.unknown' });
  if (!answer.ok) {
    const refused = answer.kind === 'refused' ? answer.message : '';
    // A first request that is refused placed nothing; where one may have arrived before, its id stays.
    const sent = answer.kind === 'refused' && !again ? undefined : asked;
    scaledTicketStore.setState({ sending: false, refused, sent });
    if (answer.kind !== 'refused') void loadOpenOrders(platform);
    return false;
  }
  for (const { order } of answer.data) if (order !== null) applyOrder(order);
  const placed = answer.data.filter(({ outcome }) => outcome === 'placed').length;
  const all = placed === answer.data.length;
  if (placed > 0) {
    const values = { placed, count: answer.data.length, symbol: request.symbol };
    const detail = { id: 'trade.scaled.placed', values: { ...values, venue: platformFacts(platform).name } };
    notify('success', { id: 'order.placed' }, `scaled ${request.clientId}`, { detail });
  }
  const sent = all ? undefined : { ...asked, rows: answer.data };
  scaledTicketStore.setState({ sending: false, sent });
  return all;
}
