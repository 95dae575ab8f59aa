import { formatAmount, type Lots, toNumberForDisplay } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import type { NewPerpOrder, SimMarginMode } from '../../../perp-exchange.ts';
import type { Desk } from '../desk.ts';
import { factsOf, type Listed, MARGIN_ASSET } from '../listing.ts';

/** How much could be ordered, found by asking the core: so much is taken, a lot more is not. */

/** For what a largest order is looked for. */
export interface SizeQuestion {
  readonly account: AccountNumber;
  readonly listed: Listed;
  readonly marginMode: SimMarginMode;
  /** At market where absent. */
  readonly price: NewPerpOrder['price'];
}

function largest(desk: Desk, question: SizeQuestion, side: 'BUY' | 'SELL'): string {
  const { account, listed, marginMode, price } = question;
  const facts = factsOf(listed);
  const hedged = desk.venue.perps.setting(account, listed.instId).positionMode === 'HEDGE';
  const leg = side === 'BUY' ? ('LONG' as const) : ('SHORT' as const);
  const fits = (lots: number): boolean =>
    desk.venue.perps.checkPerp({
      ...{ account, symbol: listed.instId, side, marginMode, reduceOnly: false },
      positionSide: hedged ? leg : 'BOTH',
      ...{ kind: price === undefined ? ('MARKET' as const) : ('LIMIT' as const), timeInForce: 'IOC' },
      ...(price === undefined ? {} : { price }),
      ...{ quantity: lots as Lots, clientId: '', selfTradePrevention: 'EXPIRE_MAKER' },
    }).ok;
  const most = price === undefined ? facts.maxMarketQty : facts.maxQty;
  let taken = 0;
  let refused = Math.floor(toNumberForDisplay(most) / toNumberForDisplay(facts.lotSize)) + 1;
  while (refused - taken > 1) {
    const middle = Math.floor((taken + refused) / 2);
    if (fits(middle)) taken = middle;
    else refused = middle;
  }
  return listed.format.quantity(taken as Lots);
}

/** One row of `max-size`: contracts that could be bought and sold. */
export function maxSizeRow(desk: Desk, question: SizeQuestion): object {
  return {
    ccy: MARGIN_ASSET,
    instId: question.listed.instId,
    maxBuy: largest(desk, question, 'BUY'),
    maxSell: largest(desk, question, 'SELL'),
  };
}

/** One row of `max-avail-size`: what may still become margin. */
export function maxAvailableRow(desk: Desk, { account, listed }: SizeQuestion): object {
  const available = formatAmount(desk.venue.perps.pool(account).available);
  return { availBuy: available, availSell: available, instId: listed.instId };
}
