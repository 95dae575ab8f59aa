import type { Ticks } from '@crossbook/domain';
import type { NewPerpOrder } from '../../../perp-exchange.ts';
import { accountOf, type Desk, type Endpoint, type Run, reply, signedCall } from '../endpoint.ts';
import { ERRORS, missing } from '../errors.ts';
import type { ParamReader } from '../params.ts';
import { notHere } from './refusals.ts';

/**
 * What becomes of a limit price beyond the band (account/set-price-limit, account/get-user-setting-config, 2026-07-24): of
 * contracts it is moved to the band's edge unless the account wants it refused, of pairs it is refused.
 */

/** The price that an order gets. What waits for a price keeps its own until it fires. */
export function limitedPrice(
  desk: Desk,
  order: Pick<NewPerpOrder, 'account' | 'symbol' | 'side'>,
  price: Ticks,
): Ticks {
  const { perps } = desk.venue;
  if (!perps.movesPrices(order.account)) return price;
  const { highestBuy, lowestSell } = perps.trials.edges(order.symbol);
  return (order.side === 'BUY' ? Math.min(price, highestBuy) : Math.max(price, lowestSell)) as Ticks;
}

function setAction(reader: ParamReader, desk: Desk): Run {
  const category = reader.requiredText('category');
  if (!['linear', 'inverse', 'spot'].includes(category)) reader.refuse(ERRORS.badCategory);
  if (!reader.has('modifyEnable')) reader.refuse(missing('modifyEnable'));
  const moves = reader.flag('modifyEnable');
  if (moves && category === 'spot') reader.refuse(notHere('modifyEnable of spot'));
  return async (caller) => {
    if (category === 'spot') return reply({});
    // All futures have one setting, whichever category names them.
    await desk.venue.perps.setMovesPrices(accountOf(caller), moves);
    return reply({});
  };
}

/** `lpaSpot` says that prices are moved, `lpaPerp` that they are refused. */
function settings(_: ParamReader, desk: Desk): Run {
  return (caller) =>
    reply({
      lpaSpot: false,
      lpaPerp: !desk.venue.perps.movesPrices(accountOf(caller)),
      ...{ deltaEnable: false, smsef: false, fmsef: false },
    });
}

/** How an account wants its limit prices taken. */
export const PRICE_LIMIT_ENDPOINTS: readonly Endpoint[] = [
  signedCall('account.priceLimit POST /v5/account/set-limit-px-action', 10, setAction),
  signedCall('account.settings GET /v5/account/user-setting-config', 50, settings),
];
