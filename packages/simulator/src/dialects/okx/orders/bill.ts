import { fields } from '../../wire/fields.ts';
import type { Dated } from './order-adapter.ts';

/** One change of a balance, where it stands among all, and what it is filtered by. */
export interface Bill extends Dated {
  readonly billId: string;
  readonly type: string;
  readonly subType: string;
  readonly mgnMode: string;
  readonly instId: string;
  readonly row: Readonly<Record<string, string>>;
}

/** What a bill lacks that has nothing to say about it. */
export const BILL_EMPTY_FIELDS = fields(
  'clOrdId earnAmt earnApr execType fillFwdPx fillIdxPx fillMarkPx fillMarkVol fillPxUsd fillPxVol fillTime from instId instType mgnMode notes ordId px sz tag to tradeId',
  '',
);

/** What stands behind a position stays in the one wallet, and nothing is lent. */
export const NO_POSITION_BALANCE = { posBal: '0', posBalChg: '0', interest: '0' } as const;
