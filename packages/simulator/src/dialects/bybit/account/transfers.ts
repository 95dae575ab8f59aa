import { type Amount, formatAmount, ok, type Result, refused } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import { type Desk, type Endpoint, type Run, reply, signedCall } from '../endpoint.ts';
import { type BybitError, ERRORS, invalid, missing } from '../errors.ts';
import type { ParamReader } from '../params.ts';
import { readSpan } from '../time-span.ts';
import { accountOfMember, asMaster, memberId } from './sub-accounts.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const COIN = /^[A-Z0-9]{1,20}$/;
const AMOUNT_DECIMALS = 8;
const CALLS_PER_SECOND_MAX = 5;
const STATUSES = ['SUCCESS', 'FAILED', 'PENDING'] as const;

interface TransferRequest {
  readonly transferId: string;
  readonly coin: string;
  readonly amount: Amount;
  readonly from: number;
  readonly to: number;
}

/** Only the unified account holds funds. */
function readAccountType(reader: ParamReader, name: string): void {
  const type = reader.requiredText(name);
  if (type !== 'UNIFIED') reader.refuse(type === 'FUND' ? ERRORS.transferType : ERRORS.badAccountType);
}

function readMember(reader: ParamReader, name: string): number {
  const id = reader.integer(name);
  if (id === undefined) reader.refuse(missing(name));
  return id ?? 0;
}

function readRequest(reader: ParamReader): TransferRequest {
  const transferId = reader.requiredText('transferId');
  if (!UUID.test(transferId)) reader.refuse(invalid('transferId'));
  const coin = reader.requiredText('coin');
  if (!COIN.test(coin)) reader.refuse(invalid('coin'));
  if (!reader.has('amount')) reader.refuse(missing('amount'));
  reader.decimal('amount', ERRORS.transferAmount);
  const amount = reader.decimal('amount', ERRORS.amountAccuracy, AMOUNT_DECIMALS) ?? (0n as Amount);
  if (amount === 0n) reader.refuse(ERRORS.transferAmount);
  const from = readMember(reader, 'fromMemberId');
  const to = readMember(reader, 'toMemberId');
  readAccountType(reader, 'fromAccountType');
  readAccountType(reader, 'toAccountType');
  return { transferId: transferId.toLowerCase(), coin, amount, from, to };
}

function endsOf(
  desk: Desk,
  request: TransferRequest,
): Result<{ readonly from: AccountNumber; readonly to: AccountNumber }, BybitError> {
  const from = accountOfMember(desk, request.from);
  const to = accountOfMember(desk, request.to);
  if (from === undefined || to === undefined) return refused(ERRORS.badMember);
  return from === to ? refused(ERRORS.sameAccount) : ok({ from, to });
}

/** Moves funds between the master and its sub-accounts. An id that was used is refused, whatever came of it. */
function universal(reader: ParamReader, desk: Desk): Run {
  const request = readRequest(reader);
  return (caller) =>
    asMaster(desk, caller, async () => {
      const ends = endsOf(desk, request);
      if (!ends.ok) return ends;
      const { transferId, coin, amount } = request;
      if (desk.venue.spot.findTransfer(transferId) !== undefined) return refused(ERRORS.transferExists);
      const done = await desk.venue.spot.transfer({ ...ends.value, asset: coin, amount, transferId });
      if (done.ok) return reply({ transferId, status: 'SUCCESS' });
      return refused(done.code === 'ID_REUSED' ? ERRORS.transferExists : ERRORS.transferBalance);
    });
}

/** Finds a transfer by its id within seven days. Without an id the list is empty: the core keeps no order of them. */
function records(reader: ParamReader, desk: Desk): Run {
  const transferId = reader.text('transferId');
  const coin = reader.text('coin');
  const status = reader.choice('status', STATUSES);
  const span = readSpan(reader, desk.venue.spot.now());
  return (caller) =>
    asMaster(desk, caller, () => {
      const found =
        transferId === undefined ? undefined : desk.venue.spot.findTransfer(transferId.toLowerCase());
      const member = (account: AccountNumber | undefined) =>
        account === undefined ? '0' : memberId(account);
      const shown =
        found !== undefined &&
        found.time >= span.startTime &&
        found.time <= span.endTime &&
        (coin === undefined || coin === found.asset) &&
        (status === undefined || status === 'SUCCESS');
      const list = !shown
        ? []
        : [
            {
              transferId,
              coin: found.asset,
              amount: formatAmount(found.amount),
              fromMemberId: member(found.from),
              toMemberId: member(found.to),
              fromAccountType: 'UNIFIED',
              toAccountType: 'UNIFIED',
              timestamp: String(found.time),
              status: 'SUCCESS',
            },
          ];
      return reply({ list, nextPageCursor: '' });
    });
}

/** Transfers between members (asset/transfer/unitransfer, 2026-07-24). */
export const TRANSFER_ENDPOINTS: readonly Endpoint[] = [
  signedCall(
    'transfer.universal POST /v5/asset/transfer/universal-transfer',
    CALLS_PER_SECOND_MAX,
    universal,
  ),
  signedCall(
    'transfer.universal.find GET /v5/asset/transfer/query-universal-transfer-list',
    CALLS_PER_SECOND_MAX,
    records,
  ),
];
