import {
  type Amount,
  divDown,
  floorTo,
  type Instrument,
  lesser,
  mulUp,
  notionalUp,
  ORDER_TYPE,
  type OrderRequest,
  type OrderTerms,
  plus,
  SIDE,
  ZERO,
} from '@crossbook/domain';

/*
 * What an order on a contract holds while it is under way: what it costs at the venue, rounded up, and the fee. Not less
 * than any of the three venues reserves; from its acknowledgement on the venue's own figures count.
 */

/** A market order or a sell may meet a better price than stated; Binance reckons sells 0.15 % above the last price. */
const PRICE_MARGIN_PER_MILLE = 2n;
const AMOUNT_MILLE = 1_000n;

/** What the terms look at besides the order. */
export interface ContractFacts {
  readonly bestBid: Amount | undefined;
  readonly bestAsk: Amount | undefined;
  readonly leverage: number;
  /** Fraction of the value. */
  readonly takerFee: Amount;
  readonly closing: boolean;
}

/** What an order holds and how it goes out; `undefined` while its price is not known. */
export function contractTerms(request: OrderRequest, facts: ContractFacts): OrderTerms | undefined {
  const { instrument, price, quantity } = request;
  const sent = { sendType: request.type, sendTimeInForce: request.timeInForce, holdAsset: instrument.quote };
  const terms = price === undefined ? sent : { ...sent, sendPrice: price };
  if (facts.closing) return { ...terms, holdAmount: ZERO };
  const reckoned = reckonedPrice(request, facts);
  if (reckoned === undefined || quantity === undefined) return undefined;
  return { ...terms, holdAmount: costOf(instrument, { price: reckoned, quantity, ...facts }) };
}

/** The largest quantity in whole lots that `available` covers; the inverse of `contractTerms`. */
export function largestContractQuantity(
  request: OrderRequest,
  facts: ContractFacts,
  available: Amount,
): Amount | undefined {
  const { instrument } = request;
  const price = reckonedPrice(request, facts);
  if (price === undefined) return undefined;
  const most = request.type === ORDER_TYPE.MARKET ? instrument.maxMarketQty : instrument.maxQty;
  const perUnit = costOf(instrument, { price, quantity: instrument.lotSize, ...facts });
  let lots = perUnit === 0n ? 0n : available / perUnit;
  // Rounded up once for all lots instead of for each: one lot more may fit.
  const cost = (count: bigint) =>
    costOf(instrument, { price, quantity: (count * instrument.lotSize) as Amount, ...facts });
  while (cost(lots + 1n) <= available) lots += 1n;
  return floorTo(lesser((lots * instrument.lotSize) as Amount, most), instrument.lotSize);
}

function costOf(
  instrument: Instrument,
  {
    price,
    quantity,
    leverage,
    takerFee,
  }: Pick<ContractFacts, 'leverage' | 'takerFee'> & {
    readonly price: Amount;
    readonly quantity: Amount;
  },
): Amount {
  const notional = notionalUp(price, quantity, instrument.contractValue);
  const divisor = BigInt(leverage);
  const margin = ((notional + divisor - 1n) / divisor) as Amount;
  return plus(margin, mulUp(notional, takerFee));
}

/** The price by which an order is reckoned: its own, but a sell never below the market. */
function reckonedPrice({ price, side, type }: OrderRequest, { bestAsk }: ContractFacts): Amount | undefined {
  const above =
    bestAsk === undefined
      ? undefined
      : (((bestAsk * (AMOUNT_MILLE + PRICE_MARGIN_PER_MILLE)) / AMOUNT_MILLE) as Amount);
  if (type === ORDER_TYPE.MARKET) return above;
  if (price === undefined || side === SIDE.BUY) return price;
  return above === undefined || price > above ? price : above;
}

/** What one unit of quantity is worth at a price; for showing and bounds of tiers. */
export function quantityOfNotional(instrument: Instrument, price: Amount, notional: Amount): Amount {
  return divDown(divDown(notional, price), instrument.contractValue);
}
