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

/** The kinds of bills that are here, each with its own ("Get bills details subtypes", 2026). */
const KINDS: Readonly<Record<string, readonly [text: string, own: Readonly<Record<string, string>>]>> = {
  1: ['Transfer', { 11: 'Transfer in', 12: 'Transfer out' }],
  2: ['Trade', { 1: 'Buy', 2: 'Sell', 3: 'Open long', 4: 'Open short', 5: 'Close long', 6: 'Close short' }],
  3: ['Delivery', { 112: 'Delivery long', 113: 'Delivery short' }],
  5: [
    'Liquidation',
    {
      100: 'Partial liquidation close long',
      101: 'Partial liquidation close short',
      102: 'Partial liquidation buy',
      103: 'Partial liquidation sell',
      104: 'Liquidation long',
      105: 'Liquidation short',
      106: 'Liquidation buy',
      107: 'Liquidation sell',
      109: 'Liquidation fees',
      110: 'Liquidation transfer in',
      111: 'Liquidation transfer out',
    },
  ],
  8: ['Funding fee', { 173: 'Funding fee expense', 174: 'Funding fee income' }],
  9: [
    'Auto-deleveraging',
    { 125: 'ADL close long', 126: 'ADL close short', 127: 'ADL buy', 128: 'ADL sell' },
  ],
};
const KINDS_NAMED_MAX = 20;

function subtypes({ reader }: SignedCall): Answer {
  const wanted = reader.list('type', KINDS_NAMED_MAX);
  return rowsUnlessRefused(reader, () =>
    Object.entries(KINDS)
      .filter(([type]) => wanted === undefined || wanted.includes(type))
      .map(([type, [typeDesc, own]]) => ({
        type,
        typeDesc,
        subTypeDetails: Object.entries(own).map(([subType, subTypeDesc]) => ({ subType, subTypeDesc })),
      })),
  );
}

/** The bills of an account. */
export const BILL_ENDPOINTS: readonly Endpoint[] = [
  signedEndpoint('account.bills GET /api/v5/account/bills', 10, bills(RECENT_DAYS)),
  signedEndpoint('account.bills.archive GET /api/v5/account/bills-archive', 5, bills(ARCHIVE_DAYS)),
  signedEndpoint('account.bills.kinds GET /api/v5/account/subtypes', 5, subtypes),
];
