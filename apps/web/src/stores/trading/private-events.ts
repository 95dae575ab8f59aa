import type { UserEvent } from '@crossbook/contract';
import { type Platform, platformFacts } from '@crossbook/domain';
import { applyAlgo, forgetAlgos } from '../algos/algos.ts';
import { bootPlatform } from '../app/boot.ts';
import { isMember, sessionStore } from '../member/session.ts';
import { applyBalances, loadBalances } from '../wallet/balances.ts';
import { applyTransfer } from '../wallet/transfers.ts';
import { forgetSettings, hearSetting } from './contracts/contract-settings.ts';
import {
  applyMargin,
  applyPosition,
  endPosition,
  forgetPositions,
  loadPositions,
  positionKey,
  positionsStore,
  readPositionsAgain,
  touchPositions,
} from './contracts/positions.ts';
import { forgetCountdowns } from './countdowns.ts';
import { applyFill, forgetFills, loadRecentFills } from './fills.ts';
import { catchUpOrders } from './meanwhile.ts';
import { forgetOpening } from './opening.ts';
import { applyOrder, forgetOrders } from './orders.ts';
import { readClosedPositions } from './records.ts';

/** Takes what the private stream told; that the session is over is the listener's to know. */
export function onUser(event: Exclude<UserEvent, { readonly kind: 'signed-out' }>): void {
  if (event.kind === 'order') applyOrder(event.order);
  else if (event.kind === 'fill') applyFill(event.fill);
  else if (event.kind === 'balance') applyBalances(event.wallet, event.rows);
  else if (event.kind === 'transfer') applyTransfer(event.transfer);
  else if (event.kind === 'algo') {
    applyAlgo(event.algo);
    // Positions are told as the exchange states them: what protects one changes without it.
    const { parentOrderId, symbolType, exchange } = event.algo;
    if (parentOrderId !== null && symbolType === 'SWAP') void readPositionsAgain(exchange);
  } else if (event.kind === 'price-alert')
    withAlerts(({ applyFiredAlert }) => applyFiredAlert(event.alert)).catch(() => undefined);
  else if (event.kind !== 'hello') onContract(event);
}

type ContractEvent = Extract<
  UserEvent,
  { readonly kind: 'position' | 'position-closed' | 'margin' | 'setting' | 'funding' | 'margin-call' }
>;

function onContract(event: ContractEvent): void {
  if (event.kind === 'position') applyPosition(event.position);
  else if (event.kind === 'margin') applyMargin(event.margin);
  else if (event.kind === 'setting') hearSetting(event.setting);
  else {
    if (event.kind === 'position-closed') endPosition(event.closed);
    touchPositions();
  }
  say(event).catch(() => undefined);
}

/** Price alerts are read with the first connection: most pages never need them. */
async function withAlerts(act: (alerts: typeof import('./price-alerts.ts')) => unknown): Promise<void> {
  await act(await import('./price-alerts.ts'));
}

/** Words for what happened to a contract are read when the first of it happens: most pages never need them. */
async function withWords(
  act: (words: typeof import('./contracts/contract-notices.ts')) => void,
): Promise<void> {
  act(await import('./contracts/contract-notices.ts'));
}

const say = (event: ContractEvent) => withWords(({ sayContractEvent }) => sayContractEvent(event));

/** Reads positions; of those that ended while nobody heard it, says the ones that the exchange ended. */
export async function catchUpPositions(platform: Platform): Promise<void> {
  const open = () => [...positionsStore.getState().open.values()].filter((row) => row.exchange === platform);
  const gone = new Map(open().map((row) => [positionKey(row), row]));
  await loadPositions(platform);
  for (const row of open()) gone.delete(positionKey(row));
  if (gone.size === 0) return;
  const ended = await readClosedPositions({ platforms: [platform], symbol: undefined })(undefined, gone.size);
  for (const closed of ended.rows) {
    const row = gone.get(positionKey(closed));
    if (row !== undefined && closed.closedAt >= row.openedAt) {
      await say({ kind: 'position-closed', closed });
    }
  }
}

/** Reads by REST what the stream may have missed. */
export function catchUp(platform: Platform): void {
  if (!isMember(sessionStore.getState())) return;
  void catchUpOrders(platform).catch(() => undefined);
  void loadRecentFills(platform);
  if (bootPlatform(platform)?.symbolTypes.includes('SWAP') === true) {
    void catchUpPositions(platform).catch(() => undefined);
  }
  withAlerts(({ loadPriceAlerts }) => loadPriceAlerts()).catch(() => undefined);
  void loadBalances('funding');
  void loadBalances(platformFacts(platform).platformType);
}

/** Forgets everything but balances: another member, or none. */
export function forgetPrivate(): void {
  forgetOrders();
  forgetAlgos();
  forgetFills();
  forgetPositions();
  forgetSettings();
  forgetOpening();
  withWords(({ forgetWarnings }) => forgetWarnings()).catch(() => undefined);
  forgetCountdowns();
  withAlerts(({ forgetPriceAlerts }) => forgetPriceAlerts()).catch(() => undefined);
}
