import type { UserEvent } from '@crossbook/contract';
import { type Platform, platformFacts } from '@crossbook/domain';
import { fundingText } from '../../../calculators/contracts/funding.ts';
import { moneyOf, signedMoneyOf } from '../../../calculators/signed-text.ts';
import { type NoticeAction, notify } from '../../app/notices.ts';
import { contractOffer } from '../../market/market.ts';
import { positionKey, positionsStore } from './positions.ts';

/** Margin ratios that are said when they are crossed; 1 = liquidation. The highest one is an alarm. */
const RATIOS_SAID = [0.7, 0.85] as const;
/** A ratio is said again only after it fell this far below its mark. */
const RATIO_REARM = 0.05;

/** Events kept in mind; the oldest are forgotten first. */
const EVENTS_SAID_MAX = 1_000;

const ratioSaid = new Map<string, number>();
const eventsSaid = new Set<string>();

/** Whether it is told for the first time: the stream and the lists that are read after a gap both tell. */
function isFirst(event: string): boolean {
  if (eventsSaid.has(event)) return false;
  const [oldest] = eventsSaid;
  if (eventsSaid.size >= EVENTS_SAID_MAX && oldest !== undefined) eventsSaid.delete(oldest);
  eventsSaid.add(event);
  return true;
}

const endOf = (positionId: string): string => `end ${positionId}`;

/** What can be done before the exchange does it; without a position there is nothing to close. */
function rescues(platform: Platform, of?: string): { readonly actions: readonly NoticeAction[] } {
  const symbol =
    of ?? [...positionsStore.getState().open.values()].find((row) => row.exchange === platform)?.symbol;
  const close =
    symbol === undefined ? [] : [{ label: 'contract.toClose', does: 'close', platform, symbol } as const];
  return { actions: [{ label: 'contract.toAddMargin', does: 'add-margin' }, ...close] };
}

/** How near liquidation something is. */
export interface RatioHeard {
  readonly exchange: Platform;
  /** 1 = liquidation; `null` where nothing can be liquidated. */
  readonly ratio: number | null;
  /** The isolated position that it is of; absent: all cross positions of the exchange. */
  readonly position?: { readonly key: string; readonly symbol: string };
  /** By us, at the newest marks: the exchange did not say it yet. */
  readonly estimated?: true;
}

/** Says once per crossing that a pool or an isolated position comes near liquidation, by our marks and the venue's own. */
export function sayRatio({ exchange, ratio, position, estimated }: RatioHeard): void {
  const { warnsFrom } = contractOffer(exchange).ratio;
  const marks = [...(warnsFrom === undefined ? [] : [warnsFrom]), ...RATIOS_SAID];
  const key = `ratio ${position?.key ?? exchange}`;
  const now = ratio ?? 0;
  const said = ratioSaid.get(key) ?? 0;
  const crossed = marks.findLast((mark) => now >= mark) ?? 0;
  if (crossed > said) {
    ratioSaid.set(key, crossed);
    const { name } = platformFacts(exchange);
    const percent = `${estimated === true ? '≈ ' : ''}${(Math.min(1, now) * 100).toFixed(1)}`;
    const values = { venue: position === undefined ? name : `${name} ${position.symbol}`, percent };
    const tone = crossed === marks.at(-1) ? 'error' : 'warning';
    notify(tone, { id: 'contract.ratio', values }, key, {
      detail: { id: 'contract.marginCallWhat' },
      event: tone === 'error' ? 'danger' : 'near',
      ...rescues(exchange, position?.symbol),
    });
  } else if (said > 0 && now < said - RATIO_REARM) {
    const mark = marks.findLast((one) => one < said && now >= one - RATIO_REARM);
    if (mark === undefined) ratioSaid.delete(key);
    else ratioSaid.set(key, mark);
  }
}

/**
 * Says what the member must know of a contract event: a liquidation or auto-deleveraging, a margin call, and a ratio that
 * comes near liquidation. These stay
 * until they are put away. Funding is only noted. Fills and settings have their own rows.
 */
export function sayContractEvent(event: UserEvent): void {
  if (event.kind === 'margin') sayRatio(event.margin);
  else if (event.kind === 'funding') {
    const { id, symbol, exchange, amount, rate } = event.funding;
    if (!isFirst(`funding ${id}`)) return;
    const detail = { amount: signedMoneyOf(amount), rate: rate === null ? '–' : (fundingText(rate) ?? '–') };
    const values = { symbol, venue: platformFacts(exchange).name };
    notify('info', { id: 'contract.funding', values }, `funding ${id}`, {
      detail: { id: 'contract.fundingWhat', values: detail },
      event: 'booked',
    });
  } else if (event.kind === 'margin-call') {
    const venue = platformFacts(event.exchange).name;
    const values = { venue, symbols: event.symbols.join(', ') };
    notify('error', { id: 'contract.marginCall', values }, `margin-call ${event.exchange}`, {
      detail: { id: 'contract.marginCallWhat' },
      event: 'danger',
      ...rescues(event.exchange),
    });
  } else if (event.kind === 'position-closed' && event.closed.ended !== 'closed') {
    const { ended, symbol, exchange, maxQuantity, exitPrice, net, positionId } = event.closed;
    if (!isFirst(endOf(positionId))) return;
    const values = { symbol, venue: platformFacts(exchange).name };
    const detail = { quantity: maxQuantity, price: moneyOf(exitPrice), net: signedMoneyOf(net) };
    notify('error', { id: `contract.${ended}`, values }, positionId, {
      detail: { id: 'contract.endedWhat', values: detail },
      event: 'danger',
      actions: [{ label: 'contract.toHistory', does: 'history', platform: exchange, symbol }],
    });
  } else if (event.kind === 'position' && event.position.status === 'liquidating') {
    const { symbol, exchange, positionId } = event.position;
    // The end may be told first: what the exchange says of a position and what was booked of it come on two ways.
    const stands = positionsStore.getState().open.get(positionKey(event.position))?.status === 'liquidating';
    if (!stands || eventsSaid.has(endOf(positionId))) return;
    const values = { symbol, venue: platformFacts(exchange).name };
    notify('error', { id: 'contract.liquidating', values }, positionId, { event: 'near' });
  }
}
