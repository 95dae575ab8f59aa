import type { UserEvent } from '@crossbook/contract';
import { type Platform, platformFacts } from '@crossbook/domain';
import { setMemberListener } from '../market/live.ts';
import { endSession, isMember, sessionStore } from '../member/session.ts';
import { applyBalances, forgetBalances, loadBalances } from '../wallet/balances.ts';
import { applyTransfer } from '../wallet/transfers.ts';
import { applyFill, forgetFills, loadRecentFills } from './fills.ts';
import { applyOrder, forgetOrders, loadOpenOrders } from './orders.ts';

function onUser(event: UserEvent): void {
  if (event.kind === 'order') applyOrder(event.order);
  else if (event.kind === 'fill') applyFill(event.fill);
  else if (event.kind === 'balance') applyBalances(event.wallet, event.rows);
  else if (event.kind === 'transfer') applyTransfer(event.transfer);
  else if (event.kind === 'signed-out') endSession();
}

/** Reads by REST what the stream may have missed. */
export function catchUp(platform: Platform): void {
  if (!isMember(sessionStore.getState())) return;
  void loadOpenOrders(platform);
  void loadRecentFills(platform);
  void loadBalances('funding');
  void loadBalances(platformFacts(platform).platformType);
}

/** Keeps orders, fills, balances and transfers by the private stream, and forgets them when the member changes. Once, at start. */
export function keepPrivateEvents(): void {
  setMemberListener({ onUser, onCatchUp: catchUp });
  sessionStore.subscribe((next, before) => {
    if (next.token === before.token) return;
    forgetOrders();
    forgetFills();
    forgetBalances();
  });
}
