import { type Amount, formatAmount, plus, refused, ZERO } from '@crossbook/domain';
import { masterOf } from '../../../accounts/labels.ts';
import type { AccountNumber } from '../../../exchange.ts';
import { fields } from '../../wire/fields.ts';
import {
  type AccountType,
  accountTypeOf,
  balancesOf,
  findSubAccount,
  isMaster,
  openAccountType,
  subAccounts,
} from '../account-types.ts';
import type { Desk } from '../desk.ts';
import {
  type Answer,
  type Endpoint,
  rows,
  rowsUnlessRefused,
  type SignedCall,
  signedEndpoint,
} from '../endpoint.ts';
import { cannotBeEmpty, ERRORS, eitherRequired, type OkxError, parameterError } from '../errors.ts';
import { formatFloat } from '../format.ts';
import { usdOf } from '../market/tickers.ts';
import type { ParamReader } from '../params.ts';

const CURRENCIES_MAX = 20;
const CLIENT_ID = /^[A-Za-z0-9]{1,32}$/;
/** `0` within an account, `1` master to sub-account, `2` back, `3` back with the sub-account's own key. */
const TYPES = ['0', '1', '2', '3'] as const;
type TransferType = (typeof TYPES)[number];

interface Transfer {
  readonly type: TransferType;
  readonly asset: string;
  readonly amount: Amount;
  readonly from: AccountType;
  readonly to: AccountType;
  readonly subAcct: string | undefined;
  readonly clientId: string | undefined;
}

function readTransfer(reader: ParamReader): Transfer {
  const asset = reader.requiredText('ccy');
  if (!reader.has('amt')) reader.refuse(cannotBeEmpty('amt'));
  const amount = reader.decimal('amt') ?? ZERO;
  const from = reader.requiredChoice('from', ['6', '18']);
  const to = reader.requiredChoice('to', ['6', '18']);
  const type = reader.choice('type', TYPES) ?? '0';
  const subAcct = reader.text('subAcct');
  if ((type === '1' || type === '2') && subAcct === undefined) reader.refuse(cannotBeEmpty('subAcct'));
  if (type === '0' && from === to) reader.refuse(parameterError('to'));
  const clientId = reader.pattern('clientId', CLIENT_ID);
  if (amount === 0n) reader.refuse(ERRORS.transferAmount);
  return { type, asset, amount, from, to, subAcct, clientId };
}

/** The accounts that a transfer is between, or why there is none. */
function endsOf(
  desk: Desk,
  account: AccountNumber,
  transfer: Transfer,
): { readonly from: AccountNumber; readonly to: AccountNumber } | OkxError {
  if (transfer.type === '0') return { from: account, to: account };
  const master = masterOf(desk.venue.spot);
  if (transfer.type === '3') {
    if (isMaster(desk, account) || master === undefined) return ERRORS.transferType;
    return { from: account, to: master };
  }
  if (!isMaster(desk, account)) return ERRORS.subTransferType;
  const sub = findSubAccount(desk, transfer.subAcct ?? '');
  if (sub === undefined) return ERRORS.noSubAccount;
  return transfer.type === '1' ? { from: account, to: sub } : { from: sub, to: account };
}

/** The core's id of a transfer: clients choose theirs per account and per kind of transfer. */
function coreId(account: AccountNumber, type: TransferType, clientId: string): string {
  return `okx ${account} ${type} ${clientId}`;
}

/** Clients that send a transfer again under its id get its first answer, as long as it is the same transfer. */
async function transferFunds({ desk, reader, account }: SignedCall): Promise<Answer> {
  const asked = readTransfer(reader);
  if (reader.refusal !== undefined) return refused(reader.refusal);
  if (!isListedAsset(desk, asked.asset)) return refused(parameterError('ccy'));
  const ends = endsOf(desk, account, asked);
  if ('code' in ends) return refused(ends);
  const clientId = asked.clientId ?? '';
  const transferId = coreId(account, asked.type, clientId === '' ? `-${desk.randomText(20)}` : clientId);
  const { amount, asset, type } = asked;
  const done = await desk.venue.spot.transfer({
    from: await openAccountType(desk, ends.from, asked.from),
    to: await openAccountType(desk, ends.to, asked.to),
    asset,
    amount,
    transferId,
  });
  if (!done.ok) return refused(done.code === 'ID_REUSED' ? ERRORS.duplicateTransfer : ERRORS.transferFunds);
  const transId = transIdOf(done.value.sequence);
  desk.transferNotes.set(transId, { transferId, type, subAcct: asked.subAcct ?? '', clientId });
  return rows([{ amt: formatAmount(amount), ccy: asset, clientId, from: asked.from, to: asked.to, transId }]);
}

function transIdOf(sequence: number): string {
  return String(754_000_000 + sequence);
}

/** Assets that the venue knows: bases and quotes of its pairs. */
function listedAssets(desk: Desk): readonly string[] {
  const assets = new Set<string>();
  for (const { base, quote } of desk.venue.spot.markets.values()) {
    assets.add(base);
    assets.add(quote);
  }
  return [...assets];
}

function isListedAsset(desk: Desk, asset: string): boolean {
  return listedAssets(desk).includes(asset);
}

/** Looks a transfer up by either id among those of one type; by `transId` only while this process remembers it. */
function transferState({ desk, reader, account }: SignedCall): Answer {
  const transId = reader.text('transId');
  const clientId = reader.pattern('clientId', CLIENT_ID);
  if (transId === undefined && clientId === undefined) reader.refuse(eitherRequired('transId', 'clientId'));
  const type = reader.choice('type', TYPES) ?? '0';
  if (reader.refusal !== undefined) return refused(reader.refusal);
  const note = transId === undefined ? undefined : desk.transferNotes.get(transId);
  const transferId =
    note === undefined && clientId !== undefined ? coreId(account, type, clientId) : note?.transferId;
  const found = transferId === undefined ? undefined : desk.venue.spot.findTransfer(transferId);
  const reported =
    found === undefined ? undefined : (note ?? desk.transferNotes.get(transIdOf(found.sequence)));
  const mine = transferId?.startsWith(`okx ${account} ${type} `) === true;
  if (found === undefined || !mine) return refused(ERRORS.noTransfer);
  const masterSide = type === '1' ? found.from : found.to;
  const member = type === '1' ? found.to : found.from;
  return rows([
    {
      amt: formatAmount(found.amount),
      ccy: found.asset,
      clientId: reported?.clientId ?? clientId ?? '',
      from: accountTypeNumber(desk, account, type, found.from),
      instId: '',
      state: 'success',
      subAcct: reported?.subAcct ?? nameOf(desk, type === '0' ? undefined : (member ?? masterSide)),
      to: accountTypeNumber(desk, account, type, found.to),
      toInstId: '',
      transId: transIdOf(found.sequence),
      type,
    },
  ]);
}

/** Account type of one end of a transfer. */
function accountTypeNumber(
  desk: Desk,
  account: AccountNumber,
  type: TransferType,
  end: AccountNumber | undefined,
): AccountType {
  const accounts = type === '0' ? [account] : [account, ...subAccounts(desk).map((sub) => sub.account)];
  return accounts.some((one) => accountTypeOf(desk, one, '6') === end) ? '6' : '18';
}

function nameOf(desk: Desk, account: AccountNumber | undefined): string {
  return subAccounts(desk).find((sub) => sub.account === account)?.name ?? '';
}

/** Balances of the funding account. */
function fundingBalances({ desk, reader, account }: SignedCall): Answer {
  const wanted = reader.list('ccy', CURRENCIES_MAX);
  return rowsUnlessRefused(reader, () =>
    balancesOf(desk, account, '6')
      .filter(({ free, locked }) => free > 0n || locked > 0n)
      .filter(({ asset }) => wanted === undefined || wanted.includes(asset))
      .map(({ asset, free, locked }) => ({
        availBal: formatAmount(free),
        bal: formatAmount(plus(free, locked)),
        ccy: asset,
        frozenBal: formatAmount(locked),
      })),
  );
}

/** Every asset with one chain on which nothing can be sent: deposits and withdrawals are not simulated. */
function currencies({ desk, reader }: SignedCall): Answer {
  const wanted = reader.list('ccy', CURRENCIES_MAX);
  return rowsUnlessRefused(reader, () =>
    listedAssets(desk)
      .filter((asset) => wanted === undefined || wanted.includes(asset))
      .map((asset) => ({
        ...fields(
          'burningFeeRate ctAddr depEstOpenTime depQuotaFixed depQuoteDailyLayer2 logoLink maxFeeForCtAddr minFeeForCtAddr usedDepQuotaFixed wdEstOpenTime',
          '',
        ),
        ...fields('canDep canInternal canWd needTag', false),
        ccy: asset,
        chain: `${asset}-Simulated`,
        ...fields('fee maxFee maxWd minDep minFee minInternal minWd usedWdQuota wdQuota', '0'),
        mainNet: true,
        minDepArrivalConfirm: '1',
        minWdUnlockConfirm: '1',
        name: asset,
        wdTickSz: '8',
      })),
  );
}

/** Worth of both account types in USDT. */
function valuation({ desk, reader, account }: SignedCall): Answer {
  const worth = (accountType: AccountType): number =>
    balancesOf(desk, account, accountType).reduce(
      (sum, { asset, free, locked }) => sum + usdOf(desk, asset, plus(free, locked)),
      0,
    );
  reader.choice('ccy', ['USDT', 'USD']);
  return rowsUnlessRefused(reader, () => {
    const [funding, trading] = [worth('6'), worth('18')];
    return [
      {
        details: {
          classic: '0',
          earn: '0',
          funding: formatFloat(funding),
          trading: formatFloat(trading),
        },
        totalBal: formatFloat(funding + trading),
        ts: String(desk.now()),
      },
    ];
  });
}

/** The funding account, and what moves between accounts. */
export const TRANSFER_ENDPOINTS: readonly Endpoint[] = [
  signedEndpoint('asset.balances GET /api/v5/asset/balances', 12, fundingBalances),
  signedEndpoint('asset.currencies GET /api/v5/asset/currencies', 12, currencies),
  signedEndpoint('asset.valuation GET /api/v5/asset/asset-valuation', 2, valuation),
  signedEndpoint('transfer.place POST /api/v5/asset/transfer', 4, transferFunds),
  signedEndpoint('transfer.find GET /api/v5/asset/transfer-state', 20, transferState),
];
