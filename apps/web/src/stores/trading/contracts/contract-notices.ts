import type { UserEvent } from '@crossbook/contract';
import { type Platform, platformFacts } from '@crossbook/domain';
import { fundingText } from '../../../calculators/contracts/funding.ts';
import { moneyOf, signedMoneyOf } from '../../../calculators/signed-text.ts';
import { now } from '../../app/clock.ts';
import { type NoticeAction, notify } from '../../app/notices.ts';
import { contractOffer } from '../../market/market.ts';
import { positionKey, positionsStore } from './positions.ts';

/** Margin ratios that are said when they are crossed; 1 = liquidation. The highest one is an alarm. */
const RATIOS_SAID = [0.7, 0.85] as const;
/** A ratio is said again only after it fell this far below its mark. */
const RATIO_REARM = 0.05;

/** An exchange may repeat a margin call while the danger lasts; of the same contract it is said again after so long. */
const CALL_AGAIN_MILLIS = 300_000;

/** Events kept in mind; the oldest are forgotten first. */
const EVENTS_SAID_MAX = 1_000;

const ratioSaid = new Map<string, number>();
const eventsSaid = new Set<string>();
/** Of each exchange the contracts that it called margin for, and when. */
const callsSaid = new Map<Platform, ReadonlyMap<string, number>>();

/** Whether it is told for the first time: the stream and the lists that are read after a gap both tell. */
function isFirst(event: string): boolean {
  if (eventsSaid.has(event)) return false;
  const [oldest] = eventsSaid;
  if (eventsSaid.size >= EVENTS_SAID_MAX && oldest !== undefined) eventsSaid.delete(oldest);
  eventsSaid.add(event);
  return true;
}

/** Another member, or none: what was near liquidation was somebody else's. */
export function forgetWarnings(): void {
  ratioSaid.clear();
  callsSaid.clear();
}

const endOf = (positionId: string): string => `end ${positionId}`;

/** What can be done before the exchange does it; without a position there is nothing to close. @param symbols what it is about; absent: all. */
function rescues(
  platform: Platform,
  symbols?: readonly string[],
): { readonly actions: readonly NoticeAction[] } {
  const held = [...positionsStore.getState().open.values()].find(
    ({ exchange, symbol }) => exchange === platform && (symbols?.includes(symbol) ?? true),
  );
  const close =
    held === undefined
      ? []
      : [{ label: 'contract.toClose', does: 'close', platform, symbol: held.symbol } as const];
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
  const near = ratio ?? 0;
  const said = ratioSaid.get(key) ?? 0;
  const crossed = marks.findLast((mark) => near >= mark) ?? 0;
  if (crossed > said) {
    ratioSaid.set(key, crossed);
    const { name } = platformFacts(exchange);
    const percent = `${estimated === true ? '≈ ' : ''}${(Math.min(1, near) * 100).toFixed(1)}`;
    const values = { venue: position === undefined ? name : `${name} ${position.symbol}`, percent };
    const tone = crossed === marks.at(-1) ? 'error' : 'warning';
    notify(tone, { id: 'contract.ratio', values }, key, {
      detail: { id: 'contract.marginCallWhat' },
      event: tone === 'error' ? 'danger' : 'near',
      ...rescues(exchange, position && [position.symbol]),
    });
  } else if (said > 0 && near < said - RATIO_REARM) {
    const mark = marks.findLast((one) => one < said && near >= one - RATIO_REARM);
    if (mark === undefined) ratioSaid.delete(key);
    else ratioSaid.set(key, mark);
  }
}

/**
 * Says which contracts an exchange calls margin for. Where its call comes long before liquidation (OKX), it is a warning, and takes
 * the place of the one by our own ratio at the same mark.
 */
function sayMarginCall({ exchange, symbols }: Extract<UserEvent, { kind: 'margin-call' }>): void {
  const called = [...(callsSaid.get(exchange) ?? [])].filter(([, at]) => now() - at < CALL_AGAIN_MILLIS);
  const known = new Map(called);
  if (symbols.length > 0 && symbols.every((symbol) => known.has(symbol))) return;
  for (const symbol of symbols) known.set(symbol, now());
  callsSaid.set(exchange, known);
  const { warnsFrom = 1 } = contractOffer(exchange).ratio;
  const early = warnsFrom < RATIOS_SAID[0];
  const ratioKey = `ratio ${exchange}`;
  const replaces = early && (ratioSaid.get(ratioKey) ?? 0) <= warnsFrom;
  if (replaces) ratioSaid.set(ratioKey, warnsFrom);
  const values = { venue: platformFacts(exchange).name, symbols: [...known.keys()].join(', ') };
  const key = replaces ? ratioKey : `margin-call ${exchange}`;
  notify(early ? 'warning' : 'error', { id: 'contract.marginCall', values }, key, {
    detail: { id: 'contract.marginCallWhat' },
    event: early ? 'near' : 'danger',
    ...rescues(exchange, symbols),
  });
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
  } else if (event.kind === 'margin-call') sayMarginCall(event);
  else if (event.kind === 'position-closed' && event.closed.ended !== 'closed') {
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
