import { createHash } from 'node:crypto';
import { formatAmount, type Millis, orderIdOfVenueClientId } from '@crossbook/domain';
import { OPERATOR_WAIT_MILLIS_MAX } from '../../arbiter/request-class.ts';
import { notExpressible, reasonOf } from '../../trading/call-answers.ts';
import { waitOf } from '../../trading/unsent.ts';
import type { FindOutcome, VenueCredentials } from '../../venue-answers.ts';
import type { VenueMemberAccount, VenueTransferOutcome, VenueTransferRequest } from '../../venue-funds.ts';
import { asArray, asCounter, asObject, asText } from '../../wire/guards.ts';
import { operatorCall } from '../limits.ts';
import { refusalOf } from './answers.ts';
import type { Calls } from './calls.ts';
import { isTooMany } from './errors.ts';

/**
 * Members' accounts at Bybit: sub-accounts of the operator's master account, which only REST has.
 * Source: bybit-exchange/docs v5, user/create-subuid, user/page-subuid, asset/transfer/unitransfer (2026-07-24).
 */

const OPERATOR_URGENCY = { requestClass: 'order', waitMillisMax: OPERATOR_WAIT_MILLIS_MAX } as const;

const ACCOUNTS_PER_PAGE = 100;
const ACCOUNT_PAGES_MAX = 5_000;
/** Labels of members that the hub makes. */
const LABEL = /^[A-Za-z0-9_-]{1,32}$/;
/** The venue's numbers of accounts. */
const MEMBER_ID = /^[1-9][0-9]{0,15}$/;
/** Where members' and the operator's funds lie: the account that trades. */
const ACCOUNT_TYPE = 'UNIFIED';

/**
 * The name of a member's account: the venue takes 6 to 16 letters and digits and wants both. It is made from the label
 * alone, so that asking twice finds the same; the label itself stands beside it as the remark.
 */
export function accountName(label: string): string {
  return `c1${createHash('sha256').update(label, 'utf8').digest('hex').slice(0, 14)}`;
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
  const known = await findByName(calls, master, accountName(label));
  if (known.outcome === 'unknown') return known;
  const account = known.outcome === 'found' ? known : await makeAccount(calls, master, label);
  if (account.outcome !== 'found') return account;
  const { answer } = await calls.send(master, {
    method: 'POST',
    path: '/v5/user/create-sub-api',
    limit: operatorCall('/v5/user/create-sub-api'),
    ...OPERATOR_URGENCY,
    member: label,
    parameters: {
      subuid: Number(account.value),
      note: label,
      readOnly: 0,
      // A key may do what it was made for: one from before contracts were traded keeps to pairs.
      permissions: {
        Spot: ['SpotTrade'],
        ...(calls.tradesContracts ? { ContractTrade: ['Order', 'Position'] } : {}),
      },
    },
  });
  if (answer.kind !== 'result') return { outcome: 'unknown', why: reasonOf(answer), ...waitOf(answer) };
  const apiKey = asText(answer.value.apiKey);
  const secret = asText(answer.value.secret);
  if (apiKey === undefined || secret === undefined) return { outcome: 'unknown', why: 'unreadable key' };
  return { outcome: 'found', value: { accountId: account.value, credentials: { apiKey, secret } } };
}

async function findByName(
  calls: Calls,
  master: VenueCredentials,
  name: string,
): Promise<FindOutcome<string>> {
  let nextCursor = '';
  for (let page = 0; page < ACCOUNT_PAGES_MAX; page += 1) {
    const { answer } = await calls.send(master, {
      method: 'GET',
      path: '/v5/user/submembers',
      limit: operatorCall('/v5/user/submembers'),
      ...OPERATOR_URGENCY,
      member: name,
      parameters: { pageSize: ACCOUNTS_PER_PAGE, ...(nextCursor === '' ? {} : { nextCursor }) },
    });
    if (answer.kind !== 'result') return { outcome: 'unknown', why: reasonOf(answer), ...waitOf(answer) };
    const rows = asArray(answer.value.subMembers)?.map(asObject);
    const next = answer.value.nextCursor;
    if (rows === undefined || typeof next !== 'string' || (next === nextCursor && next !== '')) {
      return { outcome: 'unknown', why: 'unreadable list of accounts' };
    }
    const row = rows.find((candidate) => candidate?.username === name);
    if (row !== undefined) return accountId(row.uid);
    if (next === '0' || next === '') return { outcome: 'not-found' };
    nextCursor = next;
  }
  return { outcome: 'unknown', why: 'more accounts than are read' };
}

async function makeAccount(
  calls: Calls,
  master: VenueCredentials,
  label: string,
): Promise<FindOutcome<string>> {
  const { answer } = await calls.send(master, {
    method: 'POST',
    path: '/v5/user/create-sub-member',
    limit: operatorCall('/v5/user/create-sub-member'),
    ...OPERATOR_URGENCY,
    member: label,
    parameters: { username: accountName(label), memberType: 1, switch: 0, note: label },
  });
  if (answer.kind !== 'result') return { outcome: 'unknown', why: reasonOf(answer), ...waitOf(answer) };
  if (answer.value.username !== accountName(label)) return { outcome: 'unknown', why: 'another account' };
  return accountId(answer.value.uid);
}

/** Ids come as strings, some as integers. */
function accountId(value: unknown): FindOutcome<string> {
  const id = typeof value === 'string' ? value : String(asCounter(value));
  return MEMBER_ID.test(id)
    ? { outcome: 'found', value: id }
    : { outcome: 'unknown', why: 'unreadable account' };
}

/** The operator's own number at the venue, which transfers must name; asked once for each key. */
export class MasterIds {
  readonly #calls: Calls;
  readonly #byKey = new Map<string, string>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  async find(master: VenueCredentials): Promise<FindOutcome<string>> {
    const known = this.#byKey.get(master.apiKey);
    if (known !== undefined) return { outcome: 'found', value: known };
    const { answer } = await this.#calls.send(master, {
      method: 'GET',
      path: '/v5/user/query-api',
      limit: operatorCall('/v5/user/query-api'),
      ...OPERATOR_URGENCY,
      member: '',
      parameters: {},
    });
    if (answer.kind !== 'result') return { outcome: 'unknown', why: reasonOf(answer), ...waitOf(answer) };
    if (answer.value.isMaster !== true) return { outcome: 'not-found' };
    const id = accountId(answer.value.userID);
    if (id.outcome === 'found') this.#byKey.set(master.apiKey, id.value);
    return id;
  }
}

/** The venue wants a UUID in its canonical form; our ids are the same without hyphens. */
function transferIdOf(clientId: string): string | undefined {
  return orderIdOfVenueClientId(clientId);
}

/** Moves funds between the master and a member's account, once. */
export async function transferFunds(
  calls: Calls,
  masterIds: MasterIds,
  master: VenueCredentials,
  request: VenueTransferRequest,
): Promise<VenueTransferOutcome> {
  const transferId = transferIdOf(request.clientId);
  if (transferId === undefined) return notExpressible('transfer id is not expressible');
  const found = await masterIds.find(master);
  // Until here nothing was sent that moves anything.
  if (found.outcome !== 'found')
    return { why: "the operator's number is not known", ...found, outcome: 'not-now' };
  const masterId = found.value;
  const from = request.from ?? masterId;
  const to = request.to ?? masterId;
  if (!MEMBER_ID.test(from) || !MEMBER_ID.test(to)) {
    return notExpressible('account is not expressible');
  }
  const { answer } = await calls.send(master, {
    method: 'POST',
    path: '/v5/asset/transfer/universal-transfer',
    limit: operatorCall('/v5/asset/transfer/universal-transfer'),
    ...OPERATOR_URGENCY,
    member: request.from ?? request.to ?? masterId,
    parameters: {
      transferId,
      coin: request.asset,
      amount: formatAmount(request.amount),
      fromMemberId: Number(from),
      toMemberId: Number(to),
      fromAccountType: ACCOUNT_TYPE,
      toAccountType: ACCOUNT_TYPE,
    },
  });
  if (answer.kind === 'unsent' || (answer.kind === 'error' && isTooMany(answer.error))) {
    return { outcome: 'not-now', why: reasonOf(answer), ...waitOf(answer) };
  }
  if (answer.kind !== 'result') return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) };
  const { status } = answer.value;
  if (!isAbout(answer.value.transferId, transferId))
    return { outcome: 'unknown', why: 'unreadable transfer' };
  if (status === 'SUCCESS') return { outcome: 'done', venueId: transferId };
  if (status === 'FAILED') return { outcome: 'refused', venueCode: 'FAILED', message: 'the venue failed it' };
  return { outcome: 'unknown', why: 'transfer under way' };
}

/** Some answers wrap the id: `universalTransfer_<id>_<account>`. */
function isAbout(reported: unknown, transferId: string): boolean {
  return typeof reported === 'string' && (reported === transferId || reported.includes(`_${transferId}_`));
}

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
  const transferId = transferIdOf(clientId);
  if (transferId === undefined) return { outcome: 'unknown', why: 'transfer id is not expressible' };
  for (const span of spansOf(clientId, calls.venueClock.now())) {
    const found = await findInSpan(calls, master, transferId, span);
    if (found.outcome !== 'not-found') return found;
  }
  return { outcome: 'not-found' };
}

type Span = { readonly startTime?: number };

async function findInSpan(
  calls: Calls,
  master: VenueCredentials,
  transferId: string,
  span: Span,
): Promise<FindOutcome<{ readonly venueId: string }>> {
  const { answer } = await calls.send(master, {
    method: 'GET',
    path: '/v5/asset/transfer/query-universal-transfer-list',
    limit: operatorCall('/v5/asset/transfer/query-universal-transfer-list'),
    ...OPERATOR_URGENCY,
    requestClass: 'lookup',
    member: transferId,
    parameters: { transferId, ...span },
  });
  if (answer.kind !== 'result') return { outcome: 'unknown', why: reasonOf(answer), ...waitOf(answer) };
  const rows = asArray(answer.value.list);
  if (rows === undefined) return { outcome: 'unknown', why: 'unreadable list of transfers' };
  if (rows.length === 0) return { outcome: 'not-found' };
  const row = rows.map(asObject).find((candidate) => isAbout(candidate?.transferId, transferId));
  if (row === undefined) return { outcome: 'unknown', why: 'list of other transfers' };
  if (row.status === 'FAILED') return { outcome: 'not-found' };
  if (row.status !== 'SUCCESS') return { outcome: 'unknown', why: 'transfer under way' };
  return { outcome: 'found', value: { venueId: transferId } };
}

/** The list shows seven days; a day less, for clocks and for the time between question and answer. */
const SHOWN_MILLIS = 6 * 86_400_000;
const ID_MARGIN_MILLIS = 3_600_000;

/**
 * The list shows the last seven days, or seven from a start. An id of version 7 tells when it was made, so that an old
 * transfer is found too; but whoever asks for a transfer may choose its id, and with it any time. So the last seven
 * days are always asked for, and the id's time can only add to them.
 */
function spansOf(clientId: string, now: Millis): readonly Span[] {
  const made = clientId[12] === '7' ? Number.parseInt(clientId.slice(0, 12), 16) : now;
  if (now - made < SHOWN_MILLIS) return [{}];
  return [{}, { startTime: Math.max(0, made - ID_MARGIN_MILLIS) }];
}
