import { formatAmount } from '@crossbook/domain';
import { OPERATOR_WAIT_MILLIS_MAX, type RequestClass } from '../../arbiter/request-class.ts';
import { notExpressible, reasonOf } from '../../trading/call-answers.ts';
import { waitOf } from '../../trading/unsent.ts';
import type { FindOutcome, VenueCredentials } from '../../venue-answers.ts';
import type {
  Pocket,
  VenueMemberAccount,
  VenueTransferOutcome,
  VenueTransferRequest,
} from '../../venue-funds.ts';
import { asArray, asCounter, asObject, asText } from '../../wire/guards.ts';
import { type CallAnswer, refusalOf } from './answers.ts';
import type { Calls } from './calls.ts';
import { isTooMany } from './errors.ts';
import type { CallParameters } from './sign.ts';

/**
 * Members' accounts at Binance: sub-accounts of the operator's master account by the Binance Link (broker) calls,
 * which only REST has. The venue keeps our label as the sub-account's tag.
 */

const SUB_ACCOUNTS = '/sapi/v1/broker/subAccount';
const SUB_ACCOUNT_KEYS = '/sapi/v1/broker/subAccountApi';
const TRANSFERS = '/sapi/v1/broker/universalTransfer';

const ACCOUNTS_PER_PAGE = 500;
const ACCOUNT_PAGES_MAX = 1_000;
/** Tags and transfer ids the venue takes. */
const NAME = /^[A-Za-z0-9_-]{1,32}$/;

type Method = 'GET' | 'POST';

function call(
  calls: Calls,
  master: VenueCredentials,
  request: {
    readonly method: Method;
    readonly path: string;
    readonly parameters: CallParameters;
    /** The member's account or label: whose turn it is. */
    readonly member: string;
    readonly requestClass?: RequestClass;
  },
): Promise<CallAnswer> {
  const urgency = { requestClass: request.requestClass ?? 'order', waitMillisMax: OPERATOR_WAIT_MILLIS_MAX };
  return calls.send(master, { ...urgency, ...request, weight: 1 }).then(({ answer }) => answer);
}

/**
 * Finds the account that carries the label or makes it, and makes a key for it. Repeating it after an unknown outcome
 * finds the account that the lost answer made; each repetition makes one more key, of which only the last is used.
 * Not safe to run at the same time for one label from two processes: the caller holds a lock on it.
 */
export async function openMemberAccount(
  calls: Calls,
  master: VenueCredentials,
  label: string,
): Promise<FindOutcome<VenueMemberAccount>> {
  if (!NAME.test(label)) return { outcome: 'unknown', why: 'label is not expressible at the venue' };
  const known = await findByTag(calls, master, label);
  if (known.outcome === 'unknown') return known;
  const account = known.outcome === 'found' ? known : await makeAccount(calls, master, label);
  if (account.outcome !== 'found') return account;
  const made = await call(calls, master, {
    method: 'POST',
    path: SUB_ACCOUNT_KEYS,
    member: label,
    // A key may do what it was made for: one from before contracts were traded keeps to pairs.
    parameters: {
      subAccountId: account.value,
      canTrade: true,
      ...(calls.tradesContracts ? { futuresTrade: true } : {}),
    },
  });
  if (made.kind !== 'result') return { outcome: 'unknown', why: reasonOf(made), ...waitOf(made) };
  const key = asObject(made.value);
  const apiKey = asText(key?.apiKey);
  const secret = asText(key?.secretKey);
  if (apiKey === undefined || secret === undefined) return { outcome: 'unknown', why: 'unreadable key' };
  return { outcome: 'found', value: { accountId: account.value, credentials: { apiKey, secret } } };
}

async function findByTag(
  calls: Calls,
  master: VenueCredentials,
  label: string,
): Promise<FindOutcome<string>> {
  for (let page = 1; page <= ACCOUNT_PAGES_MAX; page += 1) {
    const listed = await call(calls, master, {
      method: 'GET',
      path: SUB_ACCOUNTS,
      member: label,
      parameters: { page, size: ACCOUNTS_PER_PAGE },
    });
    if (listed.kind !== 'result') return { outcome: 'unknown', why: reasonOf(listed), ...waitOf(listed) };
    const rows = asArray(listed.value)?.map(asObject);
    if (rows === undefined) return { outcome: 'unknown', why: 'unreadable list of accounts' };
    const row = rows.find((candidate) => candidate?.tag === label);
    if (row !== undefined) return accountId(row);
    if (rows.length < ACCOUNTS_PER_PAGE) return { outcome: 'not-found' };
  }
  return { outcome: 'unknown', why: 'more accounts than are read' };
}

async function makeAccount(
  calls: Calls,
  master: VenueCredentials,
  label: string,
): Promise<FindOutcome<string>> {
  const made = await call(calls, master, {
    method: 'POST',
    path: SUB_ACCOUNTS,
    member: label,
    parameters: { tag: label },
  });
  return made.kind === 'result'
    ? accountId(made.value)
    : { outcome: 'unknown', why: reasonOf(made), ...waitOf(made) };
}

/** The venue spells the field `subaccountId` in answers and `subAccountId` in requests. */
function accountId(answer: unknown): FindOutcome<string> {
  const id = idText(asObject(answer)?.subaccountId ?? asObject(answer)?.subAccountId);
  return id === undefined
    ? { outcome: 'unknown', why: 'unreadable account' }
    : { outcome: 'found', value: id };
}

/** Moves funds between the master and a member's account, once. */
export async function transferFunds(
  calls: Calls,
  master: VenueCredentials,
  request: VenueTransferRequest,
): Promise<VenueTransferOutcome> {
  if (!NAME.test(request.clientId)) {
    return notExpressible('transfer id is not expressible');
  }
  const answer = await call(calls, master, {
    method: 'POST',
    path: TRANSFERS,
    member: request.from ?? request.to ?? '',
    parameters: {
      ...(request.from === undefined ? {} : { fromId: request.from }),
      ...(request.to === undefined ? {} : { toId: request.to }),
      ...accountTypes(request),
      asset: request.asset,
      amount: formatAmount(request.amount),
      clientTranId: request.clientId,
    },
  });
  if (answer.kind === 'unsent' || (answer.kind === 'error' && isTooMany(answer.error))) {
    return { outcome: 'not-now', why: reasonOf(answer), ...waitOf(answer) };
  }
  if (answer.kind !== 'result') return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) };
  const done = asObject(answer.value);
  const venueId = idText(done?.txnId);
  if (venueId === undefined || done?.clientTranId !== request.clientId) {
    return { outcome: 'unknown', why: 'unreadable transfer' };
  }
  return { outcome: 'done', venueId };
}

/**
 * The operator's money lies in the spot wallet; the member's side is the wallet that is named. Within one account it is
 * the wallet where the money goes, and it comes from the other one.
 */
function accountTypes({ from, to, pocket = 'spot' }: VenueTransferRequest) {
  const source = from !== to ? pocket : pocket === 'spot' ? 'futures' : 'spot';
  return {
    fromAccountType: from === undefined ? WALLETS.spot : WALLETS[source],
    toAccountType: to === undefined ? WALLETS.spot : WALLETS[pocket],
  };
}

const WALLETS: Readonly<Record<Pocket, string>> = { spot: 'SPOT', futures: 'USDT_FUTURE' };

/**
 * Looks a transfer up by our id. `found` only when the venue has carried it out; one under way is `unknown`; one that
 * the venue failed is `not-found`, because nothing moved. A transfer whose request may still be on its way is
 * `not-found` as well: the caller waits out the receive window before believing it.
 */
export async function findTransfer(
  calls: Calls,
  master: VenueCredentials,
  clientId: string,
): Promise<FindOutcome<{ readonly venueId: string }>> {
  const answer = await call(calls, master, {
    method: 'GET',
    path: TRANSFERS,
    member: clientId,
    requestClass: 'lookup',
    parameters: { clientTranId: clientId, showAllStatus: true },
  });
  if (answer.kind !== 'result') return { outcome: 'unknown', why: reasonOf(answer), ...waitOf(answer) };
  const rows = asArray(answer.value);
  if (rows === undefined) return { outcome: 'unknown', why: 'unreadable list of transfers' };
  const row = rows.map(asObject).find((candidate) => candidate?.clientTranId === clientId);
  if (row === undefined) {
    return rows.length === 0
      ? { outcome: 'not-found' }
      : { outcome: 'unknown', why: 'list of other transfers' };
  }
  if (row.status === 'FAILURE') return { outcome: 'not-found' };
  const venueId = idText(row.txnId);
  if (row.status !== 'SUCCESS' || venueId === undefined)
    return { outcome: 'unknown', why: 'transfer under way' };
  return { outcome: 'found', value: { venueId } };
}

/** Ids come as strings or integers. */
function idText(value: unknown): string | undefined {
  const counter = asCounter(value);
  return counter === undefined ? asText(value) : String(counter);
}
