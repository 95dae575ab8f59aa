import type { PositionRow } from '@crossbook/contract';
import { type NoticeMessage, notify } from '../../../stores/app/notices.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { sayNotDone } from '../../../stores/member/own-service.ts';
import { closeScope } from '../../../stores/trading/contracts/close-scope.ts';
import { cancelAllOrders, closePosition } from '../../../stores/trading/contracts/contract-calls.ts';
import { positionKey, positionsOf, positionsStore } from '../../../stores/trading/contracts/positions.ts';
import { reversePosition } from '../../../stores/trading/contracts/reverse-position.ts';
import { cancelOrder } from '../../../stores/trading/order-calls.ts';
import { ordersStore } from '../../../stores/trading/orders.ts';
import { tradablePlatforms } from '../../../stores/trading/use-keep-live.ts';

/** What trading keys do. Each says what became of it; what orders and positions say of themselves is not said twice. */

const NO_ANSWER = { id: 'trade.position.noAnswer' } as const;

function sayNothingThere(): void {
  notify('info', { id: 'trade.keys.nothing' }, 'keys');
}

/** Open orders of the market on screen, the newest first. */
function openHere({ platform, symbolType, symbol }: ListedInstrument) {
  return [...ordersStore.getState().open.values()]
    .filter((row) => row.exchange === platform && row.symbolType === symbolType && row.symbol === symbol)
    .toSorted((left, right) => right.createdAt - left.createdAt);
}

/** Cancels the newest open order of the market on screen. */
export async function cancelLast(instrument: ListedInstrument): Promise<void> {
  const newest = openHere(instrument).find((row) => !row.cancelPending);
  if (newest === undefined) sayNothingThere();
  else await cancelOrder(newest);
}

type CancelAnswers = readonly Awaited<ReturnType<typeof cancelAllOrders>>[];

/** That a call was not answered; that it was refused its toast has said. */
function sayFailed(answer: { readonly kind: 'refused' | 'silent' }, unknown: NoticeMessage): void {
  if (answer.kind === 'silent') notify('error', unknown);
}

function sayCancels(answers: CancelAnswers): void {
  if (answers.every((answer) => answer.ok && answer.data.length === 0)) sayNothingThere();
  for (const answer of answers) {
    if (!answer.ok) sayFailed(answer, { id: 'order.cancelUnknown' });
    else
      for (const { outcome, reason, orderId } of answer.data) {
        if (outcome === 'refused') notify('error', { text: reason ?? '' }, orderId);
      }
  }
}

/** Cancels every open order of the market on screen. */
export async function cancelHere(instrument: ListedInstrument): Promise<void> {
  sayCancels([await cancelAllOrders(instrument.platform, instrument)]);
}

/** Cancels every open order at every exchange; none waits for another. */
export async function cancelEverywhere(): Promise<void> {
  sayCancels(await Promise.all(tradablePlatforms().map((platform) => cancelAllOrders(platform))));
}

/**
 * The position that a key is about: that of the row with the focus, else the only one of the contract on screen.
 * Where it has several the member is told to choose a row.
 */
export function positionMeant({ platform, symbol }: ListedInstrument): PositionRow | undefined {
  const state = positionsStore.getState();
  const row = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row;
  const focused = [...state.open.values()].find((position) => positionKey(position) === row);
  if (focused !== undefined) return focused;
  const here = positionsOf(state, platform, symbol);
  if (here.length === 0) sayNothingThere();
  if (here.length > 1) notify('info', { id: 'trade.keys.several', values: { symbol } }, 'keys');
  return here.length === 1 ? here[0] : undefined;
}

/** Closes all of a position at market, whatever it is when the exchange gets it. */
export async function closeWhole(row: PositionRow): Promise<void> {
  const answer = await closePosition(row, {});
  if (!answer.ok) sayFailed(answer, NO_ANSWER);
  else if (answer.data.outcome === 'sent')
    notify('success', { id: 'contract.closeSent', values: { symbol: row.symbol } });
  else notify('error', answer.data.reason === null ? NO_ANSWER : { text: answer.data.reason });
}

/** Turns a position around at market. @param noAnswer said where its outcome is not known. */
export async function flip(row: PositionRow, noAnswer: string): Promise<void> {
  const outcome = await reversePosition(row, noAnswer);
  if (outcome.done) notify('success', { id: 'contract.reversed', values: { symbol: row.symbol } });
  // Half of it says so by itself; what the call said already is said once.
  else if (!('closed' in outcome)) sayNotDone(outcome.message);
}

/** Cancels and closes everything on contracts, at every exchange. */
export async function closeEverywhere(): Promise<void> {
  const orders = [...ordersStore.getState().open.values()].filter((row) => row.symbolType === 'SWAP');
  if (positionsStore.getState().open.size + orders.length === 0) {
    sayNothingThere();
    return;
  }
  const results = [...(await closeScope(tradablePlatforms(), undefined, false))];
  const count = results.filter(([, { outcome }]) => outcome === 'sent').length;
  if (count > 0) notify('success', { id: 'trade.keys.closing', values: { count } }, 'keys');
  for (const [key, { outcome, reason }] of results) {
    if (outcome !== 'sent') notify('error', reason === null ? NO_ANSWER : { text: reason }, `close ${key}`);
  }
}
