import { masterOf, SUB_LABEL_PREFIX, subAccountsOf } from '../../../accounts/labels.ts';
import type { AccountNumber, KeyRights } from '../../../exchange.ts';
import { fields } from '../../wire/fields.ts';
import {
  type Answer,
  accountOf,
  type Caller,
  type Desk,
  type Endpoint,
  type Run,
  reply,
  signedCall,
} from '../endpoint.ts';
import { ERRORS, invalid, missing } from '../errors.ts';
import type { ParamReader } from '../params.ts';

const USERNAME = /^(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9]{6,16}$/;
/** Remarks are kept with the account's label, and so must fit there. */
const REMARK = /^[\w.@-]{0,32}$/;
/** Numbers of members begin here; the simulator's own accounts count from 1. */
const MEMBER_ID_ORIGIN = 100_000_000;
const NEW_PER_SECOND_MAX = 1;
const PAGES_PER_SECOND_MAX = 5;
const LISTS_PER_SECOND_MAX = 10;
/** What a key that only reads may trade. */
const NO_RIGHTS: KeyRights = { pairs: false, contracts: false };
const PAGE_SIZE_MAX = 100;
const LIST_MAX = 10_000;

interface SubAccount {
  readonly account: AccountNumber;
  readonly username: string;
  readonly remark: string;
}

/** A member's number as clients see it. */
export function memberId(account: AccountNumber): string {
  return String(MEMBER_ID_ORIGIN + account);
}

/** What a key may trade, in the venue's words. */
export function permissionsOf({ pairs, contracts }: KeyRights): {
  readonly ContractTrade: readonly string[];
  readonly Spot: readonly string[];
} {
  return {
    ContractTrade: contracts ? ['Order', 'Position'] : [],
    Spot: pairs ? ['SpotTrade'] : [],
  };
}

/** Whether this is the operator's own account. */
export function isMaster(desk: Desk, account: AccountNumber): boolean {
  return masterOf(desk.venue.spot) === account;
}

/** A sub-account's label is its name and, where there is one, `:remark`. */
function subAccounts(desk: Desk): readonly SubAccount[] {
  return subAccountsOf(desk.venue.spot).map(({ account, name }) => {
    const [username = '', remark = ''] = name.split(':');
    return { account, username, remark };
  });
}

/** The account behind a member's number: the master's own or one of its sub-accounts. */
export function accountOfMember(desk: Desk, id: number): AccountNumber | undefined {
  const master = masterOf(desk.venue.spot);
  const account = id - MEMBER_ID_ORIGIN;
  if (master === account) return master;
  return subAccounts(desk).find((sub) => sub.account === account)?.account;
}

/** Runs a call for the master account only; anybody else's key lacks the permission. */
export async function asMaster(
  desk: Desk,
  caller: Caller,
  run: () => Answer | Promise<Answer>,
): Promise<Answer> {
  return isMaster(desk, accountOf(caller)) ? await run() : { ok: false, code: ERRORS.noPermission };
}

function subRow(sub: SubAccount): object {
  return {
    uid: memberId(sub.account),
    username: sub.username,
    memberType: 1,
    status: 1,
    accountMode: 5,
    remark: sub.remark,
  };
}

function create(reader: ParamReader, desk: Desk): Run {
  const username = reader.requiredText('username');
  if (!USERNAME.test(username)) reader.refuse(invalid('username'));
  if (reader.integer('memberType') !== 1) reader.refuse(invalid('memberType'));
  const quickLogin = reader.integer('switch') ?? 0;
  if (quickLogin > 1) reader.refuse(invalid('switch'));
  const remark = reader.text('note') ?? '';
  if (!REMARK.test(remark)) reader.refuse(invalid('note'));
  return (caller) =>
    asMaster(desk, caller, async () => {
      const known = subAccounts(desk).some((sub) => sub.username === username);
      if (known) return { ok: false, code: ERRORS.memberExists };
      const label = `${SUB_LABEL_PREFIX}${username}${remark === '' ? '' : `:${remark}`}`;
      const account = await desk.venue.spot.openAccount(label);
      return reply({ uid: memberId(account), username, memberType: 1, status: 1, remark });
    });
}

/** Page by page: the cursor is the number of the last account shown, "0" at the end. */
function page(reader: ParamReader, desk: Desk): Run {
  const size = Math.min(Math.max(reader.integer('pageSize') ?? PAGE_SIZE_MAX, 1), PAGE_SIZE_MAX);
  const after = reader.integer('nextCursor') ?? 0;
  return (caller) =>
    asMaster(desk, caller, () => {
      const left = subAccounts(desk).filter((sub) => Number(memberId(sub.account)) > after);
      const shown = left.slice(0, size);
      const last = shown.at(-1);
      const more = left.length > shown.length && last !== undefined;
      return reply({
        subMembers: shown.map(subRow),
        nextCursor: more ? memberId(last.account) : '0',
      });
    });
}

function list(_: ParamReader, desk: Desk): Run {
  return (caller) =>
    asMaster(desk, caller, () => reply({ subMembers: subAccounts(desk).slice(0, LIST_MAX).map(subRow) }));
}

/** Names of what is permitted in one of the groups; what is no list of names is refused. */
function readGroup(reader: ParamReader, permissions: object, group: string): readonly string[] {
  const named: unknown = Object.hasOwn(permissions, group) ? permissions[group as never] : [];
  const names: readonly unknown[] | undefined = Array.isArray(named) ? named : undefined;
  if (names?.every((name) => typeof name === 'string') === true) return names;
  reader.refuse(invalid('permissions'));
  return [];
}

/** What is asked for of pairs and contracts; nothing else is to be had. Contracts are permitted whole or not at all. */
function readRights(reader: ParamReader): KeyRights {
  const permissions = reader.raw('permissions');
  if (typeof permissions !== 'object' || permissions === null || Object.keys(permissions).length === 0) {
    reader.refuse(missing('permissions'));
    return NO_RIGHTS;
  }
  return {
    pairs: readGroup(reader, permissions, 'Spot').includes('SpotTrade'),
    contracts: readGroup(reader, permissions, 'ContractTrade').length > 0,
  };
}

/** A key that only reads is permitted nothing, whatever is asked for. */
function createKey(reader: ParamReader, desk: Desk): Run {
  const id = reader.integer('subuid');
  if (id === undefined) reader.refuse(missing('subuid'));
  const readOnly = reader.integer('readOnly');
  if (readOnly === undefined || readOnly > 1) reader.refuse(invalid('readOnly'));
  const note = reader.text('note') ?? '';
  const asked = readRights(reader);
  const rights = readOnly === 1 ? NO_RIGHTS : asked;
  return (caller) =>
    asMaster(desk, caller, async () => {
      const sub = subAccounts(desk).find((one) => memberId(one.account) === String(id));
      if (sub === undefined) return { ok: false, code: invalid('subuid') };
      const key = await desk.venue.spot.createKey(sub.account, undefined, rights);
      return reply({
        id: memberId(sub.account),
        note,
        apiKey: key.apiKey,
        readOnly: readOnly ?? 0,
        secret: key.secret,
        permissions: {
          ...fields('Wallet Options CopyTrading BlockTrade Exchange NFT', []),
          ...permissionsOf(asked),
        },
      });
    });
}

/** Sub-accounts of the master account; its key only. */
export const SUB_ACCOUNT_ENDPOINTS: readonly Endpoint[] = [
  signedCall('user.createSub POST /v5/user/create-sub-member', NEW_PER_SECOND_MAX, create),
  signedCall('user.subs GET /v5/user/submembers', PAGES_PER_SECOND_MAX, page),
  signedCall('user.allSubs GET /v5/user/query-sub-members', LISTS_PER_SECOND_MAX, list),
  signedCall('user.createSubKey POST /v5/user/create-sub-api', NEW_PER_SECOND_MAX, createKey),
];
