import { createHash } from 'node:crypto';
import { formatAmount, ok, type Result, refused } from '@crossbook/domain';
import { OPERATOR_WAIT_MILLIS_MAX, type RequestClass } from '../../arbiter/request-class.ts';
import { failedRead, notExpressible, reasonOf } from '../../trading/call-answers.ts';
import { waitOf } from '../../trading/unsent.ts';
import type { FindOutcome, VenueCredentials, VenueReadFailure } from '../../venue-answers.ts';
import type {
  VenueBalance,
  VenueMemberAccount,
  VenueTransferOutcome,
  VenueTransferRequest,
} from '../../venue-funds.ts';
import { asObject, asText } from '../../wire/guards.ts';
import { rowsOf } from '../../wire/numbers.ts';
import { OPERATOR_CALLS } from '../limits.ts';
import { asIdText } from '../wire.ts';
import { type CallAnswer, isRefusal, onlyRow, refusalOf } from './answers.ts';
import { normaliseBalance } from './balance-shapes.ts';
import type { Call, Calls } from './calls.ts';
import { NO_SUCH_TRANSFER, TOO_MANY } from './errors.ts';
import { okxSignature } from './sign.ts';

/**
 * Members' accounts at OKX: sub-accounts of the operator's master account (OKX v5 guide, "Sub-account", "Funds
 * transfer", 2026). The master's key must be bound to addresses. Not proved against the venue itself: KYB customers
 * must also send a login password, and a trading key without addresses ends after 14 idle days.
 */

const LIST = '/api/v5/users/subaccount/list';
const CREATE = '/api/v5/users/subaccount/create-subaccount';
const KEYS = '/api/v5/users/subaccount/apikey';
const FUNDING_BALANCES = '/api/v5/asset/balances';
const TRANSFER = '/api/v5/asset/transfer';
const TRANSFER_STATE = '/api/v5/asset/transfer-state';

/** Where the operator's money waits, and where a member trades. */
const FUNDING_ACCOUNT = '6';
const TRADING_ACCOUNT = '18';
/** Types of a transfer with the master's key. */
const TO_MEMBER = '1';
const FROM_MEMBER = '2';

/** Notes of accounts take 6 to 32 characters; ids of transfers are alphanumeric. */
const LABEL = /^[A-Za-z0-9_-]{1,32}$/;
const CLIENT_ID = /^[A-Za-z0-9]{1,32}$/;

function call(
  calls: Calls,
  master: VenueCredentials,
  request: Pick<Call, 'method' | 'path' | 'parameters' | 'limit' | 'limitOf'> & {
    /** The member's account: whose turn it is. */
    readonly member: string;
    readonly requestClass?: RequestClass;
  },
): Promise<CallAnswer> {
  const urgency = { requestClass: request.requestClass ?? 'order', waitMillisMax: OPERATOR_WAIT_MILLIS_MAX };
  return calls.send(master, { ...urgency, ...request }).then(({ answer }) => answer);
}

/** An account's name at the venue takes 6 to 20 alphanumeric characters: a fingerprint of our label. */
export function accountName(label: string): string {
  return `cb${createHash('sha256').update(label, 'utf8').digest('hex').slice(0, 18)}`;
}

/** Balances of the operator's funding account, out of which members' accounts are paid. */
export async function listFundingBalances(
  calls: Calls,
  master: VenueCredentials,
): Promise<Result<readonly VenueBalance[], VenueReadFailure>> {
  const answer = await call(calls, master, {
    method: 'GET',
    path: FUNDING_BALANCES,
    limit: OPERATOR_CALLS.funding,
    member: '',
    parameters: {},
  });
  if (answer.kind !== 'result') return failedRead(answer);
  const balances = rowsOf(answer.rows, normaliseBalance);
  return balances === undefined ? refused('malformed') : ok(balances);
}

/**
 * Finds the account of the label or makes it, and makes a key for it. Repeating it after an unknown outcome finds the
 * account that the lost answer made; each repetition makes one more key, of which only the last is used. Not safe to
 * run at the same time for one label from two processes: the caller holds a lock on it.
 */
export async function openMemberAccount(
  calls: Calls,
  master: VenueCredentials,
  label: string,
): Promise<FindOutcome<VenueMemberAccount>> {
  if (!LABEL.test(label)) return { outcome: 'unknown', why: 'label is not expressible at the venue' };
  const accountId = accountName(label);
  const known = await isThere(calls, master, accountId);
  if (known.outcome === 'unknown') return known;
  if (known.outcome === 'not-found') {
    const made = await call(calls, master, {
      method: 'POST',
      path: CREATE,
      limit: OPERATOR_CALLS.create,
      member: accountId,
      parameters: { subAcct: accountId, type: '1', label: label.padEnd(6, '_') },
    });
    if (made.kind !== 'result') return { outcome: 'unknown', why: reasonOf(made), ...waitOf(made) };
    if (onlyRow(made.rows)?.subAcct !== accountId) return { outcome: 'unknown', why: 'unreadable account' };
  }
  return makeKey(calls, master, accountId);
}

async function isThere(
  calls: Calls,
  master: VenueCredentials,
  accountId: string,
): Promise<FindOutcome<string>> {
  const listed = await call(calls, master, {
    method: 'GET',
    path: LIST,
    limit: OPERATOR_CALLS.list,
    member: accountId,
    parameters: { subAcct: accountId },
  });
  if (listed.kind !== 'result') return { outcome: 'unknown', why: reasonOf(listed), ...waitOf(listed) };
  if (listed.rows.length === 0) return { outcome: 'not-found' };
  const found = listed.rows.map(asObject).some((row) => row?.subAcct === accountId);
  return found
    ? { outcome: 'found', value: accountId }
    : { outcome: 'unknown', why: 'list of other accounts' };
}

/** The passphrase of a key is chosen by us: from the master's secret, so that it need be kept nowhere else. */
async function makeKey(
  calls: Calls,
  master: VenueCredentials,
  accountId: string,
): Promise<FindOutcome<VenueMemberAccount>> {
  const seed = okxSignature(master.secret, 'passphrase of ', accountId).replace(/[^A-Za-z0-9]/g, '');
  // 8 to 32 characters with a capital, a small letter, a digit and a special one.
  const passphrase = `${seed.slice(0, 24)}aA1!`;
  const made = await call(calls, master, {
    method: 'POST',
    path: KEYS,
    limit: OPERATOR_CALLS.key,
    member: accountId,
    parameters: { subAcct: accountId, label: 'trading', passphrase, perm: 'read_only,trade' },
  });
  if (made.kind !== 'result') return { outcome: 'unknown', why: reasonOf(made), ...waitOf(made) };
  const key = onlyRow(made.rows);
  const apiKey = asText(key?.apiKey);
  const secret = asText(key?.secretKey);
  if (apiKey === undefined || secret === undefined || key?.subAcct !== accountId) {
    return { outcome: 'unknown', why: 'unreadable key' };
  }
  return { outcome: 'found', value: { accountId, credentials: { apiKey, secret, passphrase } } };
}

/**
 * Moves funds between the master's funding account and a member's trading account, once. "The success or failure of the
 * request does not necessarily reflect the actual transfer result": it is done when the venue's own list says so.
 */
export async function transferFunds(
  calls: Calls,
  master: VenueCredentials,
  request: VenueTransferRequest,
): Promise<VenueTransferOutcome> {
  const parameters = transferParameters(request);
  if (parameters === undefined) {
    return notExpressible('transfer is not expressible');
  }
  const answer = await call(calls, master, {
    method: 'POST',
    path: TRANSFER,
    limit: OPERATOR_CALLS.transfer,
    limitOf: request.asset,
    member: request.from ?? request.to ?? '',
    parameters,
  });
  if (answer.kind === 'unsent' || isRefusal(answer, TOO_MANY)) {
    return { outcome: 'not-now', why: reasonOf(answer), ...waitOf(answer) };
  }
  if (answer.kind !== 'result') return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) };
  const done = onlyRow(answer.rows);
  if (asIdText(done?.transId) === undefined || done?.clientId !== request.clientId) {
    return { outcome: 'unknown', why: 'unreadable transfer' };
  }
  const type = request.from === undefined ? TO_MEMBER : FROM_MEMBER;
  const found = await findOfType(calls, master, request.clientId, type);
  if (found.outcome === 'found') return { outcome: 'done', venueId: found.value.venueId };
  return { outcome: 'unknown', why: found.outcome === 'unknown' ? found.why : 'transfer under way' };
}

/** The master's key moves funds to or from one account; between two accounts it cannot in one step. */
function transferParameters(request: VenueTransferRequest): Readonly<Record<string, string>> | undefined {
  const { from, to, clientId } = request;
  const member = from ?? to;
  if (!CLIENT_ID.test(clientId) || member === undefined || (from === undefined) === (to === undefined))
    return undefined;
  const toMember = to !== undefined;
  return {
    type: toMember ? TO_MEMBER : FROM_MEMBER,
    ccy: request.asset,
    amt: formatAmount(request.amount),
    from: toMember ? FUNDING_ACCOUNT : TRADING_ACCOUNT,
    to: toMember ? TRADING_ACCOUNT : FUNDING_ACCOUNT,
    subAcct: member,
    clientId,
  };
}

/**
 * Looks a transfer up by our id, in both directions because the id does not tell which it was. `found` only when the
 * venue has carried it out; one under way is `unknown`; one that failed is `not-found`, because nothing moved. The
 * venue remembers two weeks. A request that may still be on its way is `not-found` as well: the caller waits it out.
 */
export async function findTransfer(
  calls: Calls,
  master: VenueCredentials,
  clientId: string,
): Promise<FindOutcome<{ readonly venueId: string }>> {
  for (const type of [TO_MEMBER, FROM_MEMBER]) {
    const found = await findOfType(calls, master, clientId, type);
    if (found.outcome !== 'not-found') return found;
  }
  return { outcome: 'not-found' };
}

async function findOfType(
  calls: Calls,
  master: VenueCredentials,
  clientId: string,
  type: string,
): Promise<FindOutcome<{ readonly venueId: string }>> {
  const answer = await call(calls, master, {
    method: 'GET',
    path: TRANSFER_STATE,
    limit: OPERATOR_CALLS.transferState,
    member: clientId,
    requestClass: 'lookup',
    parameters: { clientId, type },
  });
  if (isRefusal(answer, new Set([NO_SUCH_TRANSFER]))) return { outcome: 'not-found' };
  if (answer.kind !== 'result') return { outcome: 'unknown', why: reasonOf(answer), ...waitOf(answer) };
  if (answer.rows.length === 0) return { outcome: 'not-found' };
  const row = onlyRow(answer.rows);
  const venueId = asIdText(row?.transId);
  if (row?.clientId !== clientId) return { outcome: 'unknown', why: 'answer about another transfer' };
  if (row.state === 'failed') return { outcome: 'not-found' };
  if (row.state !== 'success' || venueId === undefined)
    return { outcome: 'unknown', why: 'transfer under way' };
  return { outcome: 'found', value: { venueId } };
}
