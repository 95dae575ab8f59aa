import { refused } from '@crossbook/domain';
import { fields } from '../../wire/fields.ts';
import {
  type Answer,
  type Endpoint,
  rows,
  rowsUnlessRefused,
  type SignedCall,
  signedEndpoint,
} from '../endpoint.ts';
import { ERRORS } from '../errors.ts';
import type { ParamReader } from '../params.ts';
import { accountLevel } from './settings.ts';
import { posIdOf, traderOf } from './words.ts';

/** Before an account changes its mode, and what modes that are not simulated have ("Trading Account", 2026-07). */

function readLevel(reader: ParamReader): string {
  const acctLv = reader.requiredChoice('acctLv', ['1', '2', '3', '4']);
  if (acctLv === '3' || acctLv === '4') reader.refuse(ERRORS.otherMode);
  return acctLv ?? '1';
}

/** What stands in the way of another mode: `sCode` 0 is nothing, 1 something that must end first. */
function switchPrecheck(call: SignedCall): Answer {
  const { desk, reader } = call;
  const acctLv = readLevel(reader);
  if (reader.refusal !== undefined) return refused(reader.refusal);
  const { perps } = desk.venue;
  const account = traderOf(call);
  const curAcctLv = accountLevel(desk, call);
  const held = perps.positions(account).flatMap((position) => {
    const listed = desk.listing.find(position.symbol);
    return listed === undefined ? [] : [posIdOf(listed, position)];
  });
  const unmatched = (type: string, posList: readonly string[] = []) => ({ type, totalAsset: '', posList });
  const conditionals = perps.conditionals.open(account);
  const same = acctLv === curAcctLv;
  const unmatchedInfoCheck = same
    ? []
    : [
        ...(perps.openPerpOrders(account).length > 0 ? [unmatched('pending_orders')] : []),
        ...(conditionals.length > 0 ? [unmatched('pending_algos')] : []),
        ...(held.length > 0 ? [unmatched('all_positions', held)] : []),
      ];
  return rows([
    {
      ...{ acctLv, curAcctLv, sCode: unmatchedInfoCheck.length > 0 ? '1' : '0', unmatchedInfoCheck },
      ...{ riskOffsetType: '', posList: [], posTierCheck: [], mgnBf: null, mgnAft: null },
    },
  ]);
}

/** Nothing needs to be set beforehand between the two modes that are here. */
function switchPreset(call: SignedCall): Answer {
  const acctLv = readLevel(call.reader);
  return rowsUnlessRefused(call.reader, () => [
    { acctLv, curAcctLv: accountLevel(call.desk, call), ...fields('lever riskOffsetType', '') },
  ]);
}

/** Calls of multi-currency and portfolio margin. */
function ofOtherModes(): Answer {
  return refused(ERRORS.accountMode);
}

/** Of modes: what a change meets, and what only others have. */
export const MODE_ENDPOINTS: readonly Endpoint[] = [
  signedEndpoint('account.level.check GET /api/v5/account/set-account-switch-precheck', 5, switchPrecheck),
  signedEndpoint('account.level.preset POST /api/v5/account/account-level-switch-preset', 5, switchPreset),
  signedEndpoint('order.check POST /api/v5/trade/order-precheck', 5, ofOtherModes),
  signedEndpoint('account.tiers GET /api/v5/account/position-tiers', 10, ofOtherModes),
  signedEndpoint('account.risk GET /api/v5/account/risk-state', 10, ofOtherModes),
];
