import { type Lots, ok, refused } from '@crossbook/domain';
import { accountOf, type Desk, type Endpoint, endpoint, SIGNED } from '../endpoint.ts';
import { ERRORS } from '../errors.ts';
import { ZERO_TEXT } from '../format.ts';
import type { PreventedMatch } from '../prevented-matches.ts';

const LIMIT_DEFAULT = 500;
const LIMIT_MAX = 1_000;
/** Whoever belongs to no trade group. */
const NO_GROUP = -1;

function matchRow(desk: Desk, match: PreventedMatch): object {
  const { symbol, orderId, selfTradePrevention } = match.taker;
  const format = desk.format.of(symbol);
  const lost = (name: string, lots: Lots | undefined) =>
    lots === undefined ? {} : { [name]: format.size(lots) };
  return {
    symbol,
    preventedMatchId: match.id,
    takerOrderId: orderId,
    makerSymbol: symbol,
    makerOrderId: match.makerOrderId,
    tradeGroupId: NO_GROUP,
    selfTradePreventionMode: selfTradePrevention,
    price: match.price === undefined ? ZERO_TEXT : format.price(match.price),
    ...lost('takerPreventedQuantity', match.takerLots),
    ...lost('makerPreventedQuantity', match.makerLots),
    transactTime: match.time,
  };
}

const BY_ID_WEIGHT = 2;
const BY_ORDER_WEIGHT = 20;

/** An account's prevented matches: one by its id, or those of an order, from an id on. */
export const PREVENTED_MATCH_ENDPOINT: Endpoint = endpoint(
  SIGNED,
  'myPreventedMatches GET /api/v3/myPreventedMatches',
  'symbol preventedMatchId orderId fromPreventedMatchId limit',
  (reader, desk) => {
    const market = reader.market(desk.exchange.markets);
    const id = reader.integer('preventedMatchId');
    const orderId = reader.integer('orderId');
    const fromId = reader.integer('fromPreventedMatchId');
    const limit = reader.limit(LIMIT_DEFAULT, LIMIT_MAX);
    const paged = fromId !== undefined || reader.has('limit');
    const fits = id === undefined ? orderId !== undefined : orderId === undefined && !paged;
    if (!fits) reader.refuse(ERRORS.badCombination);
    return {
      weight: orderId === undefined ? BY_ID_WEIGHT : BY_ORDER_WEIGHT,
      run: (caller) => {
        if (market === undefined) return refused(ERRORS.badSymbol);
        const own = desk.preventedMatches
          .of(accountOf(caller))
          .filter(({ taker }) => taker.symbol === market.symbol)
          .filter((match) => id === undefined || match.id === id)
          .filter(
            ({ taker, makerOrderId }) =>
              orderId === undefined || [taker.orderId, makerOrderId].some((one) => one === orderId),
          )
          .filter((match) => match.id >= (fromId ?? 0));
        return ok(own.slice(0, limit).map((match) => matchRow(desk, match)));
      },
    };
  },
);
