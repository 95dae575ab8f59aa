import type { PriceAlertRow } from '@crossbook/contract';
import { type Platform, platformFacts, type SymbolType } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { formatShortTime } from '../../i18n/format.ts';
import { text } from '../../i18n/i18n.ts';
import { newClientId, now } from '../app/clock.ts';
import { notify } from '../app/notices.ts';
import { call } from '../member/own-service.ts';

/** Price alerts of the member. */
export interface PriceAlertsState {
  /** Those that wait, by id; all markets. */
  readonly waiting: ReadonlyMap<string, PriceAlertRow>;
  readonly status: 'idle' | 'loading' | 'ready' | 'failed';
}

const AT_REST: PriceAlertsState = { waiting: new Map(), status: 'idle' };

/** Price alerts; none for a visitor. */
export const priceAlertsStore = createStore<PriceAlertsState>(() => AT_REST);

/** Alerts that were shown in this sitting: a list that is read late must not bring them back. */
const shown = new Set<string>();
const SHOWN_MAX = 500;

function keep(row: PriceAlertRow): void {
  priceAlertsStore.setState(({ waiting }) => ({ waiting: new Map(waiting).set(row.alertId, row) }));
}

function drop(alertId: string): void {
  priceAlertsStore.setState(({ waiting }) => ({
    waiting: new Map([...waiting].filter(([id]) => id !== alertId)),
  }));
}

/** Says that one fired, once, and tells the hub that it was shown. */
export function applyFiredAlert(row: PriceAlertRow): void {
  const { alertId, fired, symbol, exchange, price, direction } = row;
  drop(alertId);
  if (fired === null || shown.has(alertId)) return;
  shown.add(alertId);
  const [oldest] = shown;
  if (shown.size > SHOWN_MAX && oldest !== undefined) shown.delete(oldest);
  const values = { symbol, venue: platformFacts(exchange).name, price, direction };
  notify('info', { id: 'alert.fired', values }, `alert ${alertId}`, {
    event: 'alert',
    detail: {
      id: 'alert.firedWhat',
      values: { price: fired.price, time: formatShortTime(fired.time, now()) },
    },
  });
  void call('x/alert/Remove', { alertId }, { quiet: true });
}

/** Reads them; what fired while no page heard it is said now. */
export async function loadPriceAlerts(): Promise<void> {
  const { status } = priceAlertsStore.getState();
  if (status === 'loading') return;
  if (status !== 'ready') priceAlertsStore.setState({ status: 'loading' });
  const answer = await call('x/alert/List', {}, { quiet: true });
  if (!answer.ok) {
    if (status !== 'ready') priceAlertsStore.setState({ status: 'failed' });
    return;
  }
  const waits = answer.data.filter(({ alertId, fired }) => fired === null && !shown.has(alertId));
  priceAlertsStore.setState({
    waiting: new Map(waits.map((row) => [row.alertId, row])),
    status: 'ready',
  });
  for (const row of answer.data) if (row.fired !== null) applyFiredAlert(row);
}

/** A price that is wanted to be heard of. */
export interface WantedAlert {
  readonly platform: Platform;
  readonly symbolType: SymbolType;
  readonly symbol: string;
  /** On the tick, as it is sent. */
  readonly price: string;
  /** The newest price: which side an alert is reached from. */
  readonly last: number;
}

/** Sets an alert, or moves one. @returns what to say where it was not done. */
export async function setPriceAlert(
  { platform, symbolType, symbol, price, last }: WantedAlert,
  alertId: string = newClientId(),
): Promise<string | undefined> {
  const answer = await call('x/alert/Set', {
    ...{ alertId, platformType: platformFacts(platform).platformType, symbol, price },
    ...{ tinstType: symbolType === 'SPOT' ? 1 : 2, direction: Number(price) >= last ? 'rises' : 'falls' },
  });
  if (answer.ok) {
    keep(answer.data);
    return undefined;
  }
  void loadPriceAlerts();
  return answer.kind === 'refused' ? answer.message : text('common.noAnswer');
}

/** Ends one. It is gone at once, and back where the hub did not say so. */
export async function removePriceAlert(row: PriceAlertRow): Promise<void> {
  drop(row.alertId);
  const answer = await call('x/alert/Remove', { alertId: row.alertId });
  if (answer.ok) return;
  keep(row);
  if (answer.kind === 'silent') notify('error', { id: 'common.noAnswer' }, `alert ${row.alertId}`);
}

/** Forgets everything: another member, or none. */
export function forgetPriceAlerts(): void {
  shown.clear();
  priceAlertsStore.setState(AT_REST);
}
