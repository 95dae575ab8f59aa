import { type Amount, divDown, refused, toNumberForDisplay } from '@crossbook/domain';
import type { MarginNeed, NewPerpOrder } from '../../../perp-exchange.ts';
import { type Answer, accountOf, type Desk, type Run, reply } from '../endpoint.ts';
import { type BybitError, ERRORS } from '../errors.ts';
import type { ParamReader } from '../params.ts';
import { orderRefusal, readContractDraft, toPerpOrder } from './order-draft.ts';
import { limitedPrice } from './price-limits.ts';
import { LINEAR, notHere } from './refusals.ts';

/** Rates are told in hundredths of a percent. */
const RATE_UNITS = 10_000;
/** The letters of an order's id that no order has. */
const ID_LETTERS = [8, 4, 4, 4, 12];

function rateOf(part: Amount, { equity }: MarginNeed): number {
  return equity > 0n ? Math.round(toNumberForDisplay(divDown(part, equity)) * RATE_UNITS) : 0;
}

/**
 * What an order would make of an account's rates (order/pre-check-order, 2026-07-24): as if it had filled at the mark.
 * Nothing is placed. Whoever lacks the margin is told the rates beside the refusal, all others the ids.
 */
export function preCheck(reader: ParamReader, desk: Desk): Run {
  const category = reader.requiredText('category');
  if (category !== 'linear') reader.refuse(ERRORS.badCategory);
  const draft = readContractDraft(reader, desk);
  if (draft.waits !== undefined) reader.refuse(notHere('triggerPrice of a check'));
  return (caller): Answer => {
    const { contract, linkId = '' } = draft;
    if (contract === undefined) return refused(ERRORS.badSymbol);
    const account = accountOf(caller);
    const { perps } = desk.venue;
    if (perps.setting(account, contract.symbol).marginMode === 'ISOLATED') {
      return refused(notHere('isolated margin of a check'));
    }
    const read = toPerpOrder(draft, contract, { account, clientId: desk.randomText(LINK_ID_LETTERS) });
    if (!read.ok) return read;
    const { price } = read.value;
    const limited = price === undefined ? {} : { price: limitedPrice(desk, read.value, price) };
    const order: NewPerpOrder = { ...read.value, ...limited };
    const orderId = ID_LETTERS.map((letters) => desk.randomText(letters).toLowerCase()).join('-');
    const { before, after } = perps.trials.order(order);
    const postImrE4 = rateOf(after.initial, after);
    const postMmrE4 = rateOf(after.maintenance, after);
    const checked = perps.checkPerp(order);
    if (!checked.ok) {
      const error: BybitError = orderRefusal(checked.code, order.quantity, contract);
      const ids = { future_order_id: orderId, future_order_link_id: linkId };
      const short = error.code === LINEAR.notEnough.code;
      const rates = short ? { post_imr_e4: postImrE4, post_mmr_e4: postMmrE4 } : {};
      return refused({ ...error, retExtInfo: { ...ids, ...rates } });
    }
    return reply({
      ...{ orderId, orderLinkId: linkId },
      ...{ preImrE4: rateOf(before.initial, before), preMmrE4: rateOf(before.maintenance, before) },
      ...{ postImrE4, postMmrE4 },
    });
  };
}

const LINK_ID_LETTERS = 19;
