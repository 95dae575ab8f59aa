import { refused } from '@crossbook/domain';
import { findSubAccount, isMaster, openSubAccount, subAccounts } from '../account-types.ts';
import {
  type Answer,
  type Endpoint,
  rows,
  rowsUnlessRefused,
  type SignedCall,
  signedEndpoint,
} from '../endpoint.ts';
import { ERRORS, parameterError } from '../errors.ts';
import { uidOf } from '../ids.ts';
import type { ParamReader } from '../params.ts';

/** Letters and digits, as OKX wants them. */
const NAME = /^[A-Za-z0-9]{6,20}$/;
const NOTE = /^.{1,64}$/;
const KEY_LABEL_LENGTH_MAX = 50;
/** With a capital, a small letter, a digit and a special character. */
const PASSPHRASE = /^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])(?=.*[^A-Za-z0-9]).{8,32}$/;
const PERMISSIONS: ReadonlySet<string> = new Set(['read_only', 'trade']);
const PAGE_MAX = 100;
/** Moment at which every account here was opened; the core does not keep it. */
const OPENED_AT = '1767225600000';

/** Only the main account's key may. */
function refuseOthers(reader: ParamReader, { desk, account }: SignedCall): void {
  if (!isMaster(desk, account)) reader.refuse(ERRORS.masterOnly);
}

function list(call: SignedCall): Answer {
  const { desk, reader } = call;
  refuseOthers(reader, call);
  const name = reader.text('subAcct');
  const limit = reader.limit(PAGE_MAX, PAGE_MAX);
  return rowsUnlessRefused(reader, () =>
    subAccounts(desk)
      .filter((sub) => name === undefined || sub.name === name)
      .slice(0, limit)
      .map((sub) => ({
        canTransOut: true,
        enable: true,
        frozenFunc: [],
        gAuth: false,
        ifDma: false,
        label: sub.name,
        mobile: '',
        subAcct: sub.name,
        subAcctLv: '1',
        ts: OPENED_AT,
        type: '1',
        uid: uidOf(sub.account),
      })),
  );
}

async function create(call: SignedCall): Promise<Answer> {
  const { desk, reader } = call;
  refuseOthers(reader, call);
  const name = reader.requiredText('subAcct');
  if (name !== '' && !NAME.test(name)) reader.refuse(parameterError('subAcct'));
  reader.choice('type', ['1', '2', '5', '9', '12']);
  const label = reader.pattern('label', NOTE) ?? '';
  if (reader.refusal !== undefined) return refused(reader.refusal);
  if (findSubAccount(desk, name) !== undefined) return refused(ERRORS.subAccountExists);
  const account = await openSubAccount(desk, name);
  return rows([{ label, subAcct: name, ts: String(desk.now()), uid: uidOf(account) }]);
}

async function createKey(call: SignedCall): Promise<Answer> {
  const { desk, reader } = call;
  refuseOthers(reader, call);
  const name = reader.requiredText('subAcct');
  const label = reader.requiredText('label');
  if (label.length > KEY_LABEL_LENGTH_MAX) reader.refuse(parameterError('label'));
  const passphrase = reader.requiredText('passphrase');
  const perm = reader.text('perm') ?? 'read_only,trade';
  const ip = reader.text('ip') ?? '';
  if (passphrase !== '' && !PASSPHRASE.test(passphrase)) reader.refuse(ERRORS.badPassphraseForm);
  if (!perm.split(',').every((one) => PERMISSIONS.has(one))) reader.refuse(parameterError('perm'));
  if (reader.refusal !== undefined) return refused(reader.refusal);
  const account = findSubAccount(desk, name);
  if (account === undefined) return refused(ERRORS.noSubAccount);
  const trades = perm.split(',').includes('trade');
  const rights = { pairs: trades, contracts: trades };
  const key = await desk.venue.spot.createKey(account, passphrase, rights);
  return rows([
    {
      apiKey: key.apiKey,
      ip,
      label,
      passphrase,
      perm,
      secretKey: key.secret,
      subAcct: name,
      ts: String(desk.now()),
    },
  ]);
}

/** Members' accounts below the operator's; the main account's key only. */
export const SUB_ACCOUNT_ENDPOINTS: readonly Endpoint[] = [
  signedEndpoint('subAccount.list GET /api/v5/users/subaccount/list', 20, list),
  signedEndpoint('subAccount.create POST /api/v5/users/subaccount/create-subaccount', 2, create),
  signedEndpoint('subAccount.key.create POST /api/v5/users/subaccount/apikey', 2, createKey),
];
