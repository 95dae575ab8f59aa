import type { Millis } from '@crossbook/domain';
import {
  type Answer,
  type Endpoint,
  rowsUnlessRefused,
  type SignedCall,
  signedEndpoint,
} from '../endpoint.ts';
import { INSTRUMENT_TYPES } from '../market/instruments.ts';
import { cutPage, readPage } from '../orders/pages.ts';
import { contractBills } from '../perps/bills.ts';
import { traderOf } from '../perps/words.ts';
import { pairBills } from '../spot/bills.ts';

/** What changed balances (OKX v5 guide, "Bills details (last 7 days)", "Bills details (last 3 months)", 2026). */

const DAY_MILLIS = 86_400_000;
const RECENT_DAYS = 7;
const ARCHIVE_DAYS = 92;

function bills(daysMax: number): (call: SignedCall) => Answer {
  return (call) => {
    const { desk, reader } = call;
    const instType = reader.choice('instType', INSTRUMENT_TYPES);
    const ccy = reader.text('ccy');
    const mgnMode = reader.choice('mgnMode', ['cross', 'isolated']);
    reader.choice('ctType', ['linear', 'inverse']);
    const type = reader.pattern('type', /^[0-9]{1,3}$/);
    const subType = reader.pattern('subType', /^[0-9]{1,3}$/);
    const instId = reader.text('instId');
    const page = readPage(reader);
    const since = Math.max(0, desk.now() - daysMax * DAY_MILLIS) as Millis;
    return rowsUnlessRefused(reader, () => {
      const account = traderOf(call);
      const all = [...contractBills(desk, account, since), ...pairBills(desk, account, since)];
      const found = all
        .filter(({ row }) => instType === undefined || row.instType === instType)
        .filter(({ row }) => ccy === undefined || row.ccy === ccy)
        .filter((bill) => mgnMode === undefined || bill.mgnMode === mgnMode)
        .filter((bill) => type === undefined || bill.type === type)
        .filter((bill) => subType === undefined || bill.subType === subType)
        .filter((bill) => instId === undefined || bill.instId === instId);
      const locate = (id: string) => all.find(({ billId }) => billId === id);
      return cutPage(found, page, locate).map(({ row }) => row);
    });
  };
}

/** The bills of an account. */
export const BILL_ENDPOINTS: readonly Endpoint[] = [
  signedEndpoint('account.bills GET /api/v5/account/bills', 10, bills(RECENT_DAYS)),
  signedEndpoint('account.bills.archive GET /api/v5/account/bills-archive', 5, bills(ARCHIVE_DAYS)),
];
