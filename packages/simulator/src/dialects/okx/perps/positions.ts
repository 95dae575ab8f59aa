import { formatAmount, type Lots, plus } from '@crossbook/domain';
import type { PerpPosition } from '../../../perp-exchange.ts';
import type { Desk } from '../desk.ts';
import {
  type Answer,
  type Endpoint,
  rowsUnlessRefused,
  type SignedCall,
  signedEndpoint,
} from '../endpoint.ts';
import { type Listed, MARGIN_ASSET } from '../listing.ts';
import { INSTRUMENT_TYPES } from '../market/instruments.ts';
import { cutPage, readPage } from '../orders/pages.ts';
import { endingOf, historyRow, positionRow } from './position-rows.ts';
import { mgnModeOf, posIdOf, posSideOf, tradedContracts, traderOf } from './words.ts';

const NAMED_MAX = 10;
const IDS_MAX = 20;
const CLOSED_MAX = 25_000;

/** Everything an account holds, by contract in the order of listing. */
export function heldBy(
  desk: Desk,
  account: PerpPosition['account'],
): readonly { readonly listed: Listed; readonly position: PerpPosition }[] {
  return desk.venue.perps.positions(account).flatMap((position) => {
    const listed = desk.listing.find(position.symbol);
    return listed === undefined ? [] : [{ listed, position }];
  });
}

function positions(call: SignedCall): Answer {
  const { desk, reader } = call;
  const instType = reader.choice('instType', INSTRUMENT_TYPES);
  const names = reader.list('instId', NAMED_MAX);
  const ids = reader.list('posId', IDS_MAX);
  return rowsUnlessRefused(reader, () =>
    heldBy(desk, traderOf(call))
      .filter(({ listed }) => instType === undefined || listed.instType === instType)
      .filter(({ listed }) => names === undefined || names.includes(listed.instId))
      .filter(({ listed, position }) => ids === undefined || ids.includes(posIdOf(listed, position)))
      .map(({ listed, position }) => positionRow(desk, listed, position)),
  );
}

/** Positions that were closed in the last three months; pages go by the time of closing. */
function history(call: SignedCall): Answer {
  const { desk, reader } = call;
  const instType = reader.choice('instType', INSTRUMENT_TYPES);
  const instId = reader.text('instId');
  const mgnMode = reader.choice('mgnMode', ['cross', 'isolated']);
  const type = reader.choice('type', ['1', '2', '3', '4', '5']);
  const posId = reader.text('posId');
  const after = reader.time('after');
  const before = reader.time('before');
  const page = { ...readPage(reader), after: undefined, before: undefined };
  return rowsUnlessRefused(reader, () => {
    const closed = tradedContracts(desk)
      .filter((listed) => instType === undefined || listed.instType === instType)
      .filter((listed) => instId === undefined || listed.instId === instId)
      .flatMap((listed) =>
        desk.venue.perps
          .closedPositions(traderOf(call), { symbol: listed.instId, limit: CLOSED_MAX })
          .filter((one) => mgnMode === undefined || mgnModeOf(one.marginMode) === mgnMode)
          .filter((one) => type === undefined || endingOf(one) === type)
          .filter((one) => posId === undefined || posIdOf(listed, one) === posId)
          .filter(({ closedAt }) => (after === undefined || closedAt < after) && closedAt > (before ?? -1))
          .map((one) => ({ time: one.closedAt, id: BigInt(one.positionId), listed, one })),
      );
    return cutPage(closed, page, () => undefined).map(({ listed, one }) => historyRow(listed, one));
  });
}

/** Balances and positions of one moment. */
function risk(call: SignedCall): Answer {
  const { desk, reader } = call;
  reader.choice('instType', INSTRUMENT_TYPES);
  return rowsUnlessRefused(reader, () => {
    const account = traderOf(call);
    const { wallet, unrealisedPnl } = desk.venue.perps.pool(account);
    const equity = formatAmount(plus(wallet, unrealisedPnl));
    return [
      {
        adjEq: '',
        balData: [{ ccy: MARGIN_ASSET, disEq: equity, eq: equity }],
        posData: heldBy(desk, account).map(({ listed, position }) => riskRow(listed, position)),
        ts: String(desk.now()),
      },
    ];
  });
}

function riskRow(listed: Listed, position: PerpPosition): object {
  const sign = position.side === 'BOTH' && position.quantity < 0 ? '-' : '';
  return {
    baseBal: '',
    ccy: MARGIN_ASSET,
    instId: listed.instId,
    instType: listed.instType,
    mgnMode: mgnModeOf(position.marginMode),
    notionalCcy: '',
    notionalUsd: formatAmount(position.notional),
    pos: `${sign}${listed.format.quantity(Math.abs(position.quantity) as Lots)}`,
    posCcy: '',
    posId: posIdOf(listed, position),
    posSide: posSideOf(position.side),
    quoteBal: '',
  };
}

/** What an account holds, and what it held. */
export const POSITION_ENDPOINTS: readonly Endpoint[] = [
  signedEndpoint('account.positions GET /api/v5/account/positions', 10, positions),
  signedEndpoint('account.positions.history GET /api/v5/account/positions-history', 10, history),
  signedEndpoint('account.risk GET /api/v5/account/account-position-risk', 10, risk),
];
