import { formatAmount } from '@crossbook/domain';
import type { PerpLiquidation } from '../../../perp-exchange.ts';
import { fields } from '../../wire/fields.ts';
import type { Desk } from '../desk.ts';
import { type Answer, type Endpoint, publicEndpoint, rowsUnlessRefused } from '../endpoint.ts';
import { eitherRequired } from '../errors.ts';
import { type Listed, MARGIN_ASSET } from '../listing.ts';
import type { ParamReader } from '../params.ts';
import { isTraded, tradedContracts } from './words.ts';

/** Liquidations and the insurance fund as everybody may see them (OKX v5 guide, "Liquidation orders", "Insurance fund"). */

const PAGE_MAX = 100;

/** One liquidated order: at most one a second of each contract is told. */
function detailRow(listed: Listed, { side, price, quantity, time }: PerpLiquidation): object {
  return {
    bkLoss: '0',
    bkPx: formatAmount(price),
    ccy: '',
    posSide: side === 'SELL' ? 'long' : 'short',
    side: side.toLowerCase(),
    sz: listed.format.quantity(quantity),
    ts: String(time),
  };
}

function rowOf(listed: Listed, liquidations: readonly PerpLiquidation[]): object {
  return {
    details: liquidations.map((one) => detailRow(listed, one)),
    instFamily: listed.index,
    instId: listed.instId,
    instType: listed.instType,
    uly: listed.index,
  };
}

/** Of each contract the newest of some liquidations. */
export function newestRows(desk: Desk, liquidations: readonly PerpLiquidation[]): readonly object[] {
  const newest = new Map(liquidations.map((one) => [one.symbol, one]));
  return [...newest].flatMap(([symbol, one]) => {
    const listed = desk.listing.find(symbol);
    return listed === undefined ? [] : [rowOf(listed, [one])];
  });
}

function readFamily(reader: ParamReader): string | undefined {
  const family = reader.text('instFamily') ?? reader.text('uly');
  if (family === undefined && !reader.has('instId')) reader.refuse(eitherRequired('instFamily', 'instId'));
  return family;
}

/** Newest first; what was liquidated here is filled at once, so that nothing is ever unfilled. */
function liquidationOrders(desk: Desk, reader: ParamReader): Answer {
  const instType = reader.requiredChoice('instType', ['SWAP', 'FUTURES', 'MARGIN', 'OPTION']);
  const family = readFamily(reader);
  const instId = reader.text('instId');
  const state = reader.choice('state', ['filled', 'unfilled']) ?? 'filled';
  const after = reader.time('after');
  const before = reader.time('before');
  const limit = reader.limit(PAGE_MAX, PAGE_MAX);
  return rowsUnlessRefused(reader, () => {
    if (state === 'unfilled') return [];
    const all = desk.liquidations
      .after(0)
      .filter(({ time }) => (after === undefined || time < after) && time > (before ?? -1));
    return tradedContracts(desk)
      .filter((listed) => listed.instType === instType)
      .filter((listed) => (family ?? listed.index) === listed.index)
      .filter((listed) => (instId ?? listed.instId) === listed.instId)
      .flatMap((listed) => {
        const own = all.filter(({ symbol }) => symbol === listed.instId);
        return own.length === 0 ? [] : [{ ...rowOf(listed, own.slice(-limit).reverse()), totalLoss: '' }];
      });
  });
}

/** One fund stands behind all contracts here; each family shows the whole of it. */
function insuranceFund(desk: Desk, reader: ParamReader): Answer {
  reader.requiredChoice('instType', ['SWAP', 'FUTURES', 'MARGIN', 'OPTION']);
  reader.text('type');
  const family = readFamily(reader);
  return rowsUnlessRefused(reader, () => {
    const listed = desk.listing.all().find((one) => isTraded(one) && one.index === family);
    if (listed === undefined) return [];
    const total = formatAmount(desk.venue.perps.insuranceFund());
    const detail = {
      adlType: '',
      amt: '',
      balance: total,
      ccy: MARGIN_ASSET,
      decRate: '',
      maxBal: '',
      maxBalTs: '',
      ts: String(desk.now()),
      type: 'regular_update',
    };
    return [{ details: [detail], instFamily: listed.index, instType: listed.instType, total }];
  });
}

/** Fields that are empty since 2026-06. */
const ADL_EMPTY_FIELDS = fields(
  'adlBal adlRate adlRecBal adlRecRate adlType ccy decRate maxBal maxBalTs',
  '',
);

/** Rows of `adl-warning`: of those contracts whose state is not normal ("ADL warning channel", 2026-07). */
export function adlRows(desk: Desk, contracts: readonly Listed[]): readonly object[] {
  const now = desk.now();
  const held = desk.venue.perps.insuranceFund();
  desk.fundWatch.note(now, held);
  return contracts.flatMap(({ instId, instType, index }) => {
    const state = desk.fundWatch.stateOf(instId, now);
    if (state === undefined) return [];
    const ts = String(now);
    return [{ ...ADL_EMPTY_FIELDS, bal: formatAmount(held), instFamily: index, instType, state, ts }];
  });
}

/** What everybody may know of forced closes. */
export const LIQUIDATION_ENDPOINTS: readonly Endpoint[] = [
  publicEndpoint('liquidations GET /api/v5/public/liquidation-orders', 40, ({ desk, reader }) =>
    liquidationOrders(desk, reader),
  ),
  publicEndpoint('insurance GET /api/v5/public/insurance-fund', 10, ({ desk, reader }) =>
    insuranceFund(desk, reader),
  ),
];
